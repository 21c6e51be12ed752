/** Balances and favourites of the logged-in user. Query keys start with `own`: the user stream refreshes them, logging out drops them. */
import type { WireBalances } from '@candor/core/protocol/wire/funds.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import { client } from './client.ts'
import { mergedFavourites, movedBy, toggled } from './preferences/ordering.ts'
import { whenAvailable } from './patience.ts'
import { type PreferenceRules, usePreference } from './preferences/preferences.ts'
import { useMe } from './session.ts'
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

const favouriteRules: PreferenceRules<'favourites'> = { fallback: { symbols: [] }, merged: mergedFavourites }

/** Favourite symbols in their order, and ways to change them. */
export function useFavourites(): {
  readonly symbols: readonly string[]
  readonly toggle: (symbol: string) => void
  /** Moves one before or after others. */
  readonly move: (symbol: string, by: number) => void
} {
  const [{ symbols }, change] = usePreference('favourites', favouriteRules)
  const toggle = useCallback((symbol: string) => change((now) => ({ symbols: toggled(now.symbols, symbol) })), [change])
  const move = useCallback((symbol: string, by: number) => change((now) => ({ symbols: movedBy(now.symbols, symbol, by) })), [change])
  return { symbols, toggle, move }
}
