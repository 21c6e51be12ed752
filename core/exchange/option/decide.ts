import type { KindNumber } from '../../protocol/ids.ts'
import type { IndexPrice, Millis, Units } from '../../money/brand.ts'
import { PAYOUT, STAKE } from '../../ledger/reasons.ts'
import { resultOf, settlementOf, strikeOf } from '../../proof/second.ts'
import { accountKinds } from '../../protocol/account.ts'
import { writeOptionSettled, writeOptionStruck } from '../../protocol/codec/option-write.ts'
import type { OptionResult, VoidReason } from '../../protocol/event/option.ts'
import type { State } from '../state/state.ts'
import { houseRow, tellHouse } from './house.ts'
import { addLoss, countGuards, settleVoidAt, strikeVoidAt } from './records/state.ts'
import type { OptionOrder } from './records/state.ts'

const OPTION = accountKinds.indexOf('option') as KindNumber
/** Largest number of orders that one command strikes or settles; clock ticks continue with the rest. */
const orderMax = 64

/**
 * Strikes and settles the orders that the tape has decided, by time and then by order number; then voids those that no tick can
 * decide any more. At most 64 orders at once. The results depend only on the tape and on the terms fixed at opening: not on when
 * this runs, how many orders wait, or whose they are.
 */
export function decideSome(x: State): void {
  const { unstruck, unstruckVoids, running, runningVoids } = x.option
  let left = orderMax
  for (; left > 0 && isTicked(x, unstruck.first?.strikeFrom); left--) strike(x, unstruck.first!)
  for (; left > 0 && isPast(x, unstruckVoids.first, strikeVoidAt); left--) settle(x, unstruckVoids.first!, 'void', 'gap', 0)
  for (; left > 0 && isTicked(x, running.first?.expiresAt); left--) settleByTape(x, running.first!)
  for (; left > 0 && isPast(x, runningVoids.first, settleVoidAt); left--) settle(x, runningVoids.first!, 'void', 'gap', 0)
  tellHouse(x)
}

/** Time from which the tape or the clock has something to decide: now, if a decision waits; Infinity if never. */
export function optionDueAtMs(x: State): number {
  const { unstruck, unstruckVoids, running, runningVoids } = x.option
  if (isTicked(x, unstruck.first?.strikeFrom) || isTicked(x, running.first?.expiresAt)) return x.atMs
  const [strikeless, endless] = [unstruckVoids.first, runningVoids.first]
  return Math.min(strikeless === undefined ? Infinity : strikeVoidAt(strikeless), endless === undefined ? Infinity : settleVoidAt(endless))
}

/** Whether the tape has reached that time. */
function isTicked(x: State, at: number | undefined): boolean {
  return at !== undefined && x.option.tickedAt >= at
}

function isPast(x: State, order: OptionOrder | undefined, voidAt: (order: OptionOrder) => number): boolean {
  return order !== undefined && x.atMs >= voidAt(order)
}

/** Sets the strike: the tape has reached its time. */
function strike(x: State, order: OptionOrder): void {
  const desk = x.option
  const { point, reason } = strikeOf(desk.points.get(order.market)!, order)!
  if (point !== undefined) {
    const { price, tick, at } = point
    writeOptionStruck(x.events, { order: order.order, user: order.user, strike: price as IndexPrice, tick, at: at as Millis })
    desk.strike(order, point)
  }
  if (reason === 'guard') countGuards(desk.user(order.user), x.atMs, 0, 1)
  if (reason !== 'none') settle(x, order, 'void', reason, 0)
}

/** Settles an order: the tape has reached its end. */
function settleByTape(x: State, order: OptionOrder): void {
  const { price, reason } = settlementOf(x.option.points.get(order.market)!, order)!
  const result = reason === 'none' ? resultOf(order.direction, order.strike!.price, price) : 'void'
  settle(x, order, result, reason, price)
}

/**
 * Releases both holds. Then a won order moves its profit from the house to the customer, and a lost one its stake to the house. A
 * tie or void order moves nothing.
 */
function settle(x: State, order: OptionOrder, result: OptionResult, reason: VoidReason, price: number): void {
  const { ledger } = x
  const { stake, profit } = order
  const own = ledger.row(order.user, OPTION, x.usdt)
  const house = houseRow(x)
  ledger.release(own, stake)
  ledger.release(house, profit)
  if (result === 'win') {
    ledger.debit(house, profit, PAYOUT)
    ledger.credit(own, profit, PAYOUT)
    addLoss(x.option.user(order.user), x.atMs, -profit as Units)
  } else if (result === 'lose') {
    ledger.debit(own, stake, STAKE)
    ledger.credit(house, stake, STAKE)
    addLoss(x.option.user(order.user), x.atMs, stake)
  }
  x.option.remove(order)
  const payout = (result === 'win' ? stake + profit : result === 'lose' ? 0 : stake) as Units
  const { order: number, user, market } = order
  writeOptionSettled(x.events, { order: number, user, market, result, reason, price: price as IndexPrice, payout, at: x.atMs })
}
