/** What a position brings at a price, in the core's integers. */
import type { Decimal, Lots, Ticks, Units } from '@candor/core/money/brand.ts'
import { mulDivCeil, mulDivFloor } from '@candor/core/money/mul-div.ts'
import { parseTicks } from '@candor/core/money/price.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { unrealised } from '@candor/core/risk/perp.ts'
import type { WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { quotesNow } from '../../../app/quotes.ts'
import { heldOf, type Scales } from '../../perp/risk.ts'
import { leftOf } from './result.ts'

/**
 * Profit or loss of the part of a position that an order closes at a price, without fees.
 *
 *   part × price − cost × part ÷ whole, the cost's share rounded against the user
 *
 * returns   undefined if the order closes nothing of it
 */
export function profitAt(order: WireOrder, price: Decimal, position: WirePosition | undefined, scales: Scales): Decimal | undefined {
  const ticks = parseTicks(price, scales.market.tick)
  if (position === undefined || ticks === undefined || order.side === position.side) return undefined
  const { lots, cost } = heldOf(position, scales)
  const whole = Math.abs(lots)
  const part = order.perp?.closing === true ? whole : Math.min(whole, leftOf(order, scales.market))
  if (part === 0) return undefined
  const share = lots > 0 ? mulDivCeil(cost, part, whole) : mulDivFloor(cost, part, whole)
  return formatUnits(unrealised((lots > 0 ? part : -part) as Lots, share as Units, ticks as Ticks, scales.perTickLot), scales.quoteScale)
}

/** Whether a stop with this trigger would act at once: the price that it follows is there already. False while that price is unknown. */
export function triggersNow(order: WireOrder, trigger: Decimal, mark: Decimal | undefined): boolean {
  const now = order.perp?.triggerBy === 'mark' ? mark : quotesNow().get(order.symbol)?.price
  if (now === undefined || order.trigger?.kind !== 'stop') return false
  return order.trigger.direction === 'rises-to' ? Number(now) >= Number(trigger) : Number(now) <= Number(trigger)
}

/** Whether a position is liquidated before the price reaches the trigger of a stop that should close it. */
export function isLiquidatedFirst(order: WireOrder, trigger: Decimal, position: WirePosition | undefined): boolean {
  const liquidation = position?.liquidationPrice
  if (liquidation == null || position?.side === order.side) return false
  return position?.side === 'buy' ? Number(trigger) <= Number(liquidation) : Number(trigger) >= Number(liquidation)
}

/** The position that an order can reduce: in hedge mode that of its own side of the two. */
export function positionOf(order: WireOrder, positions: readonly WirePosition[]): WirePosition | undefined {
  const slot = order.perp?.position ?? 'both'
  return positions.find(({ symbol, position, side }) => symbol === order.symbol && position === slot && side !== order.side)
}
