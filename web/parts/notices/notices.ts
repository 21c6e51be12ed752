/** The customer's notices. No event tells of a new one, so the count is asked for when the app is looked at, and once a minute. */
import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/notices.ts'
import { useQuery } from '@tanstack/react-query'
import { http } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'

export const notices = bind(column, http)
export const unreadQuery = ['own', 'notices', 'unread'] as const
export const noticesQuery = ['own', 'notices', 'list'] as const

const lookAgainMs = 60_000

/** How many notices are unread; 0 for a visitor and until it is known. */
export function useUnread(): number {
  const isCustomer = useMe() !== undefined
  const { data } = useQuery({
    queryKey: unreadQuery,
    queryFn: () => notices.unread(),
    enabled: isCustomer,
    refetchInterval: lookAgainMs,
    refetchOnMount: 'always',
  })
  return isCustomer ? (data?.unread ?? 0) : 0
}
