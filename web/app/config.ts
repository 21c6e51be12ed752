/** Markets, assets and fees of this exchange, and where its prices come from. */
import type { WireAsset, WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { client, queries } from './client.ts'

const options = { queryKey: ['config'], queryFn: () => client.market.config(), staleTime: 25_000, refetchInterval: 30_000 } as const

export function useConfig(): UseQueryResult<WireConfig> {
  return useQuery(options)
}

export function prefetchConfig(): void {
  void queries.prefetchQuery(options)
}

/** Undefined while the list is loading, and for a symbol that is not listed. */
export function useMarket(symbol: string): WireMarket | undefined {
  return useQuery({ ...options, select: (config) => config.markets.find((market) => market.symbol === symbol) }).data
}

export function useMarkets(): readonly WireMarket[] {
  return useQuery({ ...options, select: (config) => config.markets }).data ?? none
}

export function useAsset(symbol: string): WireAsset | undefined {
  return useQuery({ ...options, select: (config) => config.assets.find((asset) => asset.symbol === symbol) }).data
}

const none: readonly WireMarket[] = []
