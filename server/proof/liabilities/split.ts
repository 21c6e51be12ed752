/** Parts of balances in an order that says nothing about their owners. */
import { randomFillSync } from 'node:crypto'
import type { Holdings } from '../../store/query/proof/holdings.ts'
import { leafBytes, rowNodes, writeLeaf } from './layout.ts'

/** Numbers, or balances, between two calls of `rest`. */
const atOnce = 1_024

/** A balance has at least this many parts. */
const partsMin = 2
/** How many counts of parts are equally likely. */
const partsChoice = 4

/** Random numbers by the platform, many at a time. */
class Random {
  readonly #words = new Uint32Array(16_384)
  #at = this.#words.length

  /** 32 bits. */
  word(): number {
    if (this.#at === this.#words.length) {
      randomFillSync(this.#words)
      this.#at = 0
    }
    return this.#words[this.#at++]!
  }

  /** From 0 to below `count`, at most 2^32: all equally likely. */
  below(count: number): number {
    const fair = 2 ** 32 - (2 ** 32 % count)
    for (;;) {
      const word = this.word()
      if (word < fair) return word % count
    }
  }

  /** From 0 to `most`, at most 2^52. Almost equally likely, which is enough for the size of a part. */
  upTo(most: number): number {
    const share = ((this.word() >>> 5) * 2 ** 26 + (this.word() >>> 6)) / 2 ** 53
    return Math.min(most, Math.floor(share * (most + 1)))
  }
}

/** The leaves of a tree in their random order, and where those of each customer are. */
export type Shuffled = {
  /** A power of two. */
  readonly size: number
  /** By place in `Holdings`: how many leaves the customer has. */
  readonly parts: Uint8Array
  /** Indexes of the leaves: those of the first customer by their split, then those of the next. */
  readonly places: Uint32Array
  /** Rows of leaves as they are stored, in the order of their indexes. */
  rows(): Generator<Buffer>
}

/**
 * Splits each balance into two to five parts of random size, adds leaves of nobody, and shuffles them: anew with each call.
 *
 * rest  called again and again between pieces of this work
 */
export function shuffle({ uids, units }: Pick<Holdings, 'uids' | 'units'>, rest: () => void = () => undefined): Shuffled {
  const random = new Random()
  const parts = new Uint8Array(uids.length)
  let count = 0
  for (let n = 0; n < parts.length; n++) {
    count += parts[n] = partsMin + random.below(partsChoice)
    if (n % atOnce === 0) rest()
  }
  let size = 1
  while (size < count) size *= 2
  const order = new Uint32Array(size)
  for (let n = 0; n < size; n++) {
    const other = random.below(n + 1)
    order[n] = order[other]!
    order[other] = n
    if (n % atOnce === 0) rest()
  }
  const leafUids = new Uint32Array(size)
  const splits = new Uint8Array(size)
  const amounts = new Float64Array(size)
  const cuts: number[] = []
  for (let n = 0, leaf = 0; n < parts.length; n++) {
    cutUp(units[n]!, parts[n]!, random, cuts)
    for (let split = 0; split < parts[n]!; split++, leaf++) {
      const place = order[leaf]!
      leafUids[place] = uids[n]!
      splits[place] = split
      amounts[place] = cuts[split + 1]! - cuts[split]!
    }
    if (n % atOnce === 0) rest()
  }
  return {
    ...{ size, parts, places: order.subarray(0, count) },
    *rows() {
      const length = Math.min(rowNodes, size)
      for (let from = 0; from < size; from += length) {
        const row = Buffer.alloc(length * leafBytes)
        for (let n = 0; n < length; n++)
          writeLeaf(row, n * leafBytes, { uid: leafUids[from + n]!, split: splits[from + n]!, amount: amounts[from + n]! })
        yield row
      }
    },
  }
}

/** Points between 0 and `amount`, both of which are in `cuts`, too. */
function cutUp(amount: number, parts: number, random: Random, cuts: number[]): void {
  cuts.length = 0
  cuts.push(0)
  for (let n = 1; n < parts; n++) cuts.push(random.upTo(amount))
  cuts.push(amount)
  cuts.sort((a, b) => a - b)
}
