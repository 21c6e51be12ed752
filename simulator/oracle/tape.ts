import { createHash } from 'node:crypto'
import type { IndexTick } from '@candor/core/protocol/command/market.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'

/** The index tape as its page describes it, with the platform's own hash. */
export class OracleTape {
  #tick = 0
  #hash: Buffer = Buffer.alloc(32)

  extend(at: number, prices: IndexTick['prices']): Event {
    const slots: number[] = [++this.#tick, at, prices.length]
    for (const { market, price, sources, isGood, quotes = [] } of prices) {
      slots.push(market, price, sources, isGood ? 1 : 0, quotes.length)
      for (const quote of quotes) slots.push((quote.price - price + 2 ** 46) * 32 + quote.venue)
    }
    const bytes = Buffer.alloc(slots.length * 8)
    slots.forEach((slot, i) => bytes.writeDoubleLE(slot, i * 8))
    this.#hash = createHash('sha256').update(this.#hash).update(bytes).digest()
    const told = prices.map((price) => ({ ...price, quotes: price.quotes ?? [] }))
    return { type: 'tape.extended', tick: this.#tick, at, hash: this.#hash.toString('hex'), prices: told } as never
  }
}

/** Whether the quotes are one of each venue, as many as the sources, and the price their median. */
export function areQuotesRight({ price, sources, quotes = [] }: IndexTick['prices'][number]): boolean {
  if (quotes.length === 0) return true
  const venues = quotes.map(({ venue }) => venue)
  if (quotes.length !== sources || venues.some((venue, i) => i > 0 && venue <= (venues[i - 1] as number))) return false
  if (quotes.some((quote) => quote.price <= 0)) return false
  const sorted = quotes.map((quote) => BigInt(quote.price)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const [low, high] = [sorted[(sorted.length - 1) >> 1] as bigint, sorted[sorted.length >> 1] as bigint]
  return BigInt(price) === (low + high) / 2n
}
