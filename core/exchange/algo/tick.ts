import type { Millis } from '../../money/brand.ts'
import type { State } from '../state/state.ts'
import { endAlgo, TWAP } from './records/end.ts'
import { nextPart } from './part.ts'
import { looksEveryMs } from './place.ts'
import type { Algo } from './records/state.ts'
import { openOf } from './scaled.ts'

/**
 * Work of one clock tick: a part counts `partWork` and one more for `tradeSlots` slots of its events, about three trades; a look at the
 * orders of a scaled order 1. What is left follows with the next tick.
 */
const workMax = 64
const partWork = 8
const tradeSlots = 256

/**
 * Places the parts that are due, earliest first, so that nobody's orders delay those of others by more than their turn. A part that trades
 * with many small orders ends the tick, so that commands wait for one such part at most.
 */
export function tickAlgos(x: State): void {
  for (let work = 0; work < workMax; ) {
    const algo = x.algo.first
    if (algo === undefined || algo.dueAtMs > x.atMs) return
    const written = x.events.length
    if (algo.kind === TWAP) nextPart(x, algo)
    else look(x, algo)
    work += (algo.kind === TWAP ? partWork : 1) + Math.floor((x.events.length - written) / tradeSlots)
  }
}

/** Time from which a part is due, or a look at the orders of a scaled order; Infinity for never. */
export function algosDueAtMs(x: State): number {
  return x.algo.first?.dueAtMs ?? Infinity
}

/** A scaled order ends with the last of its orders. */
function look(x: State, algo: Algo): void {
  const open = openOf(x, algo)
  if (open.length < algo.orders.length) x.algo.keep(algo, open)
  if (algo.orders.length === 0) endAlgo(x, algo, 'done')
  else x.algo.due(algo, (x.atMs + looksEveryMs) as Millis)
}
