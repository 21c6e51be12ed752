import type { Decimal } from '../../../money/brand.ts'

/** Shares are of the invitee's trading fee, in percent: "20". Volumes are in USDT. */
export type WireReferralTier = { readonly volumeMin: Decimal; readonly sharePercent: Decimal }

/** GET `/referral/terms`. */
export type WireReferralTerms = {
  readonly isOpen: boolean
  readonly tiers: readonly WireReferralTier[]
  readonly secondPercent: Decimal
  /** Days from the opening of the invitee's account. */
  readonly days: number
  /** The most that the trades of one invitee pay, and that one inviter gets, on a UTC day, in USDT. */
  readonly inviteeDayMax: Decimal
  readonly inviterDayMax: Decimal
}

/** GET `/referral/landing?code`: the same shape for every code. */
export type WireReferralLanding = { readonly isValid: boolean; readonly inviter: string | null }

/** GET `/referral`: the customer as an inviter. */
export type WireReferral = {
  readonly code: string
  /** False while the customer can neither earn nor pay commission, for example before the identity is verified. */
  readonly mayTakePart: boolean
  /** Who invited the customer, masked; null for nobody, or when the invitation does not count. */
  readonly invitedBy: string | null
  /** Trading of the customer's invitees in 30 days, in USDT, and the tier that it has reached, from 0. */
  readonly volume: Decimal
  readonly tier: number
  /** Commission of the UTC day and its limit, in USDT. */
  readonly today: { readonly limit: Decimal; readonly used: Decimal }
  readonly invited: number
  readonly verified: number
  readonly trading: number
}

/** GET `/referral/earnings?days`: every UTC day, oldest first, today last; and all commission so far by asset. In USDT when it was paid. */
export type WireReferralEarnings = {
  readonly days: readonly { readonly day: number; readonly first: Decimal; readonly second: Decimal }[]
  readonly assets: readonly { readonly asset: string; readonly amount: Decimal; readonly value: Decimal }[]
  readonly total: Decimal
}
