/** Texts of perp orders and positions, shared by all screens. */
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { WireExit } from '@candor/core/protocol/wire/perp.ts'
import type { Formats } from '../../app/formats.ts'
import type { Translate } from '../../app/translate.ts'
import { kindOf as spotKindOf } from '../order/words.ts'

/** "Take profit", "Stop loss", "Liquidation", or the kind as for spot orders. A stop that only reduces is an exit. */
export function kindOf(order: WireOrder, t: Translate): string {
  if (order.perp?.liquidation === true) return t('perp.liquidationOrder')
  if (!isExit(order)) return spotKindOf(order, t)
  const isProfit = (order.side === 'sell') === (order.trigger?.direction === 'rises-to')
  return isProfit ? t('perp.takeProfit') : t('perp.stopLoss')
}

/** Take profit and stop loss of an order, "66,000 / –"; undefined without any. */
export function exitsText(order: WireOrder, format: Pick<Formats, 'exact'>): string | undefined {
  const exits = order.perp?.exits
  if (exits === undefined) return undefined
  const price = (exit: WireExit | undefined): string => (exit === undefined ? '–' : format.exact(exit.price))
  return `${price(exits.takeProfit)} / ${price(exits.stopLoss)}`
}

/** The price of an order; without one it acts at the market, or takes its price from the book when it is triggered. */
export function priceOf(order: WireOrder, t: Translate, format: Pick<Formats, 'exact'>): string {
  if (order.price !== undefined) return format.exact(order.price)
  return t(order.perp?.priceMatch === undefined ? 'trade.atMarket' : 'orders.fromBook')
}

/** The action of an order: "Buy / Long" in one-way mode; "Open long", "Close short" in hedge mode or if it only closes. */
export function deedOf(order: WireOrder, t: Translate): string {
  const isBuy = order.side === 'buy'
  const slot = order.perp?.position ?? 'both'
  if (slot === 'both') {
    if (order.perp?.closing === true || isExit(order)) return isBuy ? t('perp.closeShort') : t('perp.closeLong')
    return isBuy ? t('perp.buyLong') : t('perp.sellShort')
  }
  if (slot === 'long') return isBuy ? t('perp.openLong') : t('perp.closeLong')
  return isBuy ? t('perp.closeShort') : t('perp.openShort')
}

/** Whether an order closes a position, or a part of it, when a price is reached. */
export function isExit({ perp, trigger }: WireOrder): boolean {
  return trigger !== undefined && (perp?.closing === true || (perp?.reduceOnly === true && trigger.kind === 'stop'))
}
