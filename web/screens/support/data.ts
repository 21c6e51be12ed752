import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/support.ts'
import { useQuery } from '@tanstack/react-query'
import { http } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'

/** The routes of support, loaded with their screen. */
export const support = bind(column, http)

/** Below `own` and `support`, so that events of the user's stream refresh them. */
export const ticketsQuery = ['own', 'support', 'tickets'] as const
export const threadQuery = (id: string) => ['own', 'support', 'thread', id] as const
export const pictureQuery = (id: string) => ['own', 'support-picture', id] as const

const lookAgainMs = 30_000

/** Whether somebody is at work now. */
export function useDesk() {
  return useQuery({ queryKey: ['support-desk'], queryFn: () => support.desk(), refetchInterval: lookAgainMs, staleTime: 0 })
}

export function useTickets() {
  const isCustomer = useMe() !== undefined
  return useQuery({ queryKey: ticketsQuery, queryFn: () => support.tickets(), enabled: isCustomer, staleTime: 0 })
}
