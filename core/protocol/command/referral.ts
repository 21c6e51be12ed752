import type { Ppm, Units } from '../../money/brand.ts'
import type { UserId } from '../ids.ts'

/** From this 30-day volume of invitees on, in USDT units, the inviter gets this share of their trading fees. */
export type ReferralTier = { readonly volumeMin: Units; readonly sharePpm: Ppm }

/** Terms of referral. Sums are in USDT units. They hold for every trade from now on. */
export type ReferralTerms = {
  readonly isOpen: boolean
  /** By rising volume; the first begins at 0. */
  readonly tiers: readonly ReferralTier[]
  /** Share of the inviter's own inviter. */
  readonly secondPpm: Ppm
  /** Days from the opening of the invitee's account in which its trades pay. */
  readonly days: number
  /** The most that the trades of one invitee pay on a UTC day, both levels together. */
  readonly inviteeDayMax: Units
  /** The most that one inviter gets on a UTC day. */
  readonly inviterDayMax: Units
  /** Regions whose customers neither earn nor pay commission, as `AA`, in rising order. */
  readonly closedIn: readonly string[]
}

export type SetReferralTerms = { readonly type: 'referral.setTerms'; readonly terms: ReferralTerms }

/** Why a bond ended: inviter and invitee have the same document, or use the same device. The position is the number on disk: append only. */
export const severReasons = ['document', 'device'] as const
export type SeverReason = (typeof severReasons)[number]

/** Ends the bond between a user and the inviter for good. Without a bond it changes nothing. */
export type SeverReferral = { readonly type: 'referral.sever'; readonly user: UserId; readonly reason: SeverReason }

export type ReferralCommand = SetReferralTerms | SeverReferral
