/** Deposits and withdrawals of the user: requests and answers. */
import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/chains.ts'
import type { WireChainNetwork, WireChains } from '@candor/core/protocol/wire/chains.ts'
import { useQuery } from '@tanstack/react-query'
import { http } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'

export const chains = bind(column, http)
export const chainsQuery = ['chains'] as const
/** Below the user's own data, so that it is read again after each request that moves money. */
export const depositsQuery = ['own', 'deposits'] as const
export const withdrawalsQuery = ['own', 'withdrawals'] as const
/** While something is on its way, and while nothing is. */
const [soonMs, laterMs] = [3_000, 15_000]
/** Rows of the lists below the forms. */
const recentMax = 10

/** The networks with their coins and terms. */
export function useChains() {
  return useQuery({ queryKey: chainsQuery, queryFn: () => chains.chains(), staleTime: 10_000, refetchInterval: 30_000 })
}

/** The newest deposits; they are asked for more often while one of them is on its way. */
export function useRecentDeposits() {
  const isCustomer = useMe() !== undefined
  return useQuery({
    queryKey: [...depositsQuery, 'recent'],
    queryFn: () => chains.deposits({ limit: recentMax }),
    enabled: isCustomer,
    refetchInterval: ({ state }) => (state.data?.items.some(({ state: now }) => now === 'confirming') ? soonMs : laterMs),
  })
}

/** The newest withdrawals, in the same way. */
export function useRecentWithdrawals() {
  const isCustomer = useMe() !== undefined
  return useQuery({
    queryKey: [...withdrawalsQuery, 'recent'],
    queryFn: () => chains.withdrawals({ limit: recentMax }),
    enabled: isCustomer,
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === 'under-review') ? soonMs : laterMs),
  })
}

export function networkNamed(known: WireChains | undefined, name: string): WireChainNetwork | undefined {
  return known?.networks.find((one) => one.name === name)
}

/** What customers call the network. */
export function networkLabel(known: WireChains | undefined, name: string): string {
  return networkNamed(known, name)?.label ?? name
}
