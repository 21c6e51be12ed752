import type { UserId } from '../../protocol/ids.ts'
import * as fields from './expected-fields.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { EXPECTED, expectedMax, HASH, ID_AT, ID_HIGH, ID_LOW, NOT_EXPECTED, USER } = fields
const mask = expectedMax - 1

/** Requests that are about to come, in their order, with the hashes of their ids, so that each is hashed only once. */
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
    words[at + ID_AT] = idAt
    words[at + ID_LOW] = low
    words[at + ID_HIGH] = high
    this.count++
  }

  /** Index of the next expected request's words if its id is at `idAt`. The following call looks at the one after it. */
  take(idAt: number): number {
    const at = (this.#met & mask) * EXPECTED
    if (this.#met >= this.count || this.words[at + ID_AT] !== idAt) return NOT_EXPECTED
    this.#met++
    return at
  }
}
