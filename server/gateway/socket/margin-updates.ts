import type { Millis } from '@candor/core/money/brand.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { MarginState } from '@candor/core/protocol/event/margin.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import type { Listing } from '../market/listing.ts'

type Change = { readonly user: UserId; readonly market: MarketId; state: MarginState | undefined }

/** Which lever accounts of those who listen one command changed: told once each, with the state that it left when that is another. */
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
    const change = changes.get(key) ?? { user, market, state: undefined }
    if (event.type === 'margin.level') change.state = event.state
    changes.set(key, change)
  }
  return [...changes.values()].map(({ user, market, state }) => {
    const symbol = market === (0 as MarketId) ? {} : { symbol: listing.market(market).market.symbol }
    return { user, update: { e: 'margin', E: at, seq, ...symbol, ...(state === undefined ? {} : { state }) } }
  })
}
