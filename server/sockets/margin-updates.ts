import type { Millis } from '@candor/core/money/brand.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { MarginState } from '@candor/core/protocol/event/margin.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import type { Listing } from '../live/listing.ts'

type Change = { readonly user: UserId; readonly market: MarketId; readonly states: MarginState[] }

/**
 * The margin accounts of listening users that one command changed: one message per account, plus one per threshold that the level
 * crossed, because a liquidation can begin and end in one command.
 */
export function marginUpdates(
  listing: Listing,
  events: readonly Event[],
  seq: number,
  at: Millis,
  isListening: (user: UserId) => boolean,
): readonly { readonly user: UserId; readonly update: UserUpdate }[] {
  const changes = new Map<string, Change>()
  for (const event of events) {
    if (event.type !== 'margin.loan' && event.type !== 'margin.level' && event.type !== 'margin.liquidated') continue
    const { user, market } = event
    if (!isListening(user)) continue
    const key = `${user} ${market}`
    const change = changes.get(key) ?? { user, market, states: [] }
    if (event.type === 'margin.level') change.states.push(event.state)
    changes.set(key, change)
  }
  return [...changes.values()].flatMap(({ user, market, states }) => {
    const symbol = market === (0 as MarketId) ? {} : { symbol: listing.market(market).market.symbol }
    const update = { e: 'margin', E: at, seq, ...symbol } as const
    return states.length === 0 ? [{ user, update }] : states.map((state) => ({ user, update: { ...update, state } }))
  })
}
