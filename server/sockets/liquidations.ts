import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { MarketId, OrderId } from '@candor/core/protocol/ids.ts'
import type { ForcedOrder } from '../live/futures-texts.ts'
import type { MarketData } from '../live/data.ts'
import { averageText } from '../live/texts.ts'

/** Liquidation orders for followers: per Futures market, the largest of each second. */
export class Liquidations {
  readonly #data: MarketData
  readonly #largest = new Map<MarketId, ForcedOrder>()

  constructor(data: MarketData) {
    this.#data = data
  }

  /** `isWanted`: whether anybody follows the liquidations of a market. */
  add(events: readonly Event[], { at }: OutcomeEvent, isWanted: (market: MarketId) => boolean): void {
    for (const event of events) {
      if (event.type !== 'perp.liquidated' || event.order === 0 || !isWanted(event.market)) continue
      const order = this.#orderOf(events, event.order, event.market, at)
      const known = this.#largest.get(event.market)
      if (order && (known === undefined || known.lots < order.lots)) this.#largest.set(event.market, order)
    }
  }

  #orderOf(events: readonly Event[], number: OrderId, market: MarketId, at: number): ForcedOrder | undefined {
    const order = events.find((event) => event.type === 'order.accepted' && event.order === number)
    if (order?.type !== 'order.accepted') return undefined
    let [closedLots, paid] = [0, 0n]
    for (const event of events) {
      if (event.type !== 'traded' || event.takerOrder !== number) continue
      closedLots += event.lots
      paid += BigInt(event.quote)
    }
    const average = closedLots === 0 ? '0' : averageText(this.#data.listing.market(market), paid, BigInt(closedLots))
    return { side: order.side, price: order.price, lots: order.lots, closedLots: closedLots as typeof order.lots, average, at }
  }

  /** The orders since the last call. */
  take(): ReadonlyMap<MarketId, ForcedOrder> {
    const taken = new Map(this.#largest)
    this.#largest.clear()
    return taken
  }
}
