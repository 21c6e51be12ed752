import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/webhooks.ts'
import { useQuery } from '@tanstack/react-query'
import { http } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'

export const webhooks = bind(column, http)
/** Interval of polling: the app's stream has no events of deliveries. */
export const lookAgainMs = 3_000
export const webhooksQuery = ['own', 'webhooks'] as const
export const deliveriesQuery = (id: string) => ['own', 'deliveries', id] as const

export function useWebhooks() {
  const isCustomer = useMe() !== undefined
  return useQuery({ queryKey: webhooksQuery, queryFn: () => webhooks.list(), enabled: isCustomer, refetchInterval: lookAgainMs })
}
