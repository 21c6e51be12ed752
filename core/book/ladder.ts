/**
 * The price levels of one market: for every price the first and last order and the visible lots. Prices are cut into pages of
 * 1,024 ticks that exist only where there are orders. A page has, per side, 32 words of 32 bits that mark the prices with orders,
 * and a summary word that marks which of these words are not empty. Any price range fits, and the next best price is a few bit
 * operations away.
 *
 * A level is named by its position in the pages. It never moves while it has an order.
 */
import type { SideNumber } from './codes.ts'
import type { Brand, Lots, Ticks } from '../money/brand.ts'

/** Names a level of a ladder: its place in the pages. Below zero: none. */
export type LadderLevel = Brand<number, 'LadderLevel'>

const pageBits = 10
const pageSize = 1 << pageBits
const offsetMask = pageSize - 1
/** Sixteen consecutive pages are found without a search. */
const nearMask = 15

// Slots of a level's record: one in `lots`, and a second that is used as two words of `ends`.
export const LOTS = 2
export const ENDS = 4
export const HEAD = 2
export const TAIL = 3
/** Mask of all bits of a level, like `SLOT` for orders. */
const levelMask = 2 ** 28 - 1
export const LEVELS = levelMask

export class Ladder {
  /** Lots shown per level, one every `LOTS` slots. */
  lots = new Float64Array(pageSize * 4 * LOTS)
  /** First and last order per level as slot + 1 (0: none), at `ENDS` words each, in the same memory as `lots`. */
  ends = new Int32Array(this.lots.buffer)
  /** Best price with an order; 0: none. */
  bestBid = 0 as Ticks
  bestAsk = 0 as Ticks
  // Per side (0 bids, 1 asks): the bits of page p are 32 words from p × 64 + side × 32; their summary p × 2 + side.
  #bits = new Int32Array(64 * 4)
  #summaries = new Int32Array(2 * 4)
  // Pages in use, in ascending order: their numbers and positions.
  #numbers = new Int32Array(16)
  #pages = new Int32Array(16)
  #used = 0
  #made = 0
  readonly #free: number[] = []
  /** Numbers and positions of recently used pages, indexed by the low bits of their numbers. */
  readonly #nearNumbers = new Int32Array(nearMask + 1).fill(-1)
  readonly #nearPages = new Int32Array(nearMask + 1)

  /** The level of a price; makes its page if needed. */
  level(price: Ticks): LadderLevel {
    const number = price >>> pageBits
    const near = number & nearMask
    if (this.#nearNumbers[near] !== number) this.#seek(number)
    return (((this.#nearPages[near]! << pageBits) | (price & offsetMask)) & levelMask) as LadderLevel
  }

  /** The level of a price whose page was recently used, otherwise −1. */
  near(price: Ticks): number {
    const number = price >>> pageBits
    if (this.#nearNumbers[number & nearMask] !== number) return -1
    return ((this.#nearPages[number & nearMask]! << pageBits) | (price & offsetMask)) & levelMask
  }

  /** Visible lots at a price, 0 when there is no level. */
  lotsAt(price: Ticks): Lots {
    const at = this.#position(price >>> pageBits)
    if (at >= this.#used || this.#numbers[at] !== price >>> pageBits) return 0 as Lots
    return this.lots[((this.#pages[at]! << pageBits) | (price & offsetMask)) * LOTS] as Lots
  }

  /** Opens a level. Call it when the level gets its first order. */
  open(side: SideNumber, price: Ticks, level: LadderLevel): void {
    const page = level >>> pageBits
    const word = (level & offsetMask) >>> 5
    const at = page * 64 + side * 32 + word
    this.#bits[at] = this.#bits[at]! | (1 << (level & 31))
    this.#summaries[page * 2 + side] = this.#summaries[page * 2 + side]! | (1 << word)
    if (side === 0) {
      if (price > this.bestBid) this.bestBid = price
    } else if (price < this.bestAsk || this.bestAsk === 0) this.bestAsk = price
  }

  /** Closes a level. Call it when the level loses its last order. */
  close(side: SideNumber, price: Ticks, level: LadderLevel): void {
    const page = level >>> pageBits
    const word = (level & offsetMask) >>> 5
    const at = page * 64 + side * 32 + word
    const bits = this.#bits[at]! & ~(1 << (level & 31))
    this.#bits[at] = bits
    if (side === 0) {
      if (bits === 0) this.#summaries[page * 2] = this.#summaries[page * 2]! & ~(1 << word)
      if (price === this.bestBid) this.bestBid = this.nextBid(price)
    } else {
      if (bits === 0) this.#summaries[page * 2 + 1] = this.#summaries[page * 2 + 1]! & ~(1 << word)
      if (price === this.bestAsk) this.bestAsk = this.nextAsk(price)
    }
    if (bits === 0 && this.#summaries[page * 2] === 0 && this.#summaries[page * 2 + 1] === 0) this.#drop(price >>> pageBits, page)
  }

  /** Best bid below a price, 0 when there is none. */
  nextBid(price: Ticks): Ticks {
    let at = this.#position(price >>> pageBits)
    if (at < this.#used && this.#numbers[at] === price >>> pageBits) {
      const page = this.#pages[at]!
      const offset = price & offsetMask
      const below = this.#bits[page * 64 + (offset >>> 5)]! & ((1 << (offset & 31)) - 1)
      if (below !== 0) return ((price & ~31) | (31 - Math.clz32(below))) as Ticks
      const words = this.#summaries[page * 2]! & ((1 << (offset >>> 5)) - 1)
      if (words !== 0) return this.#highest(at, words)
    }
    while (--at >= 0) {
      const words = this.#summaries[this.#pages[at]! * 2]!
      if (words !== 0) return this.#highest(at, words)
    }
    return 0 as Ticks
  }

  /** Best ask above a price, 0 when there is none. */
  nextAsk(price: Ticks): Ticks {
    let at = this.#position(price >>> pageBits)
    if (at < this.#used && this.#numbers[at] === price >>> pageBits) {
      const page = this.#pages[at]!
      const offset = price & offsetMask
      // Shifting by 32 is shifting by 0, hence the two steps.
      const above = this.#bits[page * 64 + 32 + (offset >>> 5)]! & ((-1 << (offset & 31)) << 1)
      if (above !== 0) return ((price & ~31) | lowestBit(above)) as Ticks
      const words = this.#summaries[page * 2 + 1]! & ((-1 << (offset >>> 5)) << 1)
      if (words !== 0) return this.#lowest(at, words)
      at++
    }
    for (; at < this.#used; at++) {
      const words = this.#summaries[this.#pages[at]! * 2 + 1]!
      if (words !== 0) return this.#lowest(at, words)
    }
    return 0 as Ticks
  }

  #highest(at: number, words: number): Ticks {
    const word = 31 - Math.clz32(words)
    const bits = this.#bits[this.#pages[at]! * 64 + word]!
    return ((this.#numbers[at]! << pageBits) | (word << 5) | (31 - Math.clz32(bits))) as Ticks
  }

  #lowest(at: number, words: number): Ticks {
    const word = lowestBit(words)
    const bits = this.#bits[this.#pages[at]! * 64 + 32 + word]!
    return ((this.#numbers[at]! << pageBits) | (word << 5) | lowestBit(bits)) as Ticks
  }

  /** Index of a page number among those in use, or where it would be inserted. */
  #position(number: number): number {
    let low = 0
    let high = this.#used
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#numbers[middle]! < number) low = middle + 1
      else high = middle
    }
    return low
  }

  #seek(number: number): void {
    const at = this.#position(number)
    if (at >= this.#used || this.#numbers[at] !== number) this.#make(number, at)
    this.#nearNumbers[number & nearMask] = number
    this.#nearPages[number & nearMask] = this.#pages[at]!
  }

  #make(number: number, at: number): void {
    if (this.#used === this.#numbers.length) {
      this.#numbers = grown(this.#numbers)
      this.#pages = grown(this.#pages)
    }
    this.#numbers.copyWithin(at + 1, at, this.#used)
    this.#pages.copyWithin(at + 1, at, this.#used)
    this.#used++
    const page = this.#free.pop() ?? this.#made++
    if (this.#made * pageSize > levelMask) throw new Error('there are more prices than levels')
    if (this.#made * pageSize * LOTS > this.lots.length) {
      const lots = new Float64Array(this.lots.length * 2)
      lots.set(this.lots)
      this.lots = lots
      this.ends = new Int32Array(lots.buffer)
      this.#bits = grown(this.#bits)
      this.#summaries = grown(this.#summaries)
    }
    this.#numbers[at] = number
    this.#pages[at] = page
  }

  /** Frees an empty page: it is all zeros again and can serve any other number. */
  #drop(number: number, page: number): void {
    const at = this.#position(number)
    this.#numbers.copyWithin(at, at + 1, this.#used)
    this.#pages.copyWithin(at, at + 1, this.#used)
    this.#used--
    this.#free.push(page)
    if (this.#nearNumbers[number & nearMask] === number) this.#nearNumbers[number & nearMask] = -1
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

function grown(old: Int32Array): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(old.length * 2)
  wider.set(old)
  return wider
}
