import type { Event } from './event/index.ts'
import type { UserId } from './ids.ts'

/**
 * Whose events a reader wants. `entries`: changes of a user's accounts. `orders`: the begin and the end of a user's orders; what happens to
 * them in between comes always, because trades are public and the rest is rare.
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
