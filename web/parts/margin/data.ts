/** Queries of margin accounts, pools and claims. The user stream refreshes ['own', 'margin', …]. */
import type { WireClaim, WireMarginAccount, WireMarginTerms, WirePool } from '@candor/core/protocol/wire/margin.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMe } from '../../app/session.ts'
import { margin } from './api.ts'

export type MarginMode = 'cross' | 'isolated'

/** Margin levels follow the index without events, so they are read again this often while they are shown. */
const everyMs = 4_000

export function useMarginTerms(): UseQueryResult<WireMarginTerms> {
  return useQuery({ queryKey: ['margin', 'terms'], queryFn: () => margin.terms(), staleTime: 60_000 })
}

/** Highest leverage of a margin mode by the terms; undefined until they are known. */
export function offeredLeverage(terms: WireMarginTerms | undefined, mode: MarginMode): number | undefined {
  return mode === 'cross' ? terms?.crossLeverage : terms?.tiers[0]?.leverage
}

/** The cross account, the isolated accounts in use, and that of `symbol`. Visitors get no data. */
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

/** The account that a desk's orders use. */
export function accountOf(
  accounts: readonly WireMarginAccount[] | undefined,
  mode: MarginMode,
  symbol: string,
): WireMarginAccount | undefined {
  return accounts?.find((account) => (mode === 'cross' ? account.kind === 'margin-cross' : account.symbol === symbol))
}

/** First parts of the keys of all pool queries. */
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
