/** Texts and numbers of orders, shared by all screens. */
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { Translate } from '../../app/translate.ts'
import type { Formats } from '../../app/formats.ts'

/** "Limit", "Stop market", "Trailing stop", … */
export function kindOf(order: WireOrder, t: Translate): string {
  if (order.trigger?.kind === 'trailing') return t('trade.kind.trailing')
  if (order.trigger !== undefined) return order.type === 'limit' ? t('trade.kind.stop-limit') : t('trade.kind.stop-market')
  return order.type === 'limit' ? t('trade.kind.limit') : t('trade.kind.market')
}

/** The trigger in one short text: "≥ 70,000", "1.50%". Empty without one. */
export function triggerOf(order: WireOrder, t: Translate, format: Formats): string {
  const { trigger } = order
  if (trigger === undefined) return ''
  if (trigger.kind === 'trailing') return format.percent(trigger.trailPercent)
  return t(`orders.trigger.${trigger.direction}`, { price: format.exact(trigger.price) })
}

/** Whether an order ended with only a part of it filled, so that the rest was cancelled. */
export function isCut({ status, executed }: Pick<WireOrder, 'status' | 'executed'>): boolean {
  return (status === 'expired' || status === 'cancelled') && Number(executed) > 0
}

/** "Open", "Filled", …, or "Partly filled, rest cancelled" instead of the plain end of an order that traded before. */
export function statusOf(order: WireOrder, t: Translate): string {
  return isCut(order) ? t('orders.cut') : t(`orders.is.${order.status}`)
}

/** What was filled of what: "0.03 of 0.15 BTC"; of an order by amount, "480 of 500 USDT". An order that is filled has one figure. */
export function filledOf(order: WireOrder, market: WireMarket | undefined, t: Translate, format: Formats): string {
  const [base, quote] = [market?.base ?? '', market?.quote ?? '']
  const done = format.number(order.executed)
  if (order.status === 'filled') return `${format.exact(order.executed)} ${base}`
  if (order.quantity !== undefined) return t('orders.partOf', { part: done, whole: `${format.number(order.quantity)} ${base}` })
  if (order.spend === undefined) return `${done} ${base}`
  return t('orders.partOf', { part: format.sum(order.executedQuote, quote), whole: `${format.sum(order.spend, quote)} ${quote}` })
}

/** Filled part in whole percent, rounded down: 100 means all of it. */
export function filledPercent(order: WireOrder): number {
  const [of, done] = order.quantity === undefined ? [order.spend, order.executedQuote] : [order.quantity, order.executed]
  const whole = Number(of ?? 0)
  return whole > 0 ? Math.min(100, Math.floor((Number(done) * 100) / whole)) : 0
}
