import type { UserId } from '../../protocol/ids.ts'
import { HOUSE, USER } from '../../protocol/codec/layout.ts'
import { writeUserHoused } from '../../protocol/codec/event-write.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { sweepTurnover } from '../spot/cancel-all.ts'
import type { State } from '../state/state.ts'

/** `user.house`: sets whether a user is one of the house's own. Volume counted before stays counted. */
export function houseUser(x: State, data: Float64Array, start: number): Refusal | undefined {
  const user = data[start + USER] as UserId
  const isHouse = data[start + HOUSE] === 1
  x.setHouse(user, isHouse)
  writeUserHoused(x.events, user, isHouse)
  if (x.isCapped(user)) sweepTurnover(x, user)
  return undefined
}
