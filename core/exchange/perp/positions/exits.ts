import type { SideNumber } from '../../../book/codes.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { OrderId } from '../../../protocol/ids.ts'
import type { Ticks } from '../../../money/brand.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import { appendExits } from '../../../protocol/codec/perp-write.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { isPrice } from '../../../risk/orders.ts'
import type { State } from '../../state/state.ts'
import { closable } from '../rules/money.ts'
import type { Contract, Exits, Holding } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { HAS_EXITS, SELL } = layout
const { HAS_STOP_LOSS, HAS_TAKE_PROFIT, PLACE_EXITS, PLACE_STOP_LOSS, PLACE_TAKE_PROFIT, STOP_LOSS_BY_MARK, TAKE_PROFIT_BY_MARK } = layout

/** The exits that a command attaches to its order; undefined for none. */
export function exitsOf(flags: OrderFlags, data: Float64Array, start: number): Exits | undefined {
  if ((flags & HAS_EXITS) === 0) return undefined
  const [takeProfit, stopLoss] = [data[start + PLACE_TAKE_PROFIT] as Ticks, data[start + PLACE_STOP_LOSS] as Ticks]
  return { takeProfit, stopLoss, bits: data[start + PLACE_EXITS]! }
}

/** Whether a command with the exits flag has at least one exit. */
export function hasExits(flags: OrderFlags, data: Float64Array, start: number): boolean {
  return (flags & HAS_EXITS) === 0 || (data[start + PLACE_EXITS]! & (HAS_TAKE_PROFIT | HAS_STOP_LOSS)) !== 0
}

/**
 * Checks that the exits of an order that trades at `price` are on the right sides of it: the take profit where the position
 * gains, the stop loss where it loses. `price` 0: the order trades at once, and each exit is compared with the price that it
 * follows.
 */
export function checkExits(contract: Contract, flags: OrderFlags, price: Ticks, exits: Exits | undefined): Refusal | undefined {
  if (exits === undefined) return undefined
  const { takeProfit, stopLoss, bits } = exits
  if ((bits & HAS_TAKE_PROFIT) !== 0 && !isPrice(takeProfit)) return 'TRIGGER_INVALID'
  if ((bits & HAS_STOP_LOSS) !== 0 && !isPrice(stopLoss)) return 'TRIGGER_INVALID'
  const gains = (flags & SELL) === 0 ? 1 : -1
  const from = (byMark: number): number => price || followed(contract, (bits & byMark) !== 0) || contract.mark
  const isWrong =
    ((bits & HAS_TAKE_PROFIT) !== 0 && (takeProfit - from(TAKE_PROFIT_BY_MARK)) * gains <= 0) ||
    ((bits & HAS_STOP_LOSS) !== 0 && (from(STOP_LOSS_BY_MARK) - stopLoss) * gains <= 0)
  return isWrong ? 'TRIGGER_IMMEDIATE' : undefined
}

/** Adds the exits to `order.accepted`, which must be the last event written. The order keeps them until it leaves the core. */
export function carry(x: State, order: OrderId, exits: Exits | undefined): void {
  if (exits === undefined) return
  x.perp.exits.set(order, exits)
  appendExits(x.events, exits.takeProfit, exits.stopLoss, exits.bits)
}

/** Notes a fill of an order with exits: if the position is on the order's side, the fill opened or enlarged it. */
export function noteFill(x: State, holding: Holding, order: OrderId, side: SideNumber): void {
  const exits = x.perp.exits.get(order)
  if (exits !== undefined && closable(holding, (1 - side) as SideNumber) > 0) x.perp.protections.push({ holding, order, side, exits })
}

/** The price that triggers an exit: the mark or the last trade price; 0 before the first. */
export function followed(contract: Contract, isByMark: boolean): Ticks {
  return isByMark ? contract.mark : contract.venue.lastPrice
}
