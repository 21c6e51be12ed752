import type { Refusal } from '../../protocol/refusal.ts'
import { algosDueAtMs, tickAlgos } from '../algo/tick.ts'
import { convertDueAtMs, endWaiting } from '../convert/accept.ts'
import { marginDueAtMs, marginTick } from '../margin/tick.ts'
import { decideSome, optionDueAtMs } from '../option/decide.ts'
import { perpDueAtMs, perpTick } from '../perp/tick.ts'
import { presaleDueAtMs, tickPresales } from '../presale/release.ts'
import { sweepOn } from '../spot/cancel-all.ts'
import { endSome } from '../spot/retry.ts'
import { wakesDueAtMs } from '../spot/wake.ts'
import type { State } from '../state/state.ts'

/** `clock.tick`: continues the work left by earlier commands. Waiting triggered orders follow at its end, as after every command. */
export function tickClock(x: State): Refusal | undefined {
  sweepOn(x)
  perpTick(x)
  marginTick(x)
  decideSome(x)
  endWaiting(x)
  tickPresales(x)
  tickAlgos(x)
  if (x.retries.count > 0) endSome(x)
  return undefined
}

/** Time from which `clock.tick` has something to do; Infinity for never. */
export function workDueAtMs(x: State): number {
  if (x.sweeps.length > 0) return x.atMs
  const ofProducts = Math.min(optionDueAtMs(x), marginDueAtMs(x), perpDueAtMs(x), convertDueAtMs(x), presaleDueAtMs(x))
  return Math.min(wakesDueAtMs(x), algosDueAtMs(x), ofProducts)
}
