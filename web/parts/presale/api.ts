/** Presales: requests, and queries. The answers name the user's own parts, so their keys start with `own`. */
import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/presale.ts'
import type { WirePresale, WirePresaleDetail, WirePresaleSubscriptions } from '@candor/core/protocol/wire/presale.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { http } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'
import { useLang } from '../../app/texts.ts'

export const presale = bind(column, http)

/** Sums of an open presale are this old at most. */
const everyMs = 15_000

export const presaleKey = ['own', 'presale'] as const

export function usePresales(): UseQueryResult<readonly WirePresale[]> {
  const lang = useLang((state) => state.lang)
  return useQuery({
    queryKey: [...presaleKey, 'list', lang],
    queryFn: async () => (await presale.list({ lang })).presales,
    refetchInterval: everyMs,
  })
}

/** `number`: NaN asks nothing. */
export function usePresale(number: number): UseQueryResult<WirePresaleDetail> {
  const lang = useLang((state) => state.lang)
  return useQuery({
    queryKey: [...presaleKey, 'one', number, lang],
    queryFn: () => presale.detail(number, { lang }),
    enabled: Number.isSafeInteger(number),
    refetchInterval: everyMs,
  })
}

/** The user's subscriptions. Visitors get no data. */
export function useSubscriptions(): UseQueryResult<WirePresaleSubscriptions['subscriptions']> {
  const me = useMe()
  const lang = useLang((state) => state.lang)
  return useQuery({
    queryKey: [...presaleKey, 'mine', lang],
    queryFn: async () => (await presale.mine({ lang })).subscriptions,
    enabled: me !== undefined,
    refetchInterval: everyMs,
  })
}
