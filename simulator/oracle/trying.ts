/** Triggered market orders: they are tried at once, and again at each index tick for five minutes. */
import type { Side } from '@candor/core/protocol/command/spot.ts'
import { close, payingAsset, take } from './matching.ts'
import { baseOf, restingNeed, siblingOf } from './needs.ts'
import { worst } from './prices.ts'
import { wouldTake } from './halts.ts'
import { hold } from './accept.ts'
import { endResting } from './resting.ts'
import { actAsLimit, closeMarket, sleep } from './spot.ts'
import type { Order, OracleState, Venue } from './state.ts'
import { isOverTurnover, valueOfWorking } from './turnover.ts'

const fiveMinutes = 300_000
/** Most orders that expire in one command. */
const endsMax = 32

/** Tries an order with the amount `held`. If part of it may be tried again, the rest of the amount is held again; else the order ends. */
export function tryMarket(state: OracleState, venue: Venue, order: Order, held: bigint): void {
  const { side, user, selfTrade, spend } = order
  const { lotsMax } = venue.market.terms
  const parked = siblingOf(state, order)
  if (isOverTurnover(state, user, valueOfWorking(state, venue, order, held), order)) {
    close(state, order, 'turnover')
    if (parked !== undefined) unpark(state, venue, parked, held)
    return
  }
  const sold = Number(held / BigInt(venue.market.basePerLot))
  const lots = spend === 0 ? order.lots - order.executedLots : side === 'buy' ? lotsMax : sold
  const budget = side === 'buy' ? held : spend === 0 ? undefined : BigInt(spend) - order.executedQuote
  const limit = worst(venue, side, state.at)
  const met = take(state, venue, { order: order.order, user, side, selfTrade, limit, lots, budget, isByAmount: spend > 0 })
  order.executedLots += met.lots
  order.executedQuote += met.value
  const rest = held - (side === 'buy' ? met.value : baseOf(venue, met.lots))
  const isOver = order.triggeredAt !== undefined && state.at >= endOf(venue, order)
  const goesOn =
    order.trigger !== undefined && met.left > 0 && !met.isSelfStopped && !met.isBudgetSpent && met.preventedLots === 0 && !isOver
  if (parked !== undefined && met.lots > 0) close(state, parked, 'oco')
  if (!goesOn) {
    closeMarket(state, venue, order, met)
    if (parked !== undefined && met.lots === 0) unpark(state, venue, parked, rest)
    return
  }
  if (order.triggeredAt === undefined) state.working.push(order)
  order.triggeredAt ??= state.at
  order.updatedAt = state.at
  order.workingNeed = rest
  hold(state, venue, order, rest)
  state.orders.set(order.order, order)
}

/** Returns a parked leg to the end of its level or to the waiting orders, or executes it if its price was reached meanwhile. */
export function unpark(state: OracleState, venue: Venue, order: Order, held: bigint): void {
  order.isParked = false
  const { trigger } = order
  if (order.status === 'open' || trigger === undefined) {
    if (wouldTake(state, venue, order.side, order.price)) order.isPostOnly = false
    state.orders.delete(order.order)
    return actAsLimit(state, venue, order)
  }
  const own = restingNeed(venue, order)
  // Alone, a leg needs no more than its own price.
  order.sleepingNeed = order.price === 0 || own > held ? held : own
  sleepOrWake(state, venue, order)
}

/** Lets an order sleep with its hold; a stop whose trigger was reached already is queued. */
export function sleepOrWake(state: OracleState, venue: Venue, order: Order): void {
  const { trigger } = order
  sleep(state, venue, order)
  if (trigger?.kind !== 'stop' || venue.lastPrice === 0) return
  const isReached = trigger.direction === 'falls-to' ? venue.lastPrice <= trigger.price : venue.lastPrice >= trigger.price
  if (isReached) state.wakes.push(order)
}

/** After an index tick: if a working order could trade, all working orders of its market and side are tried. */
export function beginTries(state: OracleState): void {
  for (const venue of state.venues) {
    if (venue.opensAt === undefined || state.at < venue.opensAt) continue
    for (const side of ['buy', 'sell'] as const) {
      const line = lineOf(state, state.working, venue.market.id, side)
      if (line.length === 0 || !wouldTake(state, venue, side, worst(venue, side, state.at))) continue
      state.tries = [...state.tries.filter((order) => !line.includes(order)), ...line]
    }
  }
}

/** Tries the next order, of the next market and side in turn. Returns whether there was one. */
export function tryNext(state: OracleState): boolean {
  state.tries = state.tries.filter((order) => isAlive(state, order))
  const keys = state.tries.map(({ market, side }) => market * 2 + (side === 'sell' ? 1 : 0)).sort((a, b) => a - b)
  const last = state.triedOf[0] * 2 + state.triedOf[1]
  const key = keys.find((one) => one > last) ?? keys[0]
  if (key === undefined) return false
  const [market, side] = [Math.floor(key / 2), key % 2 === 1 ? 'sell' : 'buy'] as const
  state.triedOf = [market, key % 2]
  const venue = state.venue(market) as Venue
  const line = lineOf(state, state.tries, market, side)
  if (wouldTake(state, venue, side, worst(venue, side, state.at))) {
    state.tries.splice(state.tries.indexOf(line[0] as Order), 1)
    tryAgain(state, venue, line[0] as Order)
  } else state.tries = state.tries.filter((order) => !line.includes(order))
  return true
}

/** Tries orders whose five minutes are over for the last time. */
export function endOld(state: OracleState): void {
  let ended = 0
  const sides = state.venues.flatMap((venue) => (['buy', 'sell'] as const).map((side) => [venue, side] as const))
  for (const [venue, side] of sides) {
    for (;;) {
      const first = lineOf(state, state.working, venue.market.id, side)[0]
      if (first === undefined || state.at < endOf(venue, first) || ended++ >= endsMax) break
      tryAgain(state, venue, first)
    }
  }
}

/** Halts or opens a market. After a halt of 3 s or more the wait is 5 s; after a shorter one, the rest of the earlier wait. */
export function halt(state: OracleState, venue: Venue, isTrading: boolean): void {
  if (!isTrading) {
    if (venue.opensAt !== undefined) Object.assign(venue, { haltedAt: state.at, openedAt: venue.opensAt })
    venue.opensAt = undefined
    state.tries = state.tries.filter(({ market }) => market !== venue.market.id)
  } else if (venue.opensAt === undefined) {
    venue.opensAt = state.at - venue.haltedAt < 3000 ? venue.openedAt : state.at + 5000
  }
}

function tryAgain(state: OracleState, venue: Venue, order: Order): void {
  const balance = state.account(order.user, 'spot', payingAsset(venue, order.side))
  balance.held -= order.workingNeed
  balance.available += order.workingNeed
  if (!endResting(state, venue, order)) tryMarket(state, venue, order, order.workingNeed)
}

function lineOf(state: OracleState, orders: readonly Order[], market: number, side: Side): readonly Order[] {
  return orders.filter((order) => order.market === market && order.side === side && isAlive(state, order))
}

function isAlive(state: OracleState, order: Order): boolean {
  return state.orders.get(order.order) === order
}

function endOf({ opensAt }: Venue, { triggeredAt }: Order): number {
  if (opensAt === undefined || triggeredAt === undefined) return Infinity
  return Math.max(opensAt, triggeredAt) + fiveMinutes
}
