import { tapeHash } from '../../proof/tape.ts'
import { INDEX_COUNT } from '../../protocol/codec/layout.ts'
import { writeTapeExtended } from '../../protocol/codec/option-write.ts'
import { lengthOf } from '../../protocol/codec/records.ts'
import type { State } from '../state.ts'
import { decideSome } from './decide.ts'

/** The tape goes on by the `index.tick` at slot `start`, whose prices stand in the markets already; it decides what is due. */
export function extendTape(x: State, data: Float64Array, start: number): void {
  const desk = x.option
  const end = start + lengthOf(data[start]!)
  const slots = new Float64Array(2 + end - start - INDEX_COUNT)
  slots[0] = ++desk.tick
  slots[1] = x.atMs
  slots.set(data.subarray(start + INDEX_COUNT, end), 2)
  desk.head = tapeHash(desk.head, slots)
  desk.tickedAt = x.atMs
  writeTapeExtended(x.events, desk.tick, x.atMs, desk.head, data, start + INDEX_COUNT, end)
  keepPoints(x)
  decideSome(x)
}

/** Every market with open orders keeps the tick, and forgets those that no order can need any more. */
function keepPoints(x: State): void {
  const desk = x.option
  const due = Math.min(x.atMs, desk.unstruck.first?.strikeFrom ?? Infinity, desk.running.first?.expiresAt ?? Infinity)
  const from = due - desk.keepMs
  for (const [market, points] of desk.points) {
    const { indexPrice, isIndexGood } = x.venues[market]!
    points.push({ tick: desk.tick, at: x.atMs, price: indexPrice, isGood: isIndexGood })
    // The one before `from` stands there still.
    let old = 0
    while (old + 1 < points.length && points[old + 1]!.at <= from) old++
    if (old > 0) points.splice(0, old)
  }
}
