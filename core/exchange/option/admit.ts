import type { UserId } from '../../protocol/ids.ts'
import { USER } from '../../protocol/codec/layout.ts'
import { writeOptionAdmitted } from '../../protocol/codec/option-write.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state/state.ts'

/** `option.admit`: the user read the warning and answered the questions, and may open orders. A repeat changes nothing. */
export function admitOption(x: State, data: Float64Array, start: number): Refusal | undefined {
  const user = data[start + USER] as UserId
  const known = x.option.user(user)
  if (known.isAdmitted) return undefined
  known.isAdmitted = true
  writeOptionAdmitted(x.events, user)
  return undefined
}
