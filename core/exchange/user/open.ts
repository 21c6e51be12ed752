import type { UserId } from '../../protocol/ids.ts'
import { OPEN_CLASS, OPEN_REFERRER } from '../../protocol/codec/layout.ts'
import { writeUserOpened } from '../../protocol/codec/event-write.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { State } from '../state/state.ts'

/** `user.open`: assigns the next dense user number. */
export function openUser(x: State, data: Float64Array, start: number): Refusal | undefined {
  const referrer = data[start + OPEN_REFERRER] as UserId
  if (x.userCount >= x.room.users) return 'EXCHANGE_FULL'
  if (referrer !== 0 && !x.isUser(referrer)) return 'REFERRER_UNKNOWN'
  const userClass = data[start + OPEN_CLASS]!
  x.user = x.addUser(userClass, referrer)
  x.facts.open(x.user, x.atMs)
  if (referrer !== 0) {
    x.setInvited(x.user, true)
    x.referral.openedAt.set(x.user, x.atMs)
  }
  writeUserOpened(x.events, x.user, userClass, referrer)
  return undefined
}
