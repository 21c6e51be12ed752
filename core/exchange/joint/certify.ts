import type { UserId } from '../../protocol/ids.ts'
import { CERTIFIED, USER } from '../../protocol/codec/layout.ts'
import { writeUserCertified } from '../../protocol/codec/event-write.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { sweepTurnover } from '../spot/cancel-all.ts'
import type { State } from '../state/state.ts'

/**
 * `user.certify`: opens or closes the products that need a verified identity. Existing positions and orders
 * stay, except that in production the oldest spot orders are cancelled until the turnover limit holds.
 */
export function certifyUser(x: State, data: Float64Array, start: number): Refusal | undefined {
  const user = data[start + USER] as UserId
  const isCertified = data[start + CERTIFIED] === 1
  x.setCertified(user, isCertified)
  writeUserCertified(x.events, user, isCertified)
  if (x.isCapped(user)) sweepTurnover(x, user)
  return undefined
}
