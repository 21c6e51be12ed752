import type { Units } from '../../money/brand.ts'
import type { UserId } from '../../protocol/ids.ts'
import type { ReferralTerms } from '../../protocol/command/referral.ts'
import type { ReferralStanding } from '../../protocol/port.ts'
import { referralTierOf } from '../../risk/referral.ts'
import type { State } from '../state/state.ts'
import { inviterOf, mayTakePart } from './pay.ts'

/** Reads of referral, for queries. */
export type ReferralReads = {
  /** Null until it is opened for the first time. */
  terms(): ReferralTerms | null
  standing(user: UserId): ReferralStanding
}

export function referralReads(x: State): ReferralReads {
  return { terms: () => x.referral.terms ?? null, standing: (user) => viewReferral(x, user) }
}

/** A user's tier as an inviter, today's commission, and who invited the user, as of the last command. */
function viewReferral(x: State, user: UserId): ReferralStanding {
  const { referral } = x
  const volume = referral.volumes.volume(user, x.atMs) as Units
  return {
    volume,
    tier: referral.terms === undefined ? 0 : referralTierOf(referral.terms, volume),
    today: { limit: referral.terms?.inviterDayMax ?? (0 as Units), used: referral.byInviter.on(user, x.atMs) },
    mayTakePart: mayTakePart(x, user),
    inviter: inviterOf(x, user),
  }
}
