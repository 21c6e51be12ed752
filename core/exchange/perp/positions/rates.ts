/** Fee rates of Futures by the user's own thirty-day volume in Futures. */
import type { Ppm, Units } from '../../../money/brand.ts'
import { writePerpTierChanged } from '../../../protocol/codec/perp-write.ts'
import type { TierNumber, UserId } from '../../../protocol/ids.ts'
import { feePpm } from '../../../risk/orders.ts'
import type { Venue } from '../../records/venue.ts'
import type { State } from '../../state/state.ts'

/** Rate of a user as the maker of a trade now. */
export function makerRate({ perpVolumes, atMs }: State, { market: { terms } }: Venue, user: UserId): Ppm {
  const tier = perpVolumes.tier(user, atMs)
  return tier === 0 ? terms.makerFeePpm : feePpm(terms.makerFeePpm, tier, perpVolumes.tiers[tier]!.makerPpm)
}

/** Rate of a user as the taker of the trades of an order that is matched now. */
export function takerRate({ perpVolumes, atMs }: State, { market: { terms } }: Venue, user: UserId): Ppm {
  const tier = perpVolumes.tier(user, atMs)
  return tier === 0 ? terms.takerFeePpm : feePpm(terms.takerFeePpm, tier, perpVolumes.tiers[tier]!.takerPpm)
}

/** Counts a trade for which the user paid the fee of an order. `value`: in USDT units, which settle every market of Futures. */
export function countTrade(x: State, user: UserId, value: Units): void {
  const { perpVolumes, atMs, events } = x
  if (perpVolumes.add(user, atMs, value)) writePerpTierChanged(events, user, perpVolumes.tier(user, atMs) as TierNumber)
}
