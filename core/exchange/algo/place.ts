import type { Lots, Millis, Units } from '../../money/brand.ts'
import { writeAlgoPart, writeAlgoPlaced } from '../../protocol/codec/algo/write.ts'
import * as at from '../../protocol/codec/algo/layout.ts'
import { CLIENT_ID, POSITION_MASK, REDUCE_ONLY, USER } from '../../protocol/codec/layout.ts'
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import { type Read, readLots, readMarketId, readMillis, readTicks, readUserId } from '../../protocol/codec/slots.ts'
import { clientIdSlots } from '../../protocol/codec/text.ts'
import type { AlgoKindNumber, OrderId, Parts, ShapeNumber } from '../../protocol/ids.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { algoBounds, algosAllowed, isScaledSchedule, isTwapSchedule, smallestLots, twapEvery } from '../../risk/algo.ts'
import { cancel } from '../spot/close.ts'
import type { OrderSlot } from '../../book/order-fields.ts'
import type { Handler } from '../state/handler.ts'
import type { State } from '../state/state.ts'
import { factsOf } from './facts.ts'
import { endAlgo, TWAP } from './records/end.ts'
import { placePart } from './order.ts'
import { nextAfter, partOf, tell, tryPart } from './part.ts'
import { valuedAt } from './price.ts'
import type { Algo } from './records/state.ts'
import { checkScaled, partsOf } from './scaled.ts'

/** Time between two looks at the orders of a scaled order. */
export const looksEveryMs = 2000 as Millis

/**
 * `algo.place`. The first part of a TWAP order, or all orders of a scaled one, are placed at once: what refuses them refuses the whole,
 * with nothing changed.
 */
export const placeAlgo: Handler = (x, data, start) => {
  const user = readUserId(data, start + USER)
  const venue = x.venue(readMarketId(data, start + at.ALGO_MARKET))
  if (x.isFrozen(user)) return 'USER_FROZEN'
  if (venue === undefined) return 'MARKET_UNKNOWN'
  const algo = readAlgo(x)(data, start)
  // Futures orders name a position, spot orders nothing of the kind.
  if (venue.isSpot === ((algo.flags & POSITION_MASK) !== 0) || (venue.isSpot && (algo.flags & REDUCE_ONLY) !== 0))
    return 'ORDER_TYPE_INVALID'
  if (algo.lots <= 0) return 'QUANTITY_INVALID'
  if (algo.kind === TWAP && (algo.from < 0 || algo.from > 2 ** 31 - 1)) return 'PRICE_INVALID'
  if (!isScheduled(algo, readMillis(data, start + at.ALGO_DURATION))) return 'ALGO_SCHEDULE_INVALID'
  const own = x.algo.countOf(user)
  if (own >= algoBounds.running) return 'ALGO_LIMIT'
  if (own >= algosAllowed({ running: x.algo.size, isCertified: x.isCertified(user) })) return 'EXCHANGE_FULL'
  const clientId = data.subarray(start + CLIENT_ID, start + CLIENT_ID + clientIdSlots)
  return algo.kind === TWAP ? placeTwap(x, algo, clientId) : placeScaled(x, algo, clientId)
}

function isScheduled({ kind, parts, from, to }: Algo, durationMs: Millis): boolean {
  return kind === TWAP ? isTwapSchedule(durationMs, parts) : isScaledSchedule(from, to, parts)
}

const readAlgo =
  (x: State): Read<Algo> =>
  (data, start) => {
    const [lots, parts] = [readLots(data, start + at.ALGO_LOTS), data[start + at.ALGO_PARTS] as Parts]
    const kind = (data[start + at.ALGO_KIND]! - 1) as AlgoKindNumber
    return {
      number: (x.lastOrder + 1) as OrderId,
      user: readUserId(data, start + USER),
      market: readMarketId(data, start + at.ALGO_MARKET),
      flags: data[start + at.ALGO_FLAGS] as OrderFlags,
      ...{ kind, lots, parts },
      everyMs: kind === TWAP ? twapEvery(readMillis(data, start + at.ALGO_DURATION), parts) : (0 as Millis),
      from: readTicks(data, start + at.ALGO_FROM),
      to: readTicks(data, start + at.ALGO_TO),
      shape: data[start + at.ALGO_SHAPE] as ShapeNumber,
      placedAtMs: x.atMs,
      ...{ left: lots, partsLeft: parts, executed: 0 as Units, dueAtMs: x.atMs, haltedMs: 0 as Millis, orders: [] },
    }
  }

function placeTwap(x: State, algo: Algo, clientId: Float64Array): Refusal | undefined {
  const small = checkEven(x, algo)
  if (small !== undefined) return small
  // The order's own number comes before those of its parts.
  x.lastOrder = algo.number
  const refusal = tryPart(x, algo, partOf(x, algo))
  if (refusal !== undefined) {
    x.lastOrder = (algo.number - 1) as OrderId
    return refusal
  }
  algo.partsLeft = (algo.partsLeft - 1) as Parts
  algo.dueAtMs = nextAfter(algo, x.atMs)
  x.algo.add(algo)
  writeAlgoPlaced(x.events, factsOf(algo), clientId)
  tell(x, algo, undefined)
  x.order = algo.number
  return undefined
}

/** Whether an even share is an order that the market takes. */
function checkEven(x: State, algo: Algo): Refusal | undefined {
  const venue = x.venue(algo.market)!
  const { terms } = venue.market
  const price = valuedAt(x, venue, algo)
  if (price === 0) return undefined
  const even = Math.floor(algo.lots / algo.parts)
  if (even < smallestLots(venue.market, price)) return 'ALGO_PART_TOO_SMALL'
  return Math.ceil(algo.lots / algo.parts) > terms.lotsMax ? 'QUANTITY_TOO_LARGE' : undefined
}

function placeScaled(x: State, algo: Algo, clientId: Float64Array): Refusal | undefined {
  const parts = partsOf(algo)
  const wrong = checkScaled(x, x.venue(algo.market)!, algo, parts)
  if (wrong !== undefined) return wrong
  x.lastOrder = algo.number
  const orders: OrderId[] = []
  for (const { price, lots } of parts) {
    const refusal = placePart(x, algo, { lots, price, timeInForce: 'GTC', isPostOnly: true })
    if (refusal !== undefined && orders.length === 0) {
      x.lastOrder = (algo.number - 1) as OrderId
      return refusal
    }
    // The check above counts at least as much as all parts together, so that this never comes. If it did, nothing would stay in the book.
    if (refusal !== undefined) return takeBack(x, algo, orders, clientId)
    orders.push(x.order)
  }
  algo.orders = orders
  algo.dueAtMs = (x.atMs + looksEveryMs) as Millis
  x.algo.add(algo)
  tellScaled(x, algo, clientId)
  return undefined
}

function takeBack(x: State, algo: Algo, orders: readonly OrderId[], clientId: Float64Array): undefined {
  algo.orders = orders
  x.algo.add(algo)
  tellScaled(x, algo, clientId)
  cancelOrders(x, algo)
  endAlgo(x, algo, 'not-allowed')
}

function tellScaled(x: State, algo: Algo, clientId: Float64Array): void {
  writeAlgoPlaced(x.events, factsOf(algo), clientId)
  for (const order of algo.orders) writeAlgoPart(x.events, { ...factsOf(algo), partsLeft: 0 as Parts, nextAtMs: 0 as Millis }, order)
  algo.partsLeft = 0 as Parts
  algo.left = 0 as Lots
  x.order = algo.number
}

/** Cancels the open orders of a scaled order. */
export function cancelOrders(x: State, algo: Algo): void {
  for (const order of algo.orders) {
    const slot = x.orders.find(order)
    if (slot >= 0) cancel(x, x.venue(algo.market)!, slot as OrderSlot)
  }
}
