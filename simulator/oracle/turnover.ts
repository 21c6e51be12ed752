/** The daily limit of customers without a certificate, in production: what trades, open orders and a new order may reach together. */
import type { PlaceOrder } from '@candor/core/protocol/command/spot.ts'
import { leftOf, worth } from './needs.ts'
import { usdtValue } from './prices.ts'
import type { Order, OracleState, Venue } from './state.ts'

/** Largest turnover of a UTC day, in whole USDT. */
const dayMax = 10_000n
const dayMs = 86_400_000
/** Value of an order that could be worth any amount. No limit allows it. */
const unknown = 2n ** 200n
/** A sum that has a value in every asset with a price. */
const priced = 2n ** 50n

type Shape = Pick<PlaceOrder, 'side' | 'orderType' | 'timeInForce' | 'isPostOnly'>

export function isCapped(state: OracleState, user: number): boolean {
  const known = state.users[user - 1]
  return state.isProduction && known?.isRetail === true && !known.isCertified && !known.isHouse
}

/**
 * Whether today's trades, the open orders and this value exceed the limit. `except`: an order that does not count, with the other leg
 * of its list.
 */
export function isOverTurnover(state: OracleState, user: number, value: bigint, except?: Order): boolean {
  if (!isCapped(state, user)) return false
  const scale = state.assets.find(({ symbol }) => symbol === 'USDT')?.scale ?? 0
  return tradedToday(state, user) + openValue(state, user, except) + value > dayMax * 10n ** BigInt(scale)
}

/** The most that an order acting now can execute: at its limit price or, for a sell that takes, at the best bid if that is higher. */
export function valueOf(
  state: OracleState,
  venue: Venue,
  { side, orderType, timeInForce, isPostOnly }: Shape,
  price: number,
  lots: number,
) {
  if (orderType === 'limit' && timeInForce === 'GTC' && !isInUsdt(state, venue)) return unknown
  const bid = side === 'sell' && !isPostOnly ? (state.queue(venue.market.id, 'buy')[0]?.price ?? 0) : 0
  return inUsdt(state, venue, worth(venue, Math.max(price, bid), lots))
}

/** A sum of the market's quote asset in USDT units. */
export function inUsdt(state: OracleState, venue: Venue, sum: bigint): bigint {
  if (isInUsdt(state, venue)) return sum
  const hasPrice = usdtValue(state, venue.market.quote, priced) > 0n
  return hasPrice ? usdtValue(state, venue.market.quote, sum) : unknown
}

/** The most that a list can execute: its larger leg. */
export function valueOfList(state: OracleState, venue: Venue, legs: readonly bigint[], rests: boolean): bigint {
  if (rests && !isInUsdt(state, venue)) return unknown
  return legs.map((leg) => inUsdt(state, venue, leg)).reduce((most, leg) => (leg > most ? leg : most), 0n)
}

/** The most that a triggered market order can execute now. `held`: what it has to pay with. */
export function valueOfWorking(state: OracleState, venue: Venue, order: Order, held: bigint): bigint {
  if (order.spend > 0) return inUsdt(state, venue, BigInt(order.spend) - order.executedQuote)
  if (order.side === 'buy') return inUsdt(state, venue, held)
  const bid = state.queue(venue.market.id, 'buy')[0]?.price ?? 0
  return inUsdt(state, venue, worth(venue, bid, leftOf(order)))
}

function tradedToday(state: OracleState, user: number): bigint {
  const today = Math.floor(state.at / dayMs)
  return (state.volumes.get(user) ?? []).reduce((sum, { day, value }) => (day === today ? sum + value : sum), 0n)
}

function openValue(state: OracleState, user: number, except: Order | undefined): bigint {
  const lists = new Map<number, bigint>()
  let sum = 0n
  for (const order of state.orders.values()) {
    if (order.user !== user || order.order === except?.order) continue
    if (except !== undefined && isPair(order) && isPair(except) && order.list === except.list) continue
    const value = restingValue(state, order)
    if (!isPair(order)) sum += value
    else if (value > (lists.get(order.list) ?? 0n)) lists.set(order.list, value)
  }
  return [...lists.values()].reduce((total, value) => total + value, sum)
}

const isPair = ({ list, role }: Order): boolean => list !== 0 && role !== 'working'

/** What an open order could still execute: a sleeping one at its limit or trigger, a trailing market order at the last price. */
function restingValue(state: OracleState, order: Order): bigint {
  const venue = state.venue(order.market) as Venue
  if (order.spend > 0) return inUsdt(state, venue, BigInt(order.spend) - order.executedQuote)
  if (order.status === 'open' && order.orderType === 'limit' && !isInUsdt(state, venue)) return unknown
  const near = order.trigger?.kind === 'stop' ? order.trigger.price : venue.lastPrice
  return inUsdt(state, venue, worth(venue, order.orderType === 'limit' ? order.price : near, leftOf(order)))
}

function isInUsdt(state: OracleState, venue: Venue): boolean {
  return state.assets[venue.market.quote - 1]?.symbol === 'USDT'
}
