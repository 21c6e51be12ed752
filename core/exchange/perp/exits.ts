import * as codes from '../../book/codes.ts'
import * as fields from '../../book/order-fields.ts'
import * as layout from '../../protocol/codec/layout.ts'
import * as writers from '../../protocol/codec/event-write.ts'
import { appendExits } from '../../protocol/codec/perp-write.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { isPrice } from '../../risk/orders.ts'
import type { State } from '../state.ts'
import { fallAsleep } from './asleep.ts'
import { drop, reasonNumber, sleepersOf } from './close.ts'
import { allOrdersOf, closable } from './money.ts'
import { copyClientId, store } from './orders.ts'
import type { Contract, Exits, Holding, Protection } from './state.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { writeAccepted } = writers
const { EXTRA, F, FLAGS, I, ID, PENDING, WAKING } = fields
const { BY_MARK, CLOSING, FALLS, HAS_EXITS, IOC, MARKET_ORDER, POSITION_MASK, SELF_TRADE_SHIFT, SELL, STOP } = layout
const { HAS_STOP_LOSS, HAS_TAKE_PROFIT, PLACE_EXITS, PLACE_STOP_LOSS, PLACE_TAKE_PROFIT, STOP_LOSS_BY_MARK, TAKE_PROFIT_BY_MARK } = layout

const REPLACED = reasonNumber('replaced')
const noClientId = new Float64Array(6)

/** The exits that a command gives its order; undefined: none. */
export function exitsOf(flags: number, data: Float64Array, start: number): Exits | undefined {
  if ((flags & HAS_EXITS) === 0) return undefined
  const [takeProfit, stopLoss] = [data[start + PLACE_TAKE_PROFIT]!, data[start + PLACE_STOP_LOSS]!]
  return { takeProfit, stopLoss, bits: data[start + PLACE_EXITS]! }
}

/** Whether an order that is to carry exits has any. */
export function hasExits(flags: number, data: Float64Array, start: number): boolean {
  return (flags & HAS_EXITS) === 0 || (data[start + PLACE_EXITS]! & (HAS_TAKE_PROFIT | HAS_STOP_LOSS)) !== 0
}

/**
 * Whether the exits of an order that trades at `price` lie on their sides of it: the take profit where the position has
 * gained, the stop loss where it has lost. `price` 0: of an order that trades at once, each is held against the price
 * that it follows.
 */
export function checkExits(contract: Contract, flags: number, price: number, exits: Exits | undefined): Refusal | undefined {
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

/** Right after `order.accepted` was written: it tells the exits, and the order carries them until it leaves the core. */
export function carry(x: State, order: number, exits: Exits | undefined): void {
  if (exits === undefined) return
  x.perp.exits.set(order, exits)
  appendExits(x.events, exits.takeProfit, exits.stopLoss, exits.bits)
}

/** A fill of an order moved its position: where that stands on the order's side, it was opened or enlarged. */
export function noteFill(x: State, holding: Holding, order: number, side: number): void {
  const exits = x.perp.exits.get(order)
  if (exits !== undefined && closable(holding, 1 - side) > 0) x.perp.protections.push({ holding, order, side, exits })
}

/** Gives the positions that fills of the running command opened or enlarged the exits of those orders. */
export function protectSome(x: State): void {
  const { protections } = x.perp
  if (protections.length === 0) return
  for (const one of protections) protect(x, one)
  protections.length = 0
}

function protect(x: State, { holding, order, side, exits }: Protection): void {
  if (closable(holding, 1 - side) === 0) return
  const { bits } = exits
  const isLong = side === codes.BUY
  const byMark = (bit: number): number => ((bits & bit) === 0 ? 0 : BY_MARK)
  if ((bits & HAS_TAKE_PROFIT) !== 0) put(x, holding, order, exits.takeProfit, (isLong ? 0 : FALLS) | byMark(TAKE_PROFIT_BY_MARK))
  if ((bits & HAS_STOP_LOSS) !== 0) put(x, holding, order, exits.stopLoss, (isLong ? FALLS : 0) | byMark(STOP_LOSS_BY_MARK))
}

/** The newest order's exit holds: an older one of its kind goes, and where there is a newer one, or this one already, nothing is placed. */
function put(x: State, holding: Holding, order: number, price: number, more: number): void {
  const { f, i, extras } = x.orders
  const older: number[] = []
  for (const slot of allOrdersOf(x, holding)) {
    const flags = i[slot * I + FLAGS]!
    const isExit = (flags & (CLOSING | STOP | PENDING)) === (CLOSING | STOP | PENDING) && (flags & WAKING) === 0
    if (!isExit || (flags & FALLS) !== (more & FALLS)) continue
    const list = extras.get(i[slot * I + EXTRA]!)?.list ?? 0
    if ((list === 0 ? f[slot * F + ID]! : list) >= order) return
    older.push(slot)
  }
  for (const slot of older) drop(x, holding.contract, slot, REPLACED)
  place(x, holding, order, price, more)
}

/** An exit is a stop that closes the whole position at the market; one whose price is passed already acts at once. */
function place(x: State, holding: Holding, list: number, price: number, more: number): void {
  const { contract, user } = holding
  const order = ++x.lastOrder
  const position = ((holding.side + 1) << layout.POSITION_SHIFT) & POSITION_MASK
  const shape = MARKET_ORDER | IOC | STOP | CLOSING | (codes.EXPIRE_MAKER << SELF_TRADE_SHIFT)
  const flags = shape | position | more | (holding.lots > 0 ? SELL : 0)
  writeAccepted(x.events, order, list, user, noClientId, 0, contract.id, flags, 0, 0, 0, 0, price, 0)
  const slot = store(x, holding, order, flags | PENDING, 0, 0)
  copyClientId(x, slot, noClientId, 0)
  const extra = x.orders.extra(slot)
  extra.trigger = price
  extra.list = list
  fallAsleep(x, holding, slot, 0)
  const now = followed(contract, (flags & BY_MARK) !== 0)
  const isReached = now !== 0 && ((flags & FALLS) !== 0 ? now <= price : now >= price)
  if (isReached) {
    x.orders.i[slot * I + FLAGS] = flags | PENDING | WAKING
    x.wakes.add(contract.id, order)
  } else sleepersOf(contract, flags).add(slot, now)
}

/** The price that wakes an exit: the mark, or that of the last trade; 0 before the first. */
function followed(contract: Contract, isByMark: boolean): number {
  return isByMark ? contract.mark : contract.venue.lastPrice
}
