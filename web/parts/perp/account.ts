/** The user's perp account. The user stream refreshes it: ['own', 'perp', …] and ['own', 'orders', 'perp', …]. */
import type { MarginMode } from '@candor/core/protocol/command/perp.ts'
import type { WirePerpAccount } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queries } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'
import { perpDesk } from './desk-api.ts'

const accountKey = ['own', 'perp', 'account'] as const

/** The available balance, the settings and the open positions. Visitors get no data. */
export function usePerpAccount(): UseQueryResult<WirePerpAccount> {
  const me = useMe()
  return useQuery({
    queryKey: accountKey,
    queryFn: () => perpDesk.account(),
    enabled: me !== undefined,
    staleTime: 5_000,
    // Near a market's cap, other users' orders change the room that is left.
    refetchInterval: ({ state }) => (state.data?.interest.some(isMarketNearlyFull) === true ? 5_000 : false),
  })
}

function isMarketNearlyFull({ left, buy, sell }: WirePerpAccount['interest'][number]): boolean {
  return Number(left) < Math.max(Number(buy), Number(sell))
}

/** Stores the account that a change of settings returns. */
export function putAccount(account: WirePerpAccount): void {
  queries.setQueryData(accountKey, account)
}

export function usePerpOrders(): UseQueryResult<readonly WireOrder[]> {
  const me = useMe()
  return useQuery({
    queryKey: ['own', 'orders', 'perp', 'open'],
    queryFn: () => perpDesk.openOrders(),
    enabled: me !== undefined,
    staleTime: 5_000,
  })
}

/** Prices of the user's resting orders in a market, to mark in the book. */
export function useOwnPerpPrices(symbol: string): ReadonlySet<string> {
  const orders = usePerpOrders().data
  return useMemo(
    () => new Set((orders ?? []).flatMap((order) => (order.symbol === symbol && order.price !== undefined ? [order.price] : []))),
    [orders, symbol],
  )
}

export type PerpSetting = { readonly leverage: number; readonly mode: MarginMode }

/** The settings of a market's next order, with cautious defaults until the user has chosen. */
export function settingOf(account: WirePerpAccount | undefined, symbol: string): PerpSetting {
  return account?.settings.find((one) => one.symbol === symbol) ?? initialSetting
}

const initialSetting: PerpSetting = { leverage: 1, mode: 'isolated' }
