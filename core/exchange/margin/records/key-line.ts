import { Shards } from '../../../protocol/codec/shards.ts'
import type { AccountKey } from './account.ts'

/** Keys in one part. */
const partMax = 1024

/**
 * Accounts in the order in which they came, each at most once. A `Set` would do the same, but moves all its keys in one command
 * whenever it grows, shrinks, or has forgotten as many as it holds.
 */
export class KeyLine {
  readonly #waiting = new Shards<true>()
  readonly #parts: AccountKey[][] = []
  /** Position of the first key in the first part. */
  #from = 0

  get size(): number {
    return this.#waiting.size
  }

  /** Adds an account behind all others; one that waits already keeps its place. */
  add(key: AccountKey): void {
    if (this.#waiting.has(key)) return
    this.#waiting.set(key, true)
    const last = this.#parts.at(-1)
    if (last === undefined || last.length === partMax) this.#parts.push([key])
    else last.push(key)
  }

  /** Removes and returns the first account; undefined when none waits. */
  take(): AccountKey | undefined {
    const first = this.#parts[0]
    if (first === undefined) return undefined
    const key = first[this.#from++]!
    if (this.#from === first.length) {
      this.#parts.shift()
      this.#from = 0
    }
    this.#waiting.delete(key)
    return key
  }

  *[Symbol.iterator](): Generator<AccountKey> {
    let from = this.#from
    for (const part of this.#parts) {
      for (let n = from; n < part.length; n++) yield part[n]!
      from = 0
    }
  }
}
