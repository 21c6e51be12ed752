import { tapeHash } from '../../proof/tape.ts'
import { writeTapeExtended } from '../../protocol/codec/option-write.ts'
import type { State } from '../state/state.ts'
import { decideSome } from './decide.ts'

/** The tape goes on by a tick (its canonical slots), whose prices stand in the markets already; it decides what is due. */
export function extendTape(x: State, slots: Float64Array<ArrayBuffer>): void {
  const desk = x.option
  desk.tick++
  desk.head = tapeHash(desk.head, slots)
  desk.tickedAt = x.atMs
  writeTapeExtended(x.events, desk.tick, x.atMs, desk.head, slots)
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
