import type { Units } from '../../money/brand.ts'
import type { ReferralTerms, SeverReason } from '../command/referral.ts'
import type { AssetId, MarketId, TradeId, UserId } from '../ids.ts'

/** Part of a trading fee went to the inviter (`level` 1) or to the inviter's inviter (2) of the user who paid the fee. */
export type ReferralPaid = {
  readonly type: 'referral.paid'
  readonly inviter: UserId
  /** The user who paid the fee. */
  readonly invitee: UserId
  readonly level: 1 | 2
  readonly asset: AssetId
  readonly amount: Units
  /** In USDT units when it was paid, rounded down. */
  readonly value: Units
  readonly market: MarketId
  readonly trade: TradeId
}

export type ReferralSevered = {
  readonly type: 'referral.severed'
  readonly user: UserId
  readonly inviter: UserId
  readonly reason: SeverReason
}

export type ReferralTermsChanged = { readonly type: 'referral.terms'; readonly terms: ReferralTerms }

export type ReferralEvent = ReferralPaid | ReferralSevered | ReferralTermsChanged
