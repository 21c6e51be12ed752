/** Queries of referral. Keys of the user's own data start with `own`. */
import type {
  WireReferral,
  WireReferralEarnings,
  WireReferralLanding,
  WireReferralTerms,
} from '@candor/core/protocol/wire/referral/referral.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { referral } from './api.ts'

/** Days that the bars show. */
const daysShown = 30
const refreshMs = 30_000

export const termsKey = ['referral', 'terms'] as const

export function useTerms(): UseQueryResult<WireReferralTerms> {
  return useQuery({ queryKey: termsKey, queryFn: () => referral.terms() })
}

export function useLanding(code: string): UseQueryResult<WireReferralLanding> {
  return useQuery({ queryKey: ['referral', 'landing', code], queryFn: () => referral.landing(code), enabled: code !== '', retry: false })
}

export function useReferral(): UseQueryResult<WireReferral> {
  return useQuery({ queryKey: ['own', 'referral', 'me'], queryFn: () => referral.me(), refetchInterval: refreshMs })
}

export function useEarnings(): UseQueryResult<WireReferralEarnings> {
  return useQuery({
    queryKey: ['own', 'referral', 'earnings'],
    queryFn: () => referral.earnings({ days: daysShown }),
    refetchInterval: refreshMs,
  })
}
