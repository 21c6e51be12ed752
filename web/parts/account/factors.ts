/** The second factors of the user: requests, and what the account has. */
import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/factors.ts'
import { useQuery } from '@tanstack/react-query'
import { http } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'

export const factors = bind(column, http)
export const factorsQuery = ['own', 'factors'] as const

export function useFactors(isNeeded = true) {
  const isCustomer = useMe() !== undefined
  return useQuery({ queryKey: factorsQuery, queryFn: () => factors.list(), enabled: isCustomer && isNeeded })
}
