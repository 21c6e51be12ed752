import type { UserId } from '../../protocol/ids.ts'

/** Most requests expected at a time: their buckets stay in the nearest cache until they come. */
export const expectedMax = 32
const mask = expectedMax - 1

/** Words of an expected request: where the index has its id, its user, the position of the id in the slots, and the id's hash. */
export const EXPECTED = 5
export const HASH = 0
export const USER = 1
const AT = 2
export const ID_LOW = 3
export const ID_HIGH = 4

/** Result of `take` for a request that was not announced. */
export const NOT_EXPECTED = -1

/** Requests that are about to come, in their order, with the hashes of their ids: these are computed once. */
export class Expected {
  readonly words = new Int32Array(expectedMax * EXPECTED)
  count = 0
  #met = 0

  get isFull(): boolean {
    return this.count === expectedMax
  }

  clear(): void {
    this.count = 0
    this.#met = 0
  }

  add(idAt: number, low: number, high: number, hash: number, user: UserId): void {
    const { words } = this
    const at = (this.count & mask) * EXPECTED
    words[at + HASH] = hash
    words[at + USER] = user
    words[at + AT] = idAt
    words[at + ID_LOW] = low
    words[at + ID_HIGH] = high
    this.count++
  }

  /** Index of the next expected request's words if its id is at `idAt`. The following call looks at the one after it. */
  take(idAt: number): number {
    const at = (this.#met & mask) * EXPECTED
    if (this.#met >= this.count || this.words[at + AT] !== idAt) return NOT_EXPECTED
    this.#met++
    return at
  }
}
