import type { IndexPrice } from '@candor/core/money/brand.ts'
import { quotesMax } from '@candor/core/protocol/codec/index-prices.ts'
import type { IndexTick } from '@candor/core/protocol/command/market.ts'
import type { IndexQuote } from '@candor/core/protocol/event/option.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import type { Pair, PriceBoard } from './board.ts'
import type { Log } from './log.ts'
import type { IndexValue, Quote } from './median.ts'
import { venueNumber } from './venue/names.ts'

export type PricedMarket = Pair & { readonly id: MarketId; readonly symbol: string }

/** After this many ticks all prices are repeated, so that every piece of the tape of this length has the prices of all markets. */
const restateEvery = 20

/**
 * Turns the board's prices into one `index.tick` command per call: with the markets whose quote changed, now and then with all
 * markets, or with none when nothing changed; the tape continues in any case. At most one command is in flight.
 */
export class IndexTicker {
  readonly #markets: readonly PricedMarket[]
  readonly #submit: Submit
  readonly #log: Log
  readonly #onTaken: () => void
  readonly #sent = new Map<MarketId, IndexValue>()
  #ticks = 0
  #flight: Promise<void> | undefined
  #isFailing = false
  #isForeign = false

  /** onTaken  called when the exchange has taken a tick */
  constructor(markets: readonly PricedMarket[], submit: Submit, log: Log, onTaken: () => void = () => undefined) {
    this.#markets = markets
    this.#submit = submit
    this.#log = log
    this.#onTaken = onTaken
  }

  /** Another process has sent a tick: the exchange may have other prices than those sent from here, so the next tick repeats all. */
  heardOther(): void {
    this.#isForeign = true
  }

  /** Does nothing while the previous tick is not durable: the next tick has the prices of its own time. */
  tick(board: PriceBoard, nowMs: number): void {
    if (this.#flight !== undefined) return
    const isRestated = this.#isForeign || this.#ticks % restateEvery === 0
    this.#isForeign = false
    const named = new Map<MarketId, IndexValue>()
    for (const market of this.#markets) {
      const before = this.#sent.get(market.id)
      const value = board.index(market.base, market.quote, nowMs) ?? withoutSources(before)
      if (value === undefined) continue
      if (isRestated || !isSame(value, before)) named.set(market.id, value)
    }
    this.#flight = this.#send(named).finally(() => {
      this.#flight = undefined
    })
  }

  /** The last median that the exchange accepted. The price after corrections is the exchange's own. */
  sent(market: MarketId): IndexValue | undefined {
    return this.#sent.get(market)
  }

  /** Resolves when no tick is in flight. */
  async idle(): Promise<void> {
    await this.#flight
  }

  async #send(named: ReadonlyMap<MarketId, IndexValue>): Promise<void> {
    const prices = [...named].map(([market, { price, sources, isGood, quotes }]) => {
      const said = numbered(quotes)
      return { market, price: price as IndexPrice, sources, isGood, ...(said.length === 0 ? {} : { quotes: said }) }
    })
    try {
      const outcome = await this.#submit({ type: 'index.tick', prices } satisfies IndexTick)
      if (outcome.refusal !== undefined) throw new Error(`refused: ${outcome.refusal}`)
      for (const [market, value] of named) this.#sent.set(market, value)
      this.#ticks += 1
      this.#isFailing = false
      this.#onTaken()
    } catch (error) {
      // The exchange refuses ticks: logged once, not four times a second.
      if (!this.#isFailing) this.#log.warn({ err: error }, 'index prices are not taken')
      this.#isFailing = true
    }
  }
}

/** Quotes in the tape's form; none when a venue has no number, or there are more quotes than a tick can have. */
function numbered(quotes: readonly Quote[]): readonly IndexQuote[] {
  const said: IndexQuote[] = []
  for (const { venue, price } of quotes) {
    const number = venueNumber(venue)
    if (number === undefined) return []
    said.push({ venue: number, price: price as IndexPrice })
  }
  return said.length > quotesMax ? [] : said.sort((a, b) => a.venue - b.venue)
}

/** Compares the quotes too, because the exchange computes its price from all of them. */
function isSame(value: IndexValue, before: IndexValue | undefined): boolean {
  if (before === undefined || value.price !== before.price || value.isGood !== before.isGood) return false
  const { quotes } = before
  return (
    value.quotes.length === quotes.length &&
    value.quotes.every(({ venue, price }, i) => venue === quotes[i]?.venue && price === quotes[i]?.price)
  )
}

/** The price stays, but no venue confirms it any more. */
function withoutSources(before: IndexValue | undefined): IndexValue | undefined {
  return before === undefined ? undefined : { price: before.price, sources: 0, isGood: false, quotes: [] }
}
