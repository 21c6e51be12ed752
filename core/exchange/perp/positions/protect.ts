/** Turns the exits of orders into orders of their own: a position that was opened or enlarged gets them at the end of the command. */
import type { SideNumber } from '../../../book/codes.ts'
import type { OrderFlags } from '../../../protocol/codec/layout.ts'
import type { Lots, Ticks } from '../../../money/brand.ts'
import type { OrderId } from '../../../protocol/ids.ts'
import type { OrderSlot } from '../../../book/order-fields.ts'
import * as codes from '../../../book/codes.ts'
import * as fields from '../../../book/order-fields.ts'
import * as layout from '../../../protocol/codec/layout.ts'
import * as writers from '../../../protocol/codec/event-write.ts'
import type { State } from '../../state/state.ts'
import { fallAsleep } from './asleep.ts'
import { drop, reasonNumber, sleepersOf } from './close.ts'
import { followed } from './exits.ts'
import { allOrdersOf, closable } from '../rules/money.ts'
import { copyClientId, store } from './orders.ts'
import type { Holding, Protection } from '../records/state.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { writeAccepted } = writers
const { EXTRA, F, FLAGS, I, ID, PENDING, WAKING } = fields
const { BY_MARK, CLOSING, FALLS, IOC, MARKET_ORDER, POSITION_MASK, SELF_TRADE_SHIFT, SELL, STOP } = layout
const { HAS_STOP_LOSS, HAS_TAKE_PROFIT, STOP_LOSS_BY_MARK, TAKE_PROFIT_BY_MARK } = layout

const REPLACED = reasonNumber('replaced')
const noClientId = new Float64Array(6)

/** Gives the positions opened or enlarged in the running command the exits of the orders that did so. */
export function protectSome(x: State): void {
  const { protections } = x.perp
  if (protections.length === 0) return
  for (const one of protections) protect(x, one)
  protections.length = 0
}

function protect(x: State, { holding, order, side, exits }: Protection): void {
  if (closable(holding, (1 - side) as SideNumber) === 0) return
  const { bits } = exits
  const isLong = side === codes.BUY
  const byMark = (bit: number): number => ((bits & bit) === 0 ? 0 : BY_MARK)
  if ((bits & HAS_TAKE_PROFIT) !== 0) put(x, holding, order, exits.takeProfit, (isLong ? 0 : FALLS) | byMark(TAKE_PROFIT_BY_MARK))
  if ((bits & HAS_STOP_LOSS) !== 0) put(x, holding, order, exits.stopLoss, (isLong ? FALLS : 0) | byMark(STOP_LOSS_BY_MARK))
}

/**
 * Places an exit. The newest order prevails: an older exit of the same kind is replaced, and nothing is placed when there is a newer
 * exit or when this one exists already.
 */
function put(x: State, holding: Holding, order: OrderId, price: Ticks, more: number): void {
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
  for (const slot of older) drop(x, holding.contract, slot as OrderSlot, REPLACED)
  place(x, holding, order, price, more)
}

/** An exit is a stop that closes the whole position by a market order. If its price is already passed, it acts at once. */
function place(x: State, holding: Holding, list: OrderId, price: Ticks, more: number): void {
  const { contract, user } = holding
  const order = ++x.lastOrder as OrderId
  const position = ((holding.side + 1) << layout.POSITION_SHIFT) & POSITION_MASK
  const shape = MARKET_ORDER | IOC | STOP | CLOSING | (codes.EXPIRE_MAKER << SELF_TRADE_SHIFT)
  const flags = (shape | position | more | (holding.lots > 0 ? SELL : 0)) as OrderFlags
  writeAccepted(x.events, order, list, user, noClientId, 0, contract.id, flags, 0, 0, 0, 0, price, 0)
  const slot = store(x, holding, order, (flags | PENDING) as OrderFlags, 0 as Ticks, 0 as Lots)
  copyClientId(x, slot, noClientId, 0)
  const extra = x.orders.extra(slot)
  extra.trigger = price
  extra.list = list
  fallAsleep(x, holding, slot, 0 as Ticks)
  const now = followed(contract, (flags & BY_MARK) !== 0)
  const isReached = now !== 0 && ((flags & FALLS) !== 0 ? now <= price : now >= price)
  if (isReached) {
    x.orders.i[slot * I + FLAGS] = flags | PENDING | WAKING
    x.wakes.add(contract.id, order)
  } else sleepersOf(contract, flags).add(slot, now)
}
