/** Queries of Second: terms, the user's limits, open orders. Keys of the user's own data start with `own`, `orders`: the user stream refreshes them. */
import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/option.ts'
import type { WireOption, WireOptionMe, WireOptionTerms } from '@candor/core/protocol/wire/option.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { http, queries } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'
import { exchangeNow } from '../live/clock.ts'

export const option = bind(column, http)

const openKey = ['own', 'orders', 'option', 'open'] as const
const meKey = ['own', 'orders', 'option', 'me'] as const

export function useOptionTerms(): UseQueryResult<WireOptionTerms> {
  return useQuery({ queryKey: ['option', 'terms'], queryFn: () => option.terms(), staleTime: 10_000, refetchInterval: 15_000 })
}

/** The user's state in Second. Visitors get no data. */
export function useOptionMe(): UseQueryResult<WireOptionMe> {
  const me = useMe()
  return useQuery({ queryKey: meKey, queryFn: () => option.me(), enabled: me !== undefined, staleTime: 5_000 })
}

export function putOptionMe(me: WireOptionMe): void {
  queries.setQueryData(meKey, me)
}

/** Unsettled orders, soonest expiry first. While one is overdue they are read again each second, in case its settlement was missed. */
export function useOpenOptions(): UseQueryResult<readonly WireOption[]> {
  const me = useMe()
  return useQuery({
    queryKey: openKey,
    queryFn: async () => [...(await option.openOrders())].sort((a, b) => a.expiresAt - b.expiresAt || Number(a.id) - Number(b.id)),
    enabled: me !== undefined,
    staleTime: 5_000,
    refetchInterval: (query) => ((query.state.data ?? []).some(isOverdue) ? 1_000 : false),
  })
}

/** One order of the customer, with its state now. */
export function oneOptionQuery(id: string) {
  return { queryKey: ['own', 'orders', 'option', 'one', id], queryFn: () => option.order(id) } as const
}

/** The desk with a ticket that is filled in like an earlier order. It sends nothing. */
export function againPath({ symbol, id }: Pick<WireOption, 'symbol' | 'id'>): string {
  return `/Second?symbol=${symbol}&again=${id}`
}

/** Adds an accepted order before the list is read again. */
export function putOpened(order: WireOption): void {
  queries.setQueryData<readonly WireOption[]>(openKey, (before = []) =>
    before.some((one) => one.id === order.id) ? before : [...before, order].sort((a, b) => a.expiresAt - b.expiresAt),
  )
}

function isOverdue(order: WireOption): boolean {
  const now = exchangeNow()
  return now > order.expiresAt || (order.status === 'placed' && now > order.strikeFrom + 500)
}
