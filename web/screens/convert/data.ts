/** Queries of conversions. Keys of the user's own data start with `own`. */
import { ApiError } from '@candor/client/errors.ts'
import type { WireConversion, WireConvertStanding, WireConvertTerms } from '@candor/core/protocol/wire/convert.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMe } from '../../app/session.ts'
import { convert } from './api.ts'

/** Index prices of the estimate are this old at most. */
const pricesEveryMs = 3_000
const followEveryMs = 400

export const termsKey = ['convert', 'terms'] as const
export const conversionsKey = ['own', 'convert', 'list'] as const
export const conversionKey = (id: string | undefined) => ['own', 'convert', 'one', id] as const

export function useConvertTerms(): UseQueryResult<WireConvertTerms> {
  return useQuery({ queryKey: termsKey, queryFn: () => convert.terms(), staleTime: pricesEveryMs / 2, refetchInterval: pricesEveryMs })
}

/** The limit of the day. Visitors get no data. */
export function useStanding(): UseQueryResult<WireConvertStanding> {
  const me = useMe()
  return useQuery({ queryKey: ['own', 'convert', 'standing'], queryFn: () => convert.standing(), enabled: me !== undefined })
}

/** Reads a conversion until it has ended; also while nothing is known of it, because its acceptance may still be on its way. */
export function useConversion(id: string | undefined, isOn: boolean): UseQueryResult<WireConversion> {
  return useQuery({
    queryKey: conversionKey(id),
    queryFn: () => convert.conversion(id ?? ''),
    enabled: isOn && id !== undefined,
    retry: false,
    staleTime: followEveryMs,
    refetchInterval: ({ state: { data } }) => (data === undefined || data.state === 'accepted' ? followEveryMs : false),
  })
}

/** Whether the exchange answered that it knows no such conversion. */
export function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'QUOTE_UNKNOWN'
}
