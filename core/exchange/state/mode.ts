import { MODE } from '../../protocol/codec/layout.ts'
import { modes } from '../../protocol/command/mode.ts'
import type { Mode } from '../../protocol/command/mode.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from './state.ts'

/** Values of `State.mode`; 0: not given yet. */
export const SANDBOX = 1 + modes.indexOf('sandbox')
export const PRODUCTION = 1 + modes.indexOf('production')

/** The mode for a value of `State.mode`; undefined while none was given. */
export function modeOf(number: number): Mode | undefined {
  return modes[number - 1]
}

/** `mode.set`: set once, by the first start. Data with practice funds can only be a sandbox. */
export function setMode(x: State, data: Float64Array, start: number): Refusal | undefined {
  const mode = 1 + data[start + MODE]!
  if (x.mode !== 0) return 'MODE_FIXED'
  if (mode === PRODUCTION && hasPracticeFunds(x)) return 'MODE_FIXED'
  x.mode = mode
  return undefined
}

/** The mode of data from before the mode was stored. */
export function derivedMode(x: State): number {
  return hasPracticeFunds(x) ? SANDBOX : PRODUCTION
}

/** Whether `outside:sandbox` ever issued anything. */
function hasPracticeFunds({ ledger, assets }: State): boolean {
  return assets.some(({ id }) => ledger.available(ledger.systemRow('outside:sandbox', id)) !== 0)
}
