/** Announces the result of a new order. Loaded after the desk, because nobody places an order immediately. */
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WirePlaced } from '@candor/core/protocol/wire/spot.ts'
import type { Formats } from '../../app/format.ts'
import { navigate } from '../../app/location.ts'
import type { Translate } from '../../app/translate.ts'
import { toast } from '../ui/toast.tsx'
import { resultOf } from './result.ts'
import { isCut } from './words.ts'

/** An order of which only a part was filled leads to the history, because its rest is in no list of open orders. */
export function announce({ order }: WirePlaced, market: WireMarket, t: Translate, format: Formats): void {
  const result = resultOf(order, market, t, format)
  const product = order.perp === undefined ? 'spot' : 'perp'
  const toHistory = { text: t('orders.history'), run: () => navigate(`/entrust?product=${product}&tab=history`) }
  toast(isCut(order) ? { ...result, action: toHistory } : result)
}
