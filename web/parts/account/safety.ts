/** Addresses and payment password of the user: requests, and what the account has. */
import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/safety.ts'
import { useQuery } from '@tanstack/react-query'
import { http, queries } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'
import { factorsQuery } from './factors.ts'

export const safety = bind(column, http)
export const safetyQuery = ['own', 'safety'] as const

export function useSafety() {
  const isCustomer = useMe() !== undefined
  return useQuery({ queryKey: safetyQuery, queryFn: () => safety.mine(), enabled: isCustomer })
}

/** Reads again what protects the account, and until when withdrawals are closed. */
export async function refreshProtection(): Promise<void> {
  await Promise.all([factorsQuery, safetyQuery].map((queryKey) => queries.invalidateQueries({ queryKey })))
}
