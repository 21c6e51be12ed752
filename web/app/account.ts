/** Balances and favourites of the logged-in user. Query keys start with `own`: the user stream refreshes them, logging out drops them. */
import type { WireBalances } from '@candor/core/protocol/wire/funds.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import { client, queries } from './client.ts'
import { whenAvailable } from './patience.ts'
import { useMe } from './session.ts'
import { set, useSettings } from './settings.ts'
import { type Sending, useSendOnce } from './use-send-once.ts'

export function useBalances(): UseQueryResult<WireBalances> {
  const me = useMe()
  return useQuery({ queryKey: ['own', 'balances'], queryFn: () => client.funds.balances(), enabled: me !== undefined, staleTime: 5_000 })
}

/** Gets practice funds: one tap gives one portion of one asset, even if the exchange must first read earlier portions. */
export function useFaucet(onGiven: () => unknown, onError: (error: Error) => void): Sending<string> {
  return useSendOnce({
    request: (clientId, asset: string) => ({ clientId, asset }),
    call: (request) => whenAvailable(() => client.funds.faucet(request)),
    onAnswer: onGiven,
    onError,
  })
}

/** Favourite symbols and a way to change them: kept by the exchange for users, on the device for visitors. */
export function useFavourites(): {
  readonly symbols: readonly string[]
  readonly toggle: (symbol: string) => void
  readonly replace: (symbols: readonly string[]) => void
} {
  const me = useMe()
  const local = useSettings((settings) => settings.favourites)
  const query = useQuery({
    queryKey: ['own', 'favourites'],
    queryFn: () => client.market.favourites(),
    enabled: me !== undefined,
    staleTime: 60_000,
  })
  const isOwn = me !== undefined
  const symbols = isOwn ? (query.data ?? local) : local

  const replace = useCallback(
    (next: readonly string[]) => {
      set({ favourites: next })
      if (!isOwn) return
      queries.setQueryData(['own', 'favourites'], next)
      client.market.setFavourites(next).catch(() => queries.invalidateQueries({ queryKey: ['own', 'favourites'] }))
    },
    [isOwn],
  )
  const toggle = useCallback(
    (symbol: string) => replace(symbols.includes(symbol) ? symbols.filter((other) => other !== symbol) : [...symbols, symbol]),
    [symbols, replace],
  )
  return { symbols, toggle, replace }
}
