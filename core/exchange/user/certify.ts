import type { UserId } from '../../protocol/ids.ts'
import { CERTIFIED, USER } from '../../protocol/codec/layout.ts'
import { writeUserCertified } from '../../protocol/codec/event-write.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state/state.ts'

/** `user.certify`: opens or closes the products that need a verified identity. Existing positions and orders stay. */
export function certifyUser(x: State, data: Float64Array, start: number): Refusal | undefined {
  const user = data[start + USER] as UserId
  const isCertified = data[start + CERTIFIED] === 1
  x.setCertified(user, isCertified)
  writeUserCertified(x.events, user, isCertified)
  return undefined
}
