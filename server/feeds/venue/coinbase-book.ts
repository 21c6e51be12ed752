import { middle, parsePrice } from '../price.ts'
import { list } from './venue.ts'

/** Best bid and ask of a `level2` book: all levels by price, with the best of each side cached. */
export class CoinbaseBook {
  readonly #bids = new Set<number>()
  readonly #asks = new Set<number>()
  #bid = 0
  #ask = Number.MAX_SAFE_INTEGER

  constructor(bids: readonly unknown[], asks: readonly unknown[]) {
    for (const level of bids) this.#set('buy', list(level))
    for (const level of asks) this.#set('sell', list(level))
  }

  /** [["buy", "14.80", "12.77"], …]; size 0 removes the level. */
  change(changes: readonly unknown[]): void {
    for (const change of changes) {
      const [side, ...level] = list(change)
      if (side === 'buy' || side === 'sell') this.#set(side, level)
    }
  }

  /** Undefined while a side is empty or the sides cross. */
  get price(): number | undefined {
    return this.#bid > 0 && this.#ask < Number.MAX_SAFE_INTEGER && this.#bid <= this.#ask ? middle(this.#bid, this.#ask) : undefined
  }

  #set(side: 'buy' | 'sell', [priceText, sizeText]: readonly unknown[]): void {
    const price = parsePrice(priceText)
    if (price === undefined || typeof sizeText !== 'string') return
    const isGone = !(Number(sizeText) > 0)
    if (side === 'buy') {
      if (isGone) this.#bids.delete(price)
      else this.#bids.add(price)
      if (isGone && price === this.#bid) this.#bid = this.#bids.size === 0 ? 0 : [...this.#bids].reduce((a, b) => Math.max(a, b))
      else if (!isGone && price > this.#bid) this.#bid = price
    } else {
      if (isGone) this.#asks.delete(price)
      else this.#asks.add(price)
      if (isGone && price === this.#ask) this.#ask = [...this.#asks].reduce((a, b) => Math.min(a, b), Number.MAX_SAFE_INTEGER)
      else if (!isGone && price < this.#ask) this.#ask = price
    }
  }
}
