import type { UserId } from '../../protocol/ids.ts'
import { LOCATE_REGION, USER } from '../../protocol/codec/layout.ts'
import { everywhere } from '../../protocol/codec/region.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state/state.ts'

/** `user.locate`: sets the region from the user's papers. Existing positions and orders stay; only new ones follow the region. */
export function locateUser(x: State, data: Float64Array, start: number): Refusal | undefined {
  const region = data[start + LOCATE_REGION]!
  if (!(region >= 0 && region < everywhere)) return 'FIELD_INVALID'
  x.facts.locate(data[start + USER] as UserId, region)
  return undefined
}
