/** Announces the result of a new order. Loaded after the desk, because nobody places an order immediately. */
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WirePlaced } from '@candor/core/protocol/wire/spot.ts'
import type { Formats } from '../../app/format.ts'
import type { Translate } from '../../app/translate.ts'
import { toast } from '../ui/toast.tsx'

export function announce({ order }: WirePlaced, { base, quote }: WireMarket, t: Translate, format: Formats): void {
  if ((order.status === 'filled' || order.status === 'partially-filled') && order.average !== undefined) {
    const quantity = `${format.exact(order.executed)} ${base}`
    const text = order.side === 'buy' ? t('orders.bought', { quantity }) : t('orders.sold', { quantity })
    toast({ text, detail: t('orders.atAverage', { price: `${format.number(order.average)} ${quote}` }), tone: 'good' })
  } else if (order.status === 'expired' || order.status === 'cancelled') {
    toast({
      text: t('orders.notFilled'),
      detail: order.closeReason === undefined ? '' : t(`orders.reason.${order.closeReason}`),
      tone: 'bad',
    })
  } else toast({ text: t('orders.placed'), tone: 'good' })
}
