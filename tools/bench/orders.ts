/** The orders that every caller of the durable benchmark sends, over HTTP, sockets or the link. */

/** mark  part of every client id; differs between runs and callers */
export type Entry = { readonly price: number; readonly mark: string }

/** `unavailable`: answers of 503, of callers that are held back; others end at the first one. */
export type Tally = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number; readonly unavailable?: number }

const openMax = 50

/** Orders around the price on both sides, about half of which trade sooner or later, and cancels of the oldest ones. */
export class Orders {
  readonly #entry: Entry
  readonly #open: string[] = []
  #count = 0

  constructor(entry: Entry) {
    this.#entry = entry
  }

  /** The oldest open order, once there are enough. */
  toCancel(): string | undefined {
    return this.#open.length < openMax ? undefined : this.#open.shift()
  }

  next(): { readonly side: 'buy' | 'sell'; readonly price: string; readonly clientId: string } {
    const { price, mark } = this.#entry
    const away = ((this.#count * 7919) % 100) / 100_000
    const side = this.#count++ % 2 === 0 ? 'buy' : 'sell'
    const limit = price * (side === 'buy' ? 1 - away + 0.0002 : 1 + away - 0.0002)
    return { side, price: limit.toFixed(1), clientId: `${mark}-${this.#count}` }
  }

  opened(order: string): void {
    this.#open.push(order)
  }
}

export function tallyOf(delays: readonly (readonly number[])[], seconds: number): Tally {
  const all = delays.flat().sort((a, b) => a - b)
  const at = (share: number) => all[Math.floor(all.length * share)] ?? 0
  return { perSecond: all.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}
