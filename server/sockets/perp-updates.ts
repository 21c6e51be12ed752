import type { Millis } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { FundingPaid, PositionClosed } from '@candor/core/protocol/event/perp.ts'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { WireFunding } from '@candor/core/protocol/wire/perp.ts'
import type { UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import { wireClosed, wirePosition } from '../live/contracts.ts'
import type { MarketData } from '../live/data.ts'
import { amountText, type Listing, priceText, quantityText } from '../live/listing.ts'

type Update = { readonly user: UserId; readonly update: UserUpdate }

/** Rates are in 1e-9; people read percent. */
const percentDigits = 7

/** The changes of listening users' positions by one command. */
export function perpUpdates(
  { listing, contracts }: MarketData,
  events: readonly Event[],
  seq: number,
  at: Millis,
  isListening: (user: UserId) => boolean,
): readonly Update[] {
  const updates: Update[] = []
  const told = new Set<OrderId>()
  // The tables number these lines in the same way.
  let line = 0
  for (const event of events) {
    if (event.type === 'perp.fundingPaid' || event.type === 'perp.liquidated' || event.type === 'perp.deleveraged') line++
    if (!('user' in event) || !event.type.startsWith('perp.') || !isListening(event.user)) continue
    const { user } = event
    switch (event.type) {
      case 'perp.position': {
        const ended = event.lots === 0 ? endOf(events, event.position) : undefined
        const position = wirePosition(listing, event, contracts.rank(event.position), ended)
        updates.push({ user, update: { e: 'position', E: at, seq, position } })
        break
      }
      case 'perp.closed':
        updates.push({ user, update: { e: 'positionClosed', E: at, seq, closed: wireClosed(listing, event) } })
        break
      case 'perp.liquidated': {
        if (told.has(event.position)) break
        told.add(event.position)
        const { symbol } = listing.market(event.market).market
        updates.push({ user, update: { e: 'liquidation', E: at, seq, positionId: String(event.position), symbol } })
        break
      }
      case 'perp.deleveraged': {
        const market = listing.market(event.market)
        const [price, quantity] = [priceText(market, event.price), quantityText(market, event.lots)]
        const position = { positionId: String(event.position), symbol: market.market.symbol }
        updates.push({ user, update: { e: 'deleveraged', E: at, seq, ...position, price, quantity } })
        break
      }
      case 'perp.level': {
        const place = event.market === 0 ? {} : { symbol: listing.market(event.market).market.symbol, positionId: String(event.position) }
        updates.push({ user, update: { e: 'level', E: at, seq, ...place, state: event.state } })
        break
      }
      case 'perp.fundingPaid':
        updates.push({ user, update: { e: 'funding', E: at, seq, funding: wireFunding(listing, event, `${seq}-${line}`, at) } })
        break
      default:
    }
  }
  return updates
}

function endOf(events: readonly Event[], position: OrderId): PositionClosed | undefined {
  for (const event of events) if (event.type === 'perp.closed' && event.position === position) return event
  return undefined
}

function wireFunding(listing: Listing, paid: FundingPaid, id: string, at: Millis): WireFunding {
  const market = listing.market(paid.market)
  const [rate, quantity] = [formatUnits(paid.rate, percentDigits), quantityText(market, paid.lots)]
  return { id, symbol: market.market.symbol, rate, quantity, amount: amountText(market.quote, paid.amount), time: at }
}
