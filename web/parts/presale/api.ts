/** Presales: requests, and queries. Keys of the user's own data start with `own`. */
import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/growth/presale.ts'
import type {
  WirePresale,
  WirePresaleDetail,
  WirePresaleSubscription,
  WirePresaleSubscriptions,
} from '@candor/core/protocol/wire/presale.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { http, queries } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'
import { useLang } from '../../app/texts.ts'

export const presale = bind(column, http)

/** Sums of an open presale are this old at most. */
const everyMs = 15_000

export const presaleKey = ['presale'] as const
export const ownPresaleKey = ['own', 'presale'] as const

/** With the user's own subscription; null without one, and for visitors. */
export type WithOwn<Presale> = Presale & { readonly own: WirePresaleSubscription | null }
export type OwnPresale = WithOwn<WirePresale>
export type OwnPresaleDetail = WithOwn<WirePresaleDetail>

/** `data` is there once all of it is; `error` of what is missing. */
export type Loaded<Data> = { readonly data: Data | undefined; readonly error: Error | null }

export function usePresales(): Loaded<readonly OwnPresale[]> {
  const lang = useLang((state) => state.locale)
  const { data, error } = useQuery({
    queryKey: [...presaleKey, 'list', lang],
    queryFn: async () => (await presale.list({ lang })).presales,
    refetchInterval: everyMs,
  })
  const own = useOwn()
  return own.of === undefined ? { data: undefined, error: own.error } : { data: data?.map(own.of), error }
}

/** `number`: NaN asks nothing. */
export function usePresale(number: number): Loaded<OwnPresaleDetail> {
  const lang = useLang((state) => state.locale)
  const { data, error } = useQuery({
    queryKey: [...presaleKey, 'one', number, lang],
    queryFn: () => presale.detail(number, { lang }),
    enabled: Number.isSafeInteger(number),
    refetchInterval: everyMs,
  })
  const own = useOwn()
  return own.of === undefined ? { data: undefined, error: own.error } : { data: data === undefined ? data : own.of(data), error }
}

/** The user's subscriptions. Visitors get no data. */
export function useSubscriptions(): UseQueryResult<WirePresaleSubscriptions['subscriptions']> {
  const me = useMe()
  const lang = useLang((state) => state.locale)
  return useQuery({
    queryKey: [...ownPresaleKey, 'mine', lang],
    queryFn: async () => (await presale.mine({ lang })).subscriptions,
    enabled: me !== undefined,
    refetchInterval: everyMs,
  })
}

/** Reads everything about presales again. */
export function refreshPresales(): Promise<unknown> {
  return Promise.all([presaleKey, ownPresaleKey].map((queryKey) => queries.invalidateQueries({ queryKey })))
}

/** Adds the own subscription to a presale. `of` is undefined until the subscriptions of a user are known. */
function useOwn(): { readonly of: (<P extends WirePresale>(presale: P) => WithOwn<P>) | undefined; readonly error: Error | null } {
  const isVisitor = useMe() === undefined
  const { data, error } = useSubscriptions()
  const known = isVisitor ? [] : data
  if (known === undefined) return { of: undefined, error }
  return { of: (one) => ({ ...one, own: known.find(({ presale: number }) => number === one.number) ?? null }), error }
}
