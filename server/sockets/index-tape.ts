import type { TapeExtended } from '@candor/core/protocol/event/option.ts'
import type { IndexUpdate } from '@candor/core/protocol/wire/stream.ts'
import type { MarketData } from '../live/data.ts'
import { indexText } from '../live/options.ts'

type Standing = { readonly price: number; readonly isGood: boolean }

/** Ticks of the tape for followers of a market's index: one message per tick, whether or not the price changed. */
export class IndexTape {
  readonly #data: MarketData
  readonly #ticks: TapeExtended[] = []
  /** Each market's price after the last tick taken. */
  readonly #standing = new Map<number, Standing>()

  constructor(data: MarketData) {
    this.#data = data
  }

  add(tick: TapeExtended): void {
    this.#ticks.push(tick)
  }

  /** Publishes the ticks since the last call and forgets them. */
  take(wanted: readonly { readonly id: number; readonly name: string }[], publish: (name: string, text: string) => void): void {
    for (const { tick, at, prices } of this.#ticks.splice(0)) {
      for (const { market, price, isGood } of prices) this.#standing.set(market, { price, isGood })
      for (const { id, name } of wanted) {
        // Until a tick names the market, the price in `MarketData` applies.
        const now = this.#standing.get(id) ?? this.#data.market(id)?.index
        const listed = this.#data.listing.marketIfAny(id)
        if (now === undefined || listed === undefined) continue
        const update: IndexUpdate = { e: 'index', E: at, s: listed.market.symbol, tick, p: indexText(now.price), isGood: now.isGood }
        publish(name, JSON.stringify(update))
      }
    }
  }
}
