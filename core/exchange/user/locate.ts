import type { UserId } from '../../protocol/ids.ts'
import { LOCATE_REGION, USER } from '../../protocol/codec/layout.ts'
import { type HomeNumber, homesIn } from '../../protocol/codec/region.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state/state.ts'

/** `user.locate`: sets the user's regions. Existing positions and orders stay; only new ones follow them. */
export function locateUser(x: State, data: Float64Array, start: number): Refusal | undefined {
  const home = data[start + LOCATE_REGION]! as HomeNumber
  if (homesIn(home) === undefined) return 'FIELD_INVALID'
  x.facts.locate(data[start + USER] as UserId, home)
  return undefined
}
