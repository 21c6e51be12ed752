import { tapeHash } from '../../proof/tape.ts'
import { writeTapeExtended } from '../../protocol/codec/option-write.ts'
import type { State } from '../state/state.ts'
import { decideSome } from './decide.ts'

/** Extends the tape by a tick (its canonical slots), whose prices are already set in the markets, and decides what is due. */
export function extendTape(x: State, slots: Float64Array<ArrayBuffer>): void {
  const desk = x.option
  desk.tick++
  desk.head = tapeHash(desk.head, slots)
  desk.tickedAt = x.atMs
  writeTapeExtended(x.events, desk.tick, x.atMs, desk.head, slots)
  keepPoints(x)
  decideSome(x)
}

/** Adds the tick to every market with open orders, and drops ticks that no order can need any more. */
function keepPoints(x: State): void {
  const desk = x.option
  const due = Math.min(x.atMs, desk.unstruck.first?.strikeFrom ?? Infinity, desk.running.first?.expiresAt ?? Infinity)
  const from = due - desk.keepMs
  for (const [market, points] of desk.points) {
    const { indexPrice, isIndexGood } = x.venues[market]!
    points.push({ tick: desk.tick, at: x.atMs, price: indexPrice, isGood: isIndexGood })
    // The tick just before `from` is still needed.
    let old = 0
    while (old + 1 < points.length && points[old + 1]!.at <= from) old++
    if (old > 0) points.splice(0, old)
  }
}
