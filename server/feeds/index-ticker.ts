import type { IndexPrice } from '@candor/core/money/brand.ts'
import type { IndexTick } from '@candor/core/protocol/command/market.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import type { Pair, PriceBoard } from './board.ts'
import type { Log } from './log.ts'
import type { IndexValue } from './median.ts'

export type PricedMarket = Pair & { readonly id: MarketId; readonly symbol: string }

/** Turns what the board says into one `index.tick` command for all markets that changed. Never more than one is under way. */
export class IndexTicker {
  readonly #markets: readonly PricedMarket[]
  readonly #submit: Submit
  readonly #log: Log
  readonly #sent = new Map<MarketId, IndexValue>()
  #flight: Promise<void> | undefined
  #isFailing = false

  constructor(markets: readonly PricedMarket[], submit: Submit, log: Log) {
    this.#markets = markets
    this.#submit = submit
    this.#log = log
  }

  /** Does nothing while the tick before is not durable: the next one carries what is true then. */
  tick(board: PriceBoard, nowMs: number): void {
    if (this.#flight !== undefined) return
    const changed = new Map<MarketId, IndexValue>()
    for (const market of this.#markets) {
      const before = this.#sent.get(market.id)
      const value = board.index(market.base, market.quote, nowMs) ?? withoutSources(before)
      if (value === undefined) continue
      if (value.price !== before?.price || value.sources !== before.sources || value.isGood !== before.isGood) changed.set(market.id, value)
    }
    if (changed.size === 0) return
    this.#flight = this.#send(changed).finally(() => {
      this.#flight = undefined
    })
  }

  /** The last index that the exchange took. */
  sent(market: MarketId): IndexValue | undefined {
    return this.#sent.get(market)
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#flight
  }

  async #send(changed: ReadonlyMap<MarketId, IndexValue>): Promise<void> {
    const prices = [...changed].map(([market, value]) => ({ market, ...value, price: value.price as IndexPrice }))
    try {
      const outcome = await this.#submit({ type: 'index.tick', prices } satisfies IndexTick)
      if (outcome.refusal !== undefined) throw new Error(`refused: ${outcome.refusal}`)
      for (const [market, value] of changed) this.#sent.set(market, value)
      this.#isFailing = false
    } catch (error) {
      // The exchange is not accepting. Four times a second would say it too often.
      if (!this.#isFailing) this.#log.warn({ err: error }, 'index prices are not taken')
      this.#isFailing = true
    }
  }
}

/** The price stands, but nobody vouches for it any more. */
function withoutSources(before: IndexValue | undefined): IndexValue | undefined {
  return before === undefined ? undefined : { price: before.price, sources: 0, isGood: false }
}
