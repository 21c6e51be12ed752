/** Access without the second factors: requests, and the one of this browser. */
import { bind } from '@candor/client/bind.ts'
import { ApiError } from '@candor/client/errors.ts'
import * as column from '@candor/client/column/regain.ts'
import type { WireRegain } from '@candor/core/protocol/wire/regain.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { http, queries } from '../../app/client.ts'

export const regain = bind(column, http)
export const regainQuery = ['regain'] as const

const waitingMs = 15_000

/** The request of this browser, read again while something happens elsewhere; null without one. */
export function useRegain(isNeeded: boolean): UseQueryResult<WireRegain | null> {
  return useQuery({
    queryKey: regainQuery,
    queryFn: () =>
      regain.mine().catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'REGAIN_OVER') return null
        throw error
      }),
    enabled: isNeeded,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (['sent', 'waiting', 'ready'].includes(state.data?.state ?? '') ? waitingMs : false),
  })
}

/** Keeps the answer to a change. A reading that is on its way is older. */
export function keepRegain(next: WireRegain | null): void {
  void queries.cancelQueries({ queryKey: regainQuery })
  queries.setQueryData(regainQuery, next)
}
