import { createHash } from 'node:crypto'
import type { IndexTick } from '@candor/core/protocol/command/market.ts'
import type { TapeExtended } from '@candor/core/protocol/event/option.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import { OracleComposition } from './composition.ts'

/** The index tape as documented, with the hash function of Node. */
export class OracleTape {
  readonly #composition = new OracleComposition()
  #tick = 0
  #hash: Buffer = Buffer.alloc(32)

  /** Composes the prices of a tick and extends the tape by it. */
  extend(at: number, said: IndexTick['prices']): TapeExtended {
    const prices = said.map((one) => ({ ...one, ...this.#composition.compose(one.market, at, one) }))
    const slots: number[] = [++this.#tick, at, prices.length + 65_536]
    for (const { market, price, sources, isGood, quotes, shift = 0 } of prices) {
      slots.push(market, price, sources, isGood ? 1 : 0, quotes.length)
      for (const quote of quotes) slots.push((quote.price - price + 2 ** 46) * 32 + quote.venue, quote.correction)
      slots.push(shift)
    }
    const bytes = Buffer.alloc(slots.length * 8)
    slots.forEach((slot, i) => bytes.writeDoubleLE(slot, i * 8))
    this.#hash = createHash('sha256').update(this.#hash).update(bytes).digest()
    return { type: 'tape.extended', tick: this.#tick, at: at as Millis, hash: this.#hash.toString('hex'), format: 2, prices }
  }
}

/** Whether there is one quote per venue and as many quotes as sources, and the price is their median. */
export function areQuotesValid({ price, sources, quotes = [] }: IndexTick['prices'][number]): boolean {
  if (quotes.length === 0) return true
  const venues = quotes.map(({ venue }) => venue)
  if (quotes.length !== sources || venues.some((venue, i) => i > 0 && venue <= (venues[i - 1] as number))) return false
  if (quotes.some((quote) => quote.price <= 0)) return false
  const sorted = quotes.map((quote) => BigInt(quote.price)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const [low, high] = [sorted[(sorted.length - 1) >> 1] as bigint, sorted[sorted.length >> 1] as bigint]
  return BigInt(price) === (low + high) / 2n
}
