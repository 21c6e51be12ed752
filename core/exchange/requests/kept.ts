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

/** What tells two requests apart: 64 bits of hash of the client id and of the body. */
export type RequestHashes = {
  readonly user: UserId
  readonly idLow: number
  readonly idHigh: number
  readonly bodyLow: number
  readonly bodyHigh: number
}

/** A request as it is remembered. */
export type KeptRequest = RequestHashes & {
  /** Order, or the user that was opened; 0 for none. */
  readonly number: number
  /** Number of the refusal, 0 for none. */
  readonly refusal: number
}

/**
 * Of a user's last requests, `ring` are certain to be remembered; `left` more may come before the first one goes. `isCrowded`: half
 * of what all users together may have is used. From there on, for good, only each user's very last ones are certain; `ownRing`
 * and `ownLeft` are the same figures as if it were not. `next`: number of the user's next request, in 32 bits; it counts from anywhere when an
 * exchange is restored.
 */
export type RequestRoom = {
  readonly ring: number
  readonly left: number
  readonly isCrowded: boolean
  readonly ownRing: number
  readonly ownLeft: number
  readonly next: number
}

/** The entry in words `at` and following. */
export function keptAt(page: Int32Array, at: number): KeptRequest {
  const high = page[at + REFUSAL]!
  const number = (high & (2 ** refusalShift - 1)) * word + (page[at + NUMBER]! >>> 0)
  return {
    user: page[at + USER] as UserId,
    ...{ idLow: page[at + LOW]!, idHigh: page[at + HIGH]!, bodyLow: page[at + BODY_LOW]!, bodyHigh: page[at + BODY_HIGH]! },
    ...{ number, refusal: high >>> refusalShift },
  }
}
