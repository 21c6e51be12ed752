import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { CloseReason, Event } from '@candor/core/protocol/event/index.ts'
import { baseOf, leftOf, needOf, restingNeed, siblingOf, worth } from './needs.ts'
import { reach } from './reaching.ts'
import { feeOf, tierOf, usdtValue } from './prices.ts'
import type { Order, OracleState, Venue } from './state.ts'

/** The result of a taking order: the rest, the reason it stopped, and its first and last price. */
export type Met = {
  left: number
  lots: number
  value: bigint
  /** Lots removed by self-trade prevention, with their value. */
  preventedLots: number
  prevented: bigint
  /** The part of the value that counts for the taker's fee tier. */
  counted: bigint
  isSelfStopped: boolean
  isBudgetSpent: boolean
  readonly prices: number[]
}

export type Taker = Pick<Order, 'order' | 'user' | 'side' | 'selfTrade'> & {
  readonly limit: number
  readonly lots: number
  /** Most quote units that it may spend or receive; undefined for no limit. */
  readonly budget: bigint | undefined
  readonly isByAmount: boolean
}

export const other = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy')

/** Whether an order of that side and limit would trade with one on this price. */
export function meets(side: Side, limit: number, price: number): boolean {
  return side === 'buy' ? price <= limit : price >= limit
}

/**
 * Executes a taking order: best price first, then the earliest order, at the maker's price. The taker pays from available money,
 * makers from held money.
 */
export function take(state: OracleState, venue: Venue, taker: Taker): Met {
  const met: Met = {
    ...{ left: taker.lots, lots: 0, value: 0n, preventedLots: 0, prevented: 0n, counted: 0n },
    ...{ isSelfStopped: false, isBudgetSpent: false, prices: [] },
  }
  const takerTier = tierOf(state, taker.user, state.at)
  let stopped: { readonly maker: Order; readonly takerLots: number } | undefined
  while (met.left > 0) {
    const maker = state.queue(venue.market.id, other(taker.side))[0]
    if (maker === undefined || !meets(taker.side, taker.limit, maker.price)) break
    const affordable = taker.budget === undefined ? undefined : (taker.budget - met.value - met.prevented) / worth(venue, maker.price, 1)
    if (affordable === 0n) {
      met.isBudgetSpent = true
      break
    }
    if (maker.user === taker.user && taker.selfTrade === 'decrement') {
      let lots = Math.min(met.left, leftOf(maker))
      if (affordable !== undefined && affordable < BigInt(lots)) {
        lots = Number(affordable)
        met.isBudgetSpent = true
      }
      notTraded(state, venue, taker, maker, { makerLots: lots, takerLots: lots })
      prevent(state, venue, taker, maker, lots)
      met.left -= lots
      met.preventedLots += lots
      met.prevented += worth(venue, maker.price, lots)
      if (met.isBudgetSpent) break
      continue
    }
    if (maker.user === taker.user && taker.selfTrade !== 'none') {
      const payable = taker.isByAmount && affordable !== undefined ? Math.min(met.left, Number(affordable)) : met.left
      const takerLots = taker.selfTrade === 'expire-maker' ? 0 : payable
      if (taker.selfTrade === 'expire-taker') stopped = { maker, takerLots }
      else {
        notTraded(state, venue, taker, maker, { makerLots: leftOf(maker), takerLots })
        leaveBook(state, venue, maker, 'self-trade')
      }
      if (taker.selfTrade === 'expire-maker') continue
      met.isSelfStopped = true
      break
    }
    let lots = Math.min(met.left, maker.visible)
    if (affordable !== undefined && affordable < BigInt(lots)) {
      lots = Number(affordable)
      met.isBudgetSpent = true
    }
    trade(state, venue, taker, maker, lots, takerTier)
    met.left -= lots
    met.lots += lots
    met.value += worth(venue, maker.price, lots)
    if (maker.user !== taker.user) met.prices.push(maker.price)
    if (counts(state, taker.user, maker.user)) met.counted += worth(venue, maker.price, lots)
    if (met.isBudgetSpent) break
  }
  // The smallest possible trade is one lot at one tick.
  if (taker.budget !== undefined && taker.budget - met.value - met.prevented < worth(venue, 1, 1)) met.isBudgetSpent = true
  if (met.lots > 0) {
    if (met.counted > 0n) count(state, venue, taker.user, met.counted)
    const last = met.prices.at(-1)
    if (last !== undefined) venue.lastPrice = last
    reach(state, venue, met.prices)
  }
  // A taker that ends at an order of its user is told after all that it traded.
  if (stopped !== undefined) notTraded(state, venue, taker, stopped.maker, { makerLots: 0, takerLots: stopped.takerLots })
  return met
}

/** Two orders of one user met and did not trade. */
function notTraded(
  state: OracleState,
  venue: Venue,
  taker: Taker,
  maker: Order,
  { makerLots, takerLots }: { readonly makerLots: number; readonly takerLots: number },
): void {
  const match = ++venue.lastPrevented
  if (makerLots > 0) maker.preventedMatch = match
  const [mode, user, orders] = [taker.selfTrade, maker.user, { makerOrder: maker.order, takerOrder: taker.order }]
  const lots = { makerLots, takerLots }
  state.events.push({ type: 'match.prevented', market: maker.market, match, mode, user, price: maker.price, ...orders, ...lots } as Event)
}

/** Self-trade prevention: both orders lose the lots that would have traded, and the maker's hold for them is released. */
function prevent(state: OracleState, venue: Venue, taker: Taker, maker: Order, lots: number): void {
  const { price, user, order } = maker
  state.events.push({
    type: 'order.prevented',
    market: venue.market.id,
    user,
    price,
    lots,
    makerOrder: order,
    takerOrder: taker.order,
  } as Event)
  endSibling(state, venue, maker)
  const need = restingNeed(venue, maker, price, lots)
  const balance = state.account(user, 'spot', payingAsset(venue, maker.side))
  balance.held -= need
  balance.available += need
  maker.preventedLots += lots
  maker.visible = Math.min(maker.visible, leftOf(maker))
  if (leftOf(maker) === 0) close(state, maker, 'self-trade')
  else maker.updatedAt = state.at
}

/** Whether the order would fill completely. Tries it on a copy. */
export function wouldFill(state: OracleState, venue: Venue, taker: Taker): boolean {
  const queue = state.queue(venue.market.id, other(taker.side)).map((order) => ({ ...order }))
  let left = taker.lots
  while (left > 0) {
    queue.sort((a, b) => (taker.side === 'buy' ? a.price - b.price : b.price - a.price) || a.turn - b.turn)
    const maker = queue[0]
    if (maker === undefined || !meets(taker.side, taker.limit, maker.price)) return false
    if (maker.user === taker.user && taker.selfTrade !== 'none') {
      if (taker.selfTrade !== 'expire-maker') return false
      queue.shift()
      continue
    }
    const lots = Math.min(left, maker.visible)
    left -= lots
    maker.executedLots += lots
    maker.visible -= lots
    if (leftOf(maker) === 0) queue.shift()
    else if (maker.visible === 0) {
      maker.visible = Math.min(maker.display, leftOf(maker))
      maker.turn = Math.max(...queue.map(({ turn }) => turn)) + 1
    }
  }
  return true
}

function trade(state: OracleState, venue: Venue, taker: Taker, maker: Order, lots: number, takerTier: number): void {
  const { market } = venue
  const quote = worth(venue, maker.price, lots)
  const base = baseOf(venue, lots)
  const isBuy = taker.side === 'buy'
  const makerFee = feeOf(state, venue, maker.user, 'maker', isBuy ? quote : base, tierOf(state, maker.user, state.at))
  const takerFee = feeOf(state, venue, taker.user, 'taker', isBuy ? base : quote, takerTier)
  const [paidByMaker, paidByTaker] = isBuy ? [market.base, market.quote] : [market.quote, market.base]
  const [makerPays, takerPays] = isBuy ? [base, quote] : [quote, base]
  state.account(maker.user, 'spot', paidByMaker).held -= makerPays
  state.account(maker.user, 'spot', paidByTaker).available += takerPays - makerFee
  state.account(taker.user, 'spot', paidByTaker).available -= takerPays
  state.account(taker.user, 'spot', paidByMaker).available += makerPays - takerFee
  state.system('fees', paidByTaker).available += makerFee
  state.system('fees', paidByMaker).available += takerFee
  maker.executedLots += lots
  maker.executedQuote += quote
  maker.visible -= lots
  maker.updatedAt = state.at
  venue.lastTrade++
  if (maker.user !== taker.user) venue.trades.push({ at: state.at, price: maker.price, lots })
  state.events.push({
    type: 'traded',
    market: market.id,
    trade: venue.lastTrade,
    price: maker.price,
    lots,
    quote: Number(quote),
    takerSide: taker.side,
    makerOrder: maker.order,
    takerOrder: taker.order,
    makerUser: maker.user,
    takerUser: taker.user,
    makerFee: Number(makerFee),
    takerFee: Number(takerFee),
    ...(isWithinHouse(state, taker.user, maker.user) ? { isHouse: true } : {}),
  } as Event)
  endSibling(state, venue, maker)
  if (counts(state, taker.user, maker.user)) count(state, venue, maker.user, quote)
  if (leftOf(maker) === 0) close(state, maker, maker.preventedLots > 0 ? 'self-trade' : 'filled')
  else if (maker.visible === 0) {
    maker.visible = Math.min(maker.display, leftOf(maker))
    maker.turn = ++state.turns
  }
}

/** Whether both users are the house's bots. */
function isWithinHouse(state: OracleState, one: number, other: number): boolean {
  return [one, other].every((user) => state.users[user - 1]?.isHouse)
}

/** Whether a trade between these users counts for their fee tiers. */
function counts(state: OracleState, taker: number, maker: number): boolean {
  return taker !== maker && !isWithinHouse(state, taker, maker)
}

/** Adds to a user's 30-day volume, with an event if the fee tier differs from the last one reported. */
function count(state: OracleState, venue: Venue, user: number, quote: bigint): void {
  const list = state.volumes.get(user) ?? []
  list.push({ day: Math.floor(state.at / 86_400_000), value: usdtValue(state, venue.market.quote, quote) })
  state.volumes.set(user, list)
  const tier = tierOf(state, user, state.at)
  if (tier === (state.told.get(user) ?? 0)) return
  state.told.set(user, tier)
  state.events.push({ type: 'user.tierChanged', user, tier } as Event)
}

/** After one leg of an OCO trades or leaves, closes the other and releases its hold. */
export function endSibling(state: OracleState, venue: Venue, order: Order): void {
  const sibling = siblingOf(state, order)
  if (sibling !== undefined) leaveBook(state, venue, sibling, 'oco')
}

/** Removes an order from the book or the waiting orders, and releases its hold. */
export function leaveBook(state: OracleState, venue: Venue, order: Order, reason: CloseReason): void {
  if (reason === 'self-trade') endSibling(state, venue, order)
  const need = needOf(venue, order)
  const balance = state.account(order.user, 'spot', payingAsset(venue, order.side))
  balance.held -= need
  balance.available += need
  close(state, order, reason)
}

export function close(state: OracleState, order: Order, reason: CloseReason): void {
  state.orders.delete(order.order)
  state.events.push({
    type: 'order.closed',
    order: order.order,
    user: order.user,
    market: order.market,
    reason,
    executedLots: order.executedLots,
    executedQuote: Number(order.executedQuote),
  } as Event)
  if (order.role === 'working') endWorking(state, order, reason)
}

/** The orders that waited for this one: filled, it queues them to enter; otherwise they end with it. */
function endWorking(state: OracleState, { list }: Order, reason: CloseReason): void {
  const waiting = [...state.orders.values()].filter((one) => one.list === list && one.role === 'waiting').sort((a, b) => a.order - b.order)
  if (reason !== 'filled') {
    for (const one of waiting) close(state, one, reason === 'cancelled' ? 'cancelled' : 'oco')
    return
  }
  const [first] = waiting as [Order]
  first.isParked = false
  state.wakes.push(first)
}

export function payingAsset(venue: Venue, side: Side): number {
  return side === 'buy' ? venue.market.quote : venue.market.base
}
