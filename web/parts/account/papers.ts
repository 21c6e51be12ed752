/** The user's identity check: requests, and its state. */
import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/papers.ts'
import type { WirePapers } from '@candor/core/protocol/wire/papers.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { http, queries } from '../../app/client.ts'
import { refreshMe } from '../../app/me.ts'
import { useMe } from '../../app/session.ts'

export const papers = bind(column, http)
export const papersQuery = ['own', 'papers'] as const

const waitingMs = 60_000

/** The check, read again when the page is shown again, and each minute while somebody decides about it. */
export function usePapers(): UseQueryResult<WirePapers> {
  const me = useMe()
  const own = useQuery({
    queryKey: papersQuery,
    queryFn: () => papers.mine(),
    enabled: me !== undefined,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? waitingMs : false),
  })
  const state = own.data?.state
  const known = me?.certification
  useEffect(() => {
    // A decision opens or closes products, which go by the user's own data.
    if (state !== undefined && known !== undefined && certificationOf(state) !== known) void refreshMe()
    // Only a new state asks, so that an answer that disagrees is not asked for again and again.
  }, [state])
  return own
}

/** Keeps the answer to a change. A reading that is on its way is older. */
export function keepPapers(next: WirePapers): void {
  void queries.cancelQueries({ queryKey: papersQuery })
  queries.setQueryData(papersQuery, next)
}

function certificationOf(state: WirePapers['state']): 'none' | 'in-progress' | 'certified' {
  return state === 'certified' ? 'certified' : state === 'waiting' ? 'in-progress' : 'none'
}
