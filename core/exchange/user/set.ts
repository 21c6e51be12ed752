import type { UserId } from '../../protocol/ids.ts'
import { USER, USER_FROZEN } from '../../protocol/codec/layout.ts'
import { writeUserChanged } from '../../protocol/codec/event-write.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state/state.ts'

/** `user.set`: freezes or unfreezes a user. A frozen user's orders stay in the book. */
export function setUser(x: State, data: Float64Array, start: number): Refusal | undefined {
  const user = data[start + USER] as UserId
  const isFrozen = data[start + USER_FROZEN] === 1
  x.users[user] = (x.users[user]! & ~1) | (isFrozen ? 1 : 0)
  writeUserChanged(x.events, user, isFrozen)
  return undefined
}
