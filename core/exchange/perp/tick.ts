import type { State } from '../state.ts'
import { fundingDueAtMs, settleFunding } from './funding.ts'
import { advanceGates, gatesDueAtMs } from './gate.ts'
import { liquidateSome } from './liquidate.ts'

/** When a `clock.tick` has something to do for contracts; Infinity: never. */
export function perpDueAtMs(x: State): number {
  return x.perp.queue.length > 0 ? x.atMs : Math.min(fundingDueAtMs(x), gatesDueAtMs(x))
}

/** Contracts that open or shut, funding whose period is over, and what liquidations left. */
export function perpTick(x: State): void {
  advanceGates(x)
  settleFunding(x)
  liquidateSome(x)
}
