import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/keys.ts'
import { useQuery } from '@tanstack/react-query'
import { http } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'

export const keys = bind(column, http)
export const keysQuery = ['own', 'keys'] as const

export function useKeys() {
  const isCustomer = useMe() !== undefined
  return useQuery({ queryKey: keysQuery, queryFn: () => keys.list(), enabled: isCustomer })
}

export const signalQuery = (id: string) => ['own', 'signal', id] as const
