import type { ActivityKind, WireActivity } from '@candor/core/protocol/wire/activity.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { CallOptions, Http } from '../http.ts'

/** `from`, `to`: milliseconds, both included. `before`: the `next` of the page before. */
export type ActivityQuery = {
  readonly kind?: ActivityKind
  readonly from?: number
  readonly to?: number
  readonly before?: string
}

/** The account's activity, newest first: each entry with its session or key, network and device. */
export function list(http: Http, query: ActivityQuery, options?: CallOptions): Promise<WirePage<WireActivity>> {
  return http('GET', '/activity', { ...options, query })
}
