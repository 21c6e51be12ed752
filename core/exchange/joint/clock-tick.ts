import type { Refusal } from '../../protocol/refusal.ts'
import { marginTick } from '../margin/tick.ts'
import { decideSome } from '../option/decide.ts'
import { perpTick } from '../perp/tick.ts'
import { sweepOn } from '../spot/cancel-all.ts'
import { endSome } from '../spot/retry.ts'
import type { State } from '../state/state.ts'

/** `clock.tick`: continues the work left by earlier commands. Waiting triggered orders follow at its end, as after every command. */
export function tickClock(x: State): Refusal | undefined {
  sweepOn(x)
  perpTick(x)
  marginTick(x)
  decideSome(x)
  if (x.retries.count > 0) endSome(x)
  return undefined
}
