import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/addresses.ts'
import { useQuery } from '@tanstack/react-query'
import { http } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'

export const addresses = bind(column, http)
export const addressesQuery = ['own', 'withdrawal-addresses'] as const

/**
 * The user's withdrawal addresses, the networks, and whether the list is locked. Read anew by each screen: another member of a firm may have
 * approved one a moment ago.
 */
export function useAddresses() {
  const isCustomer = useMe() !== undefined
  return useQuery({ queryKey: addressesQuery, queryFn: () => addresses.list(), enabled: isCustomer, staleTime: 0 })
}
