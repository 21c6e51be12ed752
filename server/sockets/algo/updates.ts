import type { Millis } from '@candor/core/money/brand.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { AlgoUpdate } from '@candor/core/protocol/wire/algo/algo.ts'
import type { Listing } from '../../live/listing.ts'

/** Steps of the TWAP and scaled orders of listening users in one command: one message for each such order. */
export function algoUpdates(
  listing: Listing,
  events: readonly Event[],
  seq: number,
  at: Millis,
  isListening: (user: UserId) => boolean,
): readonly { readonly user: UserId; readonly update: AlgoUpdate }[] {
  const updates = new Map<OrderId, { readonly user: UserId; readonly update: AlgoUpdate }>()
  for (const event of events) {
    if (event.type !== 'algo.part' && event.type !== 'algo.missed' && event.type !== 'algo.ended') continue
    const { algo, user } = event
    if (!isListening(user)) continue
    const symbol = listing.market(event.market).market.symbol
    const { update } = updates.get(algo) ?? { update: { e: 'algo', E: at, seq, id: String(algo), symbol } as const }
    updates.set(algo, { user, update: { ...update, ...stepOf(event) } })
  }
  return [...updates.values()]
}

function stepOf(event: Extract<Event, { type: 'algo.part' | 'algo.missed' | 'algo.ended' }>): Partial<AlgoUpdate> {
  if (event.type === 'algo.ended') return { end: event.reason }
  const next = event.nextAtMs === 0 ? {} : { nextAt: event.nextAtMs }
  return { partsLeft: event.partsLeft, ...next, ...(event.type === 'algo.missed' ? { missed: event.refusal } : {}) }
}
