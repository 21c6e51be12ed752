/** Addresses and payment password of the user: requests, and what the account has. */
import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/safety.ts'
import { useQuery } from '@tanstack/react-query'
import { http } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'

export const safety = bind(column, http)
export const safetyQuery = ['own', 'safety'] as const

export function useSafety() {
  const isCustomer = useMe() !== undefined
  return useQuery({ queryKey: safetyQuery, queryFn: () => safety.mine(), enabled: isCustomer })
}
