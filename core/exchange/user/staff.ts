import type { UserId } from '../../protocol/ids.ts'
import { STAFF, USER } from '../../protocol/codec/layout.ts'
import { writeUserStaffed } from '../../protocol/codec/event-write.ts'
import type { Handler } from '../state/handler.ts'

/** `user.staff`: sets whether the user is the own account of a member of the staff. Running orders of Second go on. */
export const staffUser: Handler = (x, data, start) => {
  const user = data[start + USER] as UserId
  const isStaff = data[start + STAFF] === 1
  x.setStaff(user, isStaff)
  writeUserStaffed(x.events, user, isStaff)
  return undefined
}
