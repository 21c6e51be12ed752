import type {
  WireReferral,
  WireReferralEarnings,
  WireReferralLanding,
  WireReferralTerms,
} from '@candor/core/protocol/wire/referral/referral.ts'
import type { CallOptions, Http } from '../../http.ts'

/** What inviters get. */
export function terms(http: Http, options?: CallOptions): Promise<WireReferralTerms> {
  return http('GET', '/referral/terms', options)
}

/** Whether an invitation code is valid, and the masked inviter. */
export function landing(http: Http, code: string, options?: CallOptions): Promise<WireReferralLanding> {
  return http('GET', '/referral/landing', { ...options, query: { code } })
}

/** The user as an inviter: code, tier, today's commission, and how many came. */
export function me(http: Http, options?: CallOptions): Promise<WireReferral> {
  return http('GET', '/referral', options)
}

/** The user's commission by UTC day, and all of it by asset. */
export function earnings(http: Http, query: { readonly days?: number } = {}, options?: CallOptions): Promise<WireReferralEarnings> {
  return http('GET', '/referral/earnings', { ...options, query: { ...query } })
}
