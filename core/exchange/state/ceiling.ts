/** Permissions of users in production: the leverage ceiling, access to Second, and the turnover limit. */
import type { UserId } from '../../protocol/ids.ts'
import type { Millis, Units } from '../../money/brand.ts'
import type { LeverageCeiling } from '../../protocol/port.ts'
import { leverageCeiling, noCeiling, policies } from '../../risk/policy.ts'
import { PRODUCTION } from './mode.ts'
import type { State } from './state.ts'

/** Highest leverage at which the user may open or enlarge anything now, in Futures and Margin. */
export function ceilingOf(x: State, user: UserId): number {
  if (x.mode !== PRODUCTION) return noCeiling
  return leverageCeiling('production', x.facts.ageMs(user, x.atMs), x.facts.opened(user).leverage)
}

/** The user's leverage ceiling with its reason, for display; null when there is none. */
export function viewCeiling(x: State, user: UserId): LeverageCeiling | null {
  const leverage = ceilingOf(x, user)
  if (leverage === noCeiling) return null
  const ageMs = x.facts.ageMs(user, x.atMs)
  // If an old customer may have no more either, the reason is the region.
  if (leverageCeiling('production', Infinity, x.facts.opened(user).leverage) === leverage)
    return { leverage, reason: 'region', until: null }
  return { leverage, reason: 'new', until: (x.atMs - ageMs + policies.newCustomerMs.production) as Millis }
}

/** Whether Second is opened to the user's region. In a sandbox it is everywhere. */
export function isSecondOpened(x: State, user: UserId): boolean {
  return x.mode !== PRODUCTION || x.facts.opened(user).second
}

/** Largest spot turnover of a capped user on a UTC day, in USDT units. */
export function turnoverMax(x: State): Units {
  return (policies.turnoverMax.production * 10 ** (x.assets[x.usdt - 1]?.scale ?? 0)) as Units
}
