import type { Units } from '../../money/brand.ts'
import type { UserId } from '../../protocol/ids.ts'
import type { UserStanding } from '../../protocol/port.ts'
import { turnoverMax } from '../state/ceiling.ts'
import type { State } from '../state/state.ts'

/** Limits of a user as a whole, as of the last command. `open`: what the open spot orders could still execute, in USDT units. */
export function viewStanding(x: State, user: UserId, open: () => Units): UserStanding {
  const limit = turnoverMax(x)
  return {
    isFrozen: x.isFrozen(user),
    isCertified: x.isCertified(user),
    isStaff: x.isStaff(user),
    restUntil: x.facts.restUntil(user),
    turnover: x.isCapped(user) ? { limit, used: x.volumes.today(user, x.atMs), open: Math.min(open(), limit) as Units } : null,
  }
}

/** Thirty-day volume in USDT units, and the tier: what the volume gives, or a firm has by its terms. */
export type TierView = { readonly volume: Units; readonly tier: number }

export function viewTier(x: State, user: UserId): TierView {
  const volume = x.volumes.volume(user, x.atMs) as Units
  return { volume, tier: x.volumes.tierFor(user, volume) }
}
