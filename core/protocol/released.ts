import type { Event } from './event/index.ts'
import type { UserId } from './ids.ts'

/**
 * Users whose events a reader wants. `entries`: their accounts' changes. `orders`: the acceptance and the end of their orders. A reader always
 * gets what happens in between, because trades are public and the rest is rare, and the orders of liquidations, which are public, too.
 */
export type Interest = { readonly entries: (user: UserId) => boolean; readonly orders: (user: UserId) => boolean }

/** Events of one durable batch, in order, for followers such as the gateway's market data or a standby. */
export type Released = {
  readonly firstSeq: number
  readonly lastSeq: number
  readonly events: readonly Event[]
  /** `events` without those that nobody is interested in, which are most of them. */
  eventsFor(interest: Interest): readonly Event[]
}
