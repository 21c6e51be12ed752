import type { Millis, Units } from '../../money/brand.ts'
import type { UserId } from '../../protocol/ids.ts'
import type { UserTier, UserTiers } from '../../protocol/market.ts'
import type { UserStanding } from '../../protocol/port.ts'
import type { Volumes } from '../records/volumes.ts'
import { turnoverMax } from '../state/ceiling.ts'
import type { State } from '../state/state.ts'

/** Limits of a user as a whole, as of the last command. `open`: what the open spot orders could still execute, in USDT units. */
export function viewStanding(x: State, user: UserId, open: () => Units): UserStanding {
  const limit = turnoverMax(x)
  return {
    isFrozen: x.isFrozen(user),
    isCertified: x.isCertified(user),
    isStaff: x.isStaff(user),
    isHouse: x.isHouse(user),
    restUntil: x.facts.restUntil(user),
    runningAlgos: x.algo.countOf(user),
    turnover: x.isCapped(user) ? { limit, used: x.volumes.today(user, x.atMs), open: Math.min(open(), limit) as Units } : null,
  }
}

/** Thirty-day volumes in USDT units at a time, and the tiers: what the volume gives, or a firm has by its terms. */
export function viewTier(x: State, user: UserId, atMs: Millis): UserTiers {
  return { ...viewTierOf(x.volumes, atMs, user), perp: viewTierOf(x.perpVolumes, atMs, user) }
}

function viewTierOf(volumes: Volumes, atMs: Millis, user: UserId): UserTier {
  const volume = volumes.volume(user, atMs) as Units
  return { volume, tier: volumes.tierFor(user, volume) }
}
