import type { UserId } from '../../protocol/ids.ts'
import type { UserStanding } from '../../protocol/port.ts'
import { turnoverMax } from '../state/ceiling.ts'
import type { State } from '../state/state.ts'

/** Limits of a user as a whole, as of the last command. */
export function viewStanding(x: State, user: UserId): UserStanding {
  return {
    isFrozen: x.isFrozen(user),
    isCertified: x.isCertified(user),
    isStaff: x.isStaff(user),
    restUntil: x.facts.restUntil(user),
    turnover: x.isCapped(user) ? { limit: turnoverMax(x), used: x.volumes.today(user, x.atMs) } : null,
  }
}
