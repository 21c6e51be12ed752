import type { Lots, Millis, Units } from '../../money/brand.ts'
import { writeAlgoMissed, writeAlgoPart } from '../../protocol/codec/algo/write.ts'
import { decodeEvent, eventCodes, eventLength } from '../../protocol/codec/event.ts'
import { opcodeOf } from '../../protocol/codec/records.ts'
import type { OrderId, Parts } from '../../protocol/ids.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { smallestLots, twapPart } from '../../risk/algo.ts'
import { isFull } from '../state/room.ts'
import type { State } from '../state/state.ts'
import { endAfter, isHalt } from './end.ts'
import { factsOf } from './facts.ts'
import { placePart } from './order.ts'
import { priceOfPart, valuedAt } from './price.ts'
import { endAlgo } from './records/end.ts'
import type { Algo } from './records/state.ts'

const CLOSED = eventCodes['order.closed']

/** A market that takes no parts for longer than this ends the order. */
const haltedMax = 86_400_000

/**
 * Places the part that is due. A part that is refused, or executed in part, leaves its quantity to the later ones; while the market is
 * halted, the whole order waits.
 */
export function nextPart(x: State, algo: Algo): void {
  if (x.isFrozen(algo.user)) return endAlgo(x, algo, 'frozen')
  const lots = partOf(x, algo)
  if (lots === 0) return endAlgo(x, algo, 'small')
  const refusal = isFull(x) ? 'EXCHANGE_FULL' : tryPart(x, algo, lots)
  const ending = refusal === undefined ? undefined : endAfter(refusal)
  if (ending !== undefined) return endAlgo(x, algo, ending)
  const halts = refusal !== undefined && isHalt(refusal)
  if (halts) algo.haltedMs = (algo.haltedMs + algo.everyMs) as Millis
  else algo.partsLeft = (algo.partsLeft - 1) as Parts
  x.algo.due(algo, nextAfter(algo, x.atMs))
  tell(x, algo, refusal)
  if (algo.left === 0) endAlgo(x, algo, 'filled')
  else if (algo.partsLeft === 0) endAlgo(x, algo, 'done')
  else if (algo.haltedMs > haltedMax) endAlgo(x, algo, 'halted')
}

/** Tells of the part that was just tried: its order, or why there is none. */
export function tell(x: State, algo: Algo, refusal: Refusal | undefined): void {
  const isLast = algo.left === 0 || algo.partsLeft === 0
  const step = { ...factsOf(algo), partsLeft: algo.partsLeft, nextAtMs: isLast ? (0 as Millis) : algo.dueAtMs }
  if (refusal === undefined) writeAlgoPart(x.events, step, x.order)
  else writeAlgoMissed(x.events, step, refusal)
  x.order = 0 as OrderId
}

/**
 * Time of the part after the one that was due. If the exchange stood still for longer than an interval, the schedule moves: parts never
 * come closer together.
 */
export function nextAfter({ dueAtMs, everyMs }: Algo, atMs: Millis): Millis {
  return ((atMs - dueAtMs > everyMs ? atMs : dueAtMs) + everyMs) as Millis
}

/** Lots of the next part; 0 when the market takes no order for the rest. Without a price, the market says so when the part is placed. */
export function partOf(x: State, algo: Algo): Lots {
  const venue = x.venue(algo.market)!
  const { terms } = venue.market
  const price = valuedAt(x, venue, algo)
  return twapPart(algo, price === 0 ? terms.lotsMin : smallestLots(venue.market, price), terms.lotsMax)
}

/** Places a part and counts what it executes. `x.order`: its number. A refusal changes nothing. */
export function tryPart(x: State, algo: Algo, lots: Lots): Refusal | undefined {
  const price = priceOfPart(x, x.venue(algo.market)!, algo, lots)
  const refusal = placePart(x, algo, { lots, price, timeInForce: 'IOC', isPostOnly: false })
  if (refusal === undefined) count(x, algo)
  return refusal
}

/** Counts what the immediate order that was just placed has executed, from the events of this command. */
function count(x: State, algo: Algo): void {
  const { data, length } = x.events
  for (let at = x.eventsFrom; at < length; at += eventLength(data, at, length)) {
    if (opcodeOf(data[at]!) !== CLOSED) continue
    const closed = decodeEvent(data, at)
    if (closed.type !== 'order.closed' || closed.order !== x.order) continue
    algo.left = (algo.left - closed.executedLots) as Lots
    algo.executed = (algo.executed + closed.executedQuote) as Units
    return
  }
  throw new Error(`order ${x.order} of ${algo.number} was not closed at once`)
}
