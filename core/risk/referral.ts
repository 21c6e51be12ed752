/** Amounts of referral. The exchange and the app compute them with the same functions. */
import type { Ppm, Units } from '../money/brand.ts'
import { mulDivFloor } from '../money/mul-div.ts'
import type { ReferralTerms } from '../protocol/command/referral.ts'

/** Largest sum and number of days, and most tiers that terms may name. */
const sumMax = 2 ** 48
const daysMax = 3650
const tiersMax = 10

/** At most half of a fee is paid on, so that nobody gains by trading with himself through accounts that invited each other. */
const sharesMax = 500_000

/**
 * A receiver's share of a trading fee, rounded down in favour of the exchange's fees:
 *
 *   fee × share
 */
export function commission(fee: Units, sharePpm: Ppm): Units {
  return mulDivFloor(fee, sharePpm, 1_000_000) as Units
}

/** Number of the tier that invitees' 30-day volume in USDT units has reached, from 0. */
export function referralTierOf({ tiers }: Pick<ReferralTerms, 'tiers'>, volume: Units): number {
  return Math.max(
    0,
    tiers.findLastIndex(({ volumeMin }) => volume >= volumeMin),
  )
}

/** Whether the terms make sense: tiers that rise from 0, and both levels together at most half of a fee. */
export function areReferralTermsValid(terms: ReferralTerms): boolean {
  const { tiers, secondPpm, days, inviteeDayMax, inviterDayMax, closedIn } = terms
  if (!(secondPpm >= 0 && days > 0 && days <= daysMax)) return false
  if (!(inviteeDayMax > 0 && inviteeDayMax <= sumMax && inviterDayMax > 0 && inviterDayMax <= sumMax)) return false
  if (tiers.length === 0 || tiers.length > tiersMax || tiers[0]!.volumeMin !== 0) return false
  if (!closedIn.every((region, n) => /^[A-Z]{2}$/.test(region) && region > (closedIn[n - 1] ?? ''))) return false
  return tiers.every(
    ({ volumeMin, sharePpm }, n) =>
      volumeMin <= sumMax &&
      sharePpm > 0 &&
      sharePpm + secondPpm <= sharesMax &&
      (n === 0 || (volumeMin > tiers[n - 1]!.volumeMin && sharePpm >= tiers[n - 1]!.sharePpm)),
  )
}
