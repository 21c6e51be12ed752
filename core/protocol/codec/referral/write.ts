/** Writers of the events of referral. Each mirrors its reader in `slots.ts`; the round trip is tested. */
import { type ReferralTerms, type SeverReason, severReasons } from '../../command/referral.ts'
import type { ReferralPaid } from '../../event/referral.ts'
import type { UserId } from '../../ids.ts'
import { head } from '../records.ts'
import type { Records } from '../records.ts'
import { referralEventCodes as codes, referralTermsSlots, writeReferralTerms } from './slots.ts'

const PAID = 9
const SEVERED = 4

export function writeReferralPaid(into: Records, event: Omit<ReferralPaid, 'type'>): void {
  const at = into.reserve(PAID)
  const { data } = into
  data[at] = head(codes['referral.paid'], PAID)
  data[at + 1] = event.inviter
  data[at + 2] = event.invitee
  data[at + 3] = event.level
  data[at + 4] = event.asset
  data[at + 5] = event.amount
  data[at + 6] = event.value
  data[at + 7] = event.market
  data[at + 8] = event.trade
}

export function writeReferralSevered(into: Records, user: UserId, inviter: UserId, reason: SeverReason): void {
  const at = into.reserve(SEVERED)
  into.data[at] = head(codes['referral.severed'], SEVERED)
  into.data.set([user, inviter, severReasons.indexOf(reason)], at + 1)
}

export function writeReferralTermsChanged(into: Records, terms: ReferralTerms): void {
  const length = 1 + referralTermsSlots(terms)
  const at = into.reserve(length)
  into.data[at] = head(codes['referral.terms'], length)
  writeReferralTerms(terms, into.data, at + 1)
}
