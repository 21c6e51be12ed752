/** Markets, assets and fees of this exchange, and where its prices come from. */
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { client, queries } from './client.ts'
import { learnPlaces } from './formats.ts'

const options = { queryKey: ['config'], queryFn: () => client.market.config(), staleTime: 25_000, refetchInterval: 30_000 } as const

export function useConfig(): UseQueryResult<WireConfig> {
  return useQuery(options)
}

/** Loads the list. Until then, and without a connection, the copy on this device is used. */
export function prefetchConfig(): void {
  recall()
  void queries.prefetchQuery(options)
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryKey[0] === 'config' && query.state.status === 'success') keep(query.state.data as WireConfig)
  })
}

let kept: WireConfig | undefined

function keep(config: WireConfig): void {
  if (config === kept) return
  kept = config
  learnPlaces(config.assets)
  try {
    localStorage.setItem('config', JSON.stringify(config))
  } catch {}
}

function recall(): void {
  try {
    const known = JSON.parse(localStorage.getItem('config') ?? 'null') as WireConfig | null
    if (known?.perpFeeTiers === undefined) return
    learnPlaces(known.assets)
    queries.setQueryData(options.queryKey, known, { updatedAt: known.serverTime })
  } catch {}
}

/** Undefined while the list is loading, and for a symbol that is not listed. */
export function useMarket(symbol: string): WireMarket | undefined {
  return useQuery({ ...options, select: (config) => config.markets.find((market) => market.symbol === symbol) }).data
}

/** The listed markets outside of components, as far as they are known. */
export function marketsNow(): readonly WireMarket[] {
  return queries.getQueryData<WireConfig>(options.queryKey)?.markets ?? none
}

export function marketNow(symbol: string): WireMarket | undefined {
  return marketsNow().find((market) => market.symbol === symbol)
}

/** The listed markets, or those of one kind, in the exchange's order. */
export function useMarkets(kind?: WireMarket['kind']): readonly WireMarket[] {
  const markets = useQuery({ ...options, select: (config) => config.markets }).data ?? none
  return useMemo(() => (kind === undefined ? markets : markets.filter((market) => market.kind === kind)), [markets, kind])
}

const none: readonly WireMarket[] = []
