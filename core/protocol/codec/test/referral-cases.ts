import fc from 'fast-check'
import { plain } from '../../../money/test/plain.ts'
import { type ReferralCommand, severReasons } from '../../command/referral.ts'
import type { ReferralEvent } from '../../event/referral.ts'
import * as referralWriters from '../referral/write.ts'
import type { Cases } from './cases.ts'

const safe = fc.maxSafeInteger().map((n) => n + 0)
const count = fc.maxSafeNat()

const terms = fc.record({
  ...{ isOpen: fc.boolean(), secondPpm: safe, days: safe, inviteeDayMax: safe, inviterDayMax: safe },
  tiers: fc.array(fc.record({ volumeMin: safe, sharePpm: safe }), { maxLength: 10 }),
  closedIn: fc.array(fc.stringMatching(/^[A-Z]{2}$/), { maxLength: 10 }),
})

/** Commands of referral with any values. */
export const referralCommands: Record<ReferralCommand['type'], fc.Arbitrary<object>> = {
  'referral.setTerms': fc.record({ terms }),
  'referral.sever': fc.record({ user: count, reason: fc.constantFrom(...severReasons) }),
}

const referral = plain(referralWriters)
const paid = { inviter: 3, invitee: 4, level: 2 as const, asset: 2, amount: 1_000, value: 600_000, market: 5, trade: 77 }
const severed = { user: 4, inviter: 3, reason: 'device' as const }
const changed = {
  ...{ isOpen: true, secondPpm: 50_000, days: 365, inviteeDayMax: 7, inviterDayMax: 70, closedIn: ['DE', 'US'] },
  tiers: [
    { volumeMin: 0, sharePpm: 200_000 },
    { volumeMin: 9, sharePpm: 250_000 },
  ],
}

/** Events of referral, each with its writer. */
export const referralEvents: Cases<ReferralEvent['type']> = {
  'referral.paid': { put: (into) => referral.writeReferralPaid(into, paid), event: paid },
  'referral.severed': { put: (into) => referral.writeReferralSevered(into, 4, 3, 'device'), event: severed },
  'referral.terms': { put: (into) => referral.writeReferralTermsChanged(into, changed), event: { terms: changed } },
}
