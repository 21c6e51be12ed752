import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/algo.ts'
import type { WireAlgo } from '@candor/core/protocol/wire/algo/algo.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { http } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'

/** The routes of TWAP and scaled orders, loaded with the parts that need them. */
export const algos = bind(column, http)

/** The user's running TWAP and scaled orders. Their steps on the user stream refresh them. Visitors get no data. */
export function useAlgos(): UseQueryResult<readonly WireAlgo[]> {
  const me = useMe()
  return useQuery({ queryKey: ['own', 'algo', 'running'], queryFn: () => algos.running(), enabled: me !== undefined, staleTime: 5_000 })
}
