/** Texts and numbers of orders, shared by all screens. */
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { Translate } from '../../app/translate.ts'
import type { Formats } from '../../app/format.ts'

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
  return t(`orders.trigger.${trigger.direction}`, { price: format.number(trigger.price) })
}

/** Filled part in whole percent, rounded down: 100 means all of it. */
export function filledPercent(order: WireOrder): number {
  const [of, done] = order.quantity === undefined ? [order.spend, order.executedQuote] : [order.quantity, order.executed]
  const whole = Number(of ?? 0)
  return whole > 0 ? Math.min(100, Math.floor((Number(done) * 100) / whole)) : 0
}
