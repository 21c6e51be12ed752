import type { UserId } from '../../protocol/ids.ts'
import * as entry from './entry.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { HIGH, LOW, USER } = entry

const BODY_LOW = 4
const BODY_HIGH = 5
const NUMBER = 6
const REFUSAL = 7
const refusalShift = 21
const word = 2 ** 32

/** The values that tell two requests apart: 64 bits of hash of the client id, and of the body. */
export type RequestHashes = {
  readonly user: UserId
  readonly idLow: number
  readonly idHigh: number
  readonly bodyLow: number
  readonly bodyHigh: number
}

/** A remembered request. */
export type KeptRequest = RequestHashes & {
  /** Number of the order, or of the opened user; 0 for none. */
  readonly number: number
  /** Number of the refusal, 0 for none. */
  readonly refusal: number
}

/**
 * How far a user's requests are remembered: the last `ring` are certain to be, and `left` more can come before the first of them
 * is forgotten. `isCrowded`: half of the space for all users is used; from then on, for good, only each user's very last requests
 * are certain. `ownRing` and `ownLeft`: the figures as if it were not crowded. `next`: number of the user's next request, in 32
 * bits; it starts anywhere when an exchange is restored.
 */
export type RequestRoom = {
  readonly ring: number
  readonly left: number
  readonly isCrowded: boolean
  readonly ownRing: number
  readonly ownLeft: number
  readonly next: number
}

/** The entry at word `at`. */
export function keptAt(page: Int32Array, at: number): KeptRequest {
  const high = page[at + REFUSAL]!
  const number = (high & (2 ** refusalShift - 1)) * word + (page[at + NUMBER]! >>> 0)
  return {
    user: page[at + USER] as UserId,
    ...{ idLow: page[at + LOW]!, idHigh: page[at + HIGH]!, bodyLow: page[at + BODY_LOW]!, bodyHigh: page[at + BODY_HIGH]! },
    ...{ number, refusal: high >>> refusalShift },
  }
}
