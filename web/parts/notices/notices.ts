/** The customer's notices. No event tells of a new one, so the shell looks for them in `shell/arrivals.ts` and puts their count here. */
import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/notices.ts'
import { useQuery } from '@tanstack/react-query'
import { http } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'

export const notices = bind(column, http)
export const unreadQuery = ['own', 'notices', 'unread'] as const
export const noticesQuery = ['own', 'notices', 'list'] as const

/** How many notices are unread; 0 for a visitor and until it is known. */
export function useUnread(): number {
  const isCustomer = useMe() !== undefined
  const { data } = useQuery({
    queryKey: unreadQuery,
    queryFn: () => notices.unread(),
    enabled: isCustomer,
    refetchOnMount: 'always',
  })
  return isCustomer ? (data?.unread ?? 0) : 0
}
