/** Margin accounts, pools and claims as the exchange last said. The user stream refreshes ['own', 'margin', …]. */
import type { WireClaim, WireMarginAccount, WireMarginTerms, WirePool } from '@candor/core/protocol/wire/margin.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMe } from '../../app/session.ts'
import { margin } from './api.ts'

export type MarginMode = 'cross' | 'isolated'

/** Levels follow the index without an event: they are read anew this often while they are looked at. */
const everyMs = 4_000

export function useMarginTerms(): UseQueryResult<WireMarginTerms> {
  return useQuery({ queryKey: ['margin', 'terms'], queryFn: () => margin.terms(), staleTime: 60_000 })
}

/** Highest leverage that the terms offer a kind of account; undefined until they are known. */
export function offeredLeverage(terms: WireMarginTerms | undefined, mode: MarginMode): number | undefined {
  return mode === 'cross' ? terms?.crossLeverage : terms?.tiers[0]?.leverage
}

/** The cross account, isolated ones in use, and that of `symbol`; without an answer for visitors. */
export function useMarginAccounts(symbol: string): UseQueryResult<readonly WireMarginAccount[]> {
  const me = useMe()
  return useQuery({
    queryKey: ['own', 'margin', 'accounts', symbol],
    queryFn: () => margin.accounts(symbol),
    enabled: me !== undefined,
    staleTime: everyMs / 2,
    refetchInterval: everyMs,
  })
}

/** Which of them a desk's orders belong to. */
export function accountOf(
  accounts: readonly WireMarginAccount[] | undefined,
  mode: MarginMode,
  symbol: string,
): WireMarginAccount | undefined {
  return accounts?.find((account) => (mode === 'cross' ? account.kind === 'margin-cross' : account.symbol === symbol))
}

/** Queries of the pools begin with it. */
export const poolKey = ['margin', 'pools'] as const

export function usePools(): UseQueryResult<readonly WirePool[]> {
  return useQuery({ queryKey: poolKey, queryFn: () => margin.pools(), staleTime: 5_000, refetchInterval: 10_000 })
}

/** The user's supplies to the pools. Visitors get no data. */
export function useClaims(): UseQueryResult<readonly WireClaim[]> {
  const me = useMe()
  return useQuery({
    queryKey: ['own', 'margin', 'claims'],
    queryFn: () => margin.claims(),
    enabled: me !== undefined,
    staleTime: 5_000,
    refetchInterval: 10_000,
  })
}
