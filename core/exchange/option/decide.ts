import { PAYOUT, STAKE } from '../../ledger/reasons.ts'
import { resultOf, settlementOf, strikeOf } from '../../proof/second.ts'
import { accountKinds } from '../../protocol/account.ts'
import { writeOptionSettled, writeOptionStruck } from '../../protocol/codec/option-write.ts'
import type { OptionResult, VoidReason } from '../../protocol/event/option.ts'
import type { State } from '../state.ts'
import { houseRow, tellHouse } from './house.ts'
import { addLoss } from './state.ts'
import type { OptionOrder } from './state.ts'

const OPTION = accountKinds.indexOf('option')
/** Orders that one command strikes or settles at most; the clock goes on with the rest. */
const orderMax = 64

/**
 * Strikes and settles what the tape has decided, by time and then by order number, at most 64 orders at once. What
 * comes out depends on the tape alone: not on when this runs, how many wait, or whose they are.
 */
export function decideSome(x: State): void {
  const desk = x.option
  let left = orderMax
  for (; left > 0 && desk.unstruck.first !== undefined && strikeFirst(x, desk.unstruck.first); left--);
  for (; left > 0 && desk.running.first !== undefined && settleFirst(x, desk.running.first); left--);
  tellHouse(x)
}

/** When the tape or the clock has something to decide: now, if something is decided and waits; Infinity: never. */
export function optionDueAtMs(x: State): number {
  const { unstruck, running, tickedAt } = x.option
  const strike = unstruck.first
  const settle = running.first
  return Math.min(
    strike === undefined ? Infinity : tickedAt >= strike.strikeFrom ? x.atMs : strikeVoidAt(strike),
    settle === undefined ? Infinity : tickedAt >= settle.expiresAt ? x.atMs : settleVoidAt(settle),
  )
}

/** From here on no tick can come in time: the strike would be later than allowed. */
function strikeVoidAt(order: OptionOrder): number {
  return order.strikeFrom + order.gapMaxMs + 1
}

/** From here on the next tick is too far from the last one, which lies before the end of the window. */
function settleVoidAt(order: OptionOrder): number {
  return order.expiresAt + order.gapMaxMs
}

/** Returns whether the order could be decided. */
function strikeFirst(x: State, order: OptionOrder): boolean {
  const desk = x.option
  const found = strikeOf(desk.points.get(order.market)!, order)
  if (found === undefined && x.atMs < strikeVoidAt(order)) return false
  desk.unstruck.removeFirst()
  const { point, reason } = found ?? { point: undefined, reason: 'gap' as const }
  if (point !== undefined) {
    order.strike = point
    writeOptionStruck(x.events, { order: order.order, user: order.user, strike: point.price, tick: point.tick, at: point.at } as never)
  }
  if (reason === 'none') desk.running.add(order)
  else settle(x, order, 'void', reason, 0)
  return true
}

/** Returns whether the order could be decided. */
function settleFirst(x: State, order: OptionOrder): boolean {
  const desk = x.option
  const found = settlementOf(desk.points.get(order.market)!, order)
  if (found === undefined && x.atMs < settleVoidAt(order)) return false
  desk.running.removeFirst()
  const { price, reason } = found ?? { price: 0, reason: 'gap' as const }
  const result = reason === 'none' ? resultOf(order.direction, order.strike!.price, price) : 'void'
  settle(x, order, result, reason, price)
  return true
}

/**
 * Both holds end; then a won order moves its profit from the house to the customer, a lost one its stake to the house.
 * A tie or a void order moves nothing.
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
    addLoss(x.option.user(order.user), x.atMs, -profit)
  } else if (result === 'lose') {
    ledger.debit(own, stake, STAKE)
    ledger.credit(house, stake, STAKE)
    addLoss(x.option.user(order.user), x.atMs, stake)
  }
  x.option.remove(order)
  const payout = result === 'win' ? stake + profit : result === 'lose' ? 0 : stake
  const { order: number, user, market } = order
  writeOptionSettled(x.events, { order: number, user, market, result, reason, price, payout, at: x.atMs } as never)
}
