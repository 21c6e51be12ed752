/** What became of an order, in words: the same for the answer to a new order and for a later notice. */
import type { CloseReason } from '@candor/core/protocol/event/index.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { Formats } from '../../app/formats.ts'
import type { Translate } from '../../app/translate.ts'
import { filledOf, isCut } from './words.ts'

export type Result = { readonly text: string; readonly detail?: string; readonly tone: 'plain' | 'good' | 'bad' }

/** Reasons that say no more than that a rest was cancelled. */
const plain: ReadonlySet<CloseReason> = new Set(['filled', 'ioc', 'cancelled', 'fok'])

/**
 * "Sold 0.03 of 0.15 BTC at 104,512.3", and below it what became of the rest. A filled order has its average price there, one without
 * a fill the reason.
 */
export function resultOf(order: WireOrder, market: WireMarket, t: Translate, format: Formats): Result {
  const { average, side, status } = order
  if (average === undefined || Number(order.executed) === 0) return unfilled(order, t)
  const price = `${format.price(average, market.priceDigits)} ${market.quote}`
  if (status === 'filled') {
    const quantity = filledOf(order, market, t, format)
    const text = side === 'buy' ? t('orders.bought', { quantity }) : t('orders.sold', { quantity })
    return { text, detail: t('orders.atAverage', { price }), tone: 'good' }
  }
  const values = { part: partOf(order, market, t, format), price }
  const text = side === 'buy' ? t('orders.boughtPart', values) : t('orders.soldPart', values)
  return isCut(order) ? { text, detail: restOf(order, t), tone: 'plain' } : { text, detail: t('orders.restWaits'), tone: 'good' }
}

/** "Rest cancelled", with the reason where there is more to say. */
export function restOf({ closeReason }: Pick<WireOrder, 'closeReason'>, t: Translate): string {
  const rest = t('orders.restCancelled')
  return closeReason === undefined || plain.has(closeReason) ? rest : `${rest} · ${t(`orders.reason.${closeReason}`)}`
}

/** An order by amount names the coins that it moved too. */
function partOf(order: WireOrder, market: WireMarket, t: Translate, format: Formats): string {
  const part = filledOf(order, market, t, format)
  return order.quantity === undefined ? `${format.number(order.executed)} ${market.base} (${part})` : part
}

function unfilled({ status, closeReason }: WireOrder, t: Translate): Result {
  if (status !== 'expired' && status !== 'cancelled') return { text: t('orders.placed'), tone: 'good' }
  const why = closeReason === undefined ? {} : { detail: t(`orders.reason.${closeReason}`) }
  return { text: t('orders.notFilled'), ...why, tone: 'bad' }
}
