/** The user's open orders. The user stream refreshes them (`['own', 'orders', …]`). */
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { client } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'

/** All open orders. Visitors get no data. */
export function useOpenOrders(): UseQueryResult<readonly WireOrder[]> {
  const me = useMe()
  return useQuery({
    queryKey: ['own', 'orders', 'open'],
    queryFn: () => client.spot.openOrders(),
    enabled: me !== undefined,
    staleTime: 5_000,
  })
}

/** Open orders of the spot account. Those of margin accounts are shown on the margin desk. */
export function useSpotOrders(): { readonly data: readonly WireOrder[] | undefined; readonly error: unknown } {
  const { data, error } = useOpenOrders()
  return { data: data?.filter((order) => order.margin === undefined), error }
}

/** Prices of the user's resting orders in a market, to mark in the book. */
export function useOwnPrices(symbol: string): ReadonlySet<string> {
  const orders = useOpenOrders().data
  return useMemo(
    () => new Set((orders ?? []).filter((order) => order.symbol === symbol && order.price !== undefined).map((order) => order.price ?? '')),
    [orders, symbol],
  )
}
