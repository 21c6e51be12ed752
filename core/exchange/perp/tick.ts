import type { State } from '../state/state.ts'
import { bearSome, isUnpaid } from './liquidation/bear.ts'
import { isLooking, lookSome } from './liquidation/find-ruined.ts'
import { fundingDueAtMs, settleFunding } from './market/funding.ts'
import { endDue, endsDueAtMs } from './handlers/countdown.ts'
import { advanceGates, gatesDueAtMs } from './market/gate.ts'
import { liquidateSome } from './liquidation/liquidate.ts'
import { isRefitting, refitSome } from './market/refit.ts'
import { isRetrying, retrySome } from './handlers/wake.ts'
import { workDueAtMs, workOff } from './liquidation/work-off.ts'

/** Time from which a `clock.tick` has something to do for Futures; Infinity if never. */
export function perpDueAtMs(x: State): number {
  return x.perp.queue.length > 0 || isLooking(x) || isUnpaid(x) || isRefitting(x) || isRetrying(x)
    ? x.atMs
    : Math.min(fundingDueAtMs(x), gatesDueAtMs(x), workDueAtMs(x), endsDueAtMs(x))
}

/** Ends orders that are due, and advances the phases of markets, funding, liquidations, and the fund's inventory. */
export function perpTick(x: State): void {
  x.perp.beginCommand()
  endDue(x)
  advanceGates(x)
  settleFunding(x)
  if (isRefitting(x)) refitSome(x)
  if (isLooking(x)) lookSome(x)
  liquidateSome(x)
  bearSome(x)
  retrySome(x)
  workOff(x)
}
