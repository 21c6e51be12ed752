import type { UserId } from '../../protocol/ids.ts'

const most = 32
const mask = most - 1
// Words of an expected request: where the index has its id, its user, the position of the id in the slots, and the id's hash.
const WORDS = 5
const INDEX_HASH = 0
const OWNER = 1
const AT = 2
const LOW = 3
const HIGH = 4
const NONE = -1

// The same values for other modules: the compiler treats a module's own constants as constants, but not exported ones.
/** Largest number of requests expected at a time: their buckets stay in the nearest cache until they come. */
export const expectedMax = most
export const EXPECTED = WORDS
export const HASH = INDEX_HASH
export const USER = OWNER
export const ID_LOW = LOW
export const ID_HIGH = HIGH
/** Result of `take` for a request that was not announced. */
export const NOT_EXPECTED = NONE

/** Requests that are about to come, in their order, with the hashes of their ids: these are computed once. */
export class Expected {
  readonly words = new Int32Array(most * WORDS)
  count = 0
  #met = 0

  get isFull(): boolean {
    return this.count === most
  }

  clear(): void {
    this.count = 0
    this.#met = 0
  }

  add(idAt: number, low: number, high: number, hash: number, user: UserId): void {
    const { words } = this
    const at = (this.count & mask) * WORDS
    words[at + INDEX_HASH] = hash
    words[at + OWNER] = user
    words[at + AT] = idAt
    words[at + LOW] = low
    words[at + HIGH] = high
    this.count++
  }

  /** Index of the next expected request's words if its id is at `idAt`. The following call looks at the one after it. */
  take(idAt: number): number {
    const at = (this.#met & mask) * WORDS
    if (this.#met >= this.count || this.words[at + AT] !== idAt) return NONE
    this.#met++
    return at
  }
}
