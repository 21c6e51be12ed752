import type { UserId } from '../../protocol/ids.ts'
import { layoutOf } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import * as entry from './entry.ts'
import type { RequestPlace } from './entry.ts'
import type { RequestUsers } from './users.ts'
import { countAt, isMoreAt } from '../../protocol/codec/slots.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { ENTRY, pageBits } = entry

/**
 * A user's requests: 1 + the user's number, how many there are, and how many of them are remembered for their open orders alone. A
 * record of 0 alone ends the users.
 */
const MINE = layoutOf('userAndOne', 'count', 'open')
/** A request is three slots, which are words as they stand in memory. */
const REQUEST = layoutOf('low', 'high', 'bodyLow', 'bodyHigh', 'number', 'refusal')
const SLOTS = 3
/** Up to version 12 all requests were a list, oldest first. */
export const LISTED_12 = layoutOf('low', 'high', 'bodyLow', 'bodyHigh', 'user', 'refusal', 'number')
const pageMask = 2 ** pageBits - 1
const ORDINAL = 3
/** Positions of these words in an entry: low and high word of each slot. */
const words = [0, 1, 4, 5, 6, 7] as const
const refusalShift = 21
const word = 2 ** 32

type Write = (
  low: number,
  high: number,
  user: UserId,
  ordinal: number,
  bodyLow: number,
  bodyHigh: number,
  number: number,
  refusal: number,
) => void

/** Appends the requests at each user's `places`. `isLast`: whether a request is one of its user's last. */
export function* dumpRequests(
  places: readonly RequestPlace[][],
  pages: readonly Int32Array[],
  isLast: (user: UserId, place: RequestPlace) => boolean,
  into: Records,
): Generator<void> {
  const ordinal = (place: RequestPlace): number => pages[place >>> pageBits]![(place & pageMask) * ENTRY + ORDINAL]!
  for (const [user, mine] of places.entries()) {
    if (mine.length === 0) continue
    mine.sort((a, b) => (ordinal(a) - ordinal(b)) | 0)
    const at = into.reserve(MINE.length + mine.length * SLOTS)
    const open = mine.findIndex((place) => isLast(user as UserId, place))
    into.data[at + MINE.userAndOne] = user + 1
    into.data[at + MINE.count] = mine.length
    into.data[at + MINE.open] = open === -1 ? mine.length : open
    const raw = new Int32Array(into.data.buffer, (at + MINE.length) * 8, mine.length * SLOTS * 2)
    let to = 0
    for (const place of mine) {
      const page = pages[place >>> pageBits]!
      const from = (place & pageMask) * ENTRY
      for (const n of words) raw[to++] = page[from + n]!
    }
    if (into.length > 2 ** 16) yield
  }
  into.data[into.reserve(1)] = 0
}

/** Reads what `dumpRequests` wrote. Returns the index just after it. */
export function restoreRequests(data: Float64Array, start: number, users: RequestUsers, write: Write): number {
  const raw = new Int32Array(data.buffer, data.byteOffset, data.length * 2)
  let at = start
  while (isMoreAt(data, at)) {
    const user = (data[at + MINE.userAndOne]! - 1) as UserId
    const count = countAt(data, at + MINE.count, SLOTS)
    const open = data[at + MINE.open]!
    at += MINE.length
    users.set(user, open, count - open)
    for (let n = 0; n < count; n++, at += SLOTS) {
      const w = at * 2
      const [low, high, refusal] = [raw[w + REQUEST.low]!, raw[w + REQUEST.high]!, raw[w + REQUEST.refusal]!]
      const number = (refusal & (2 ** refusalShift - 1)) * word + (raw[w + REQUEST.number]! >>> 0)
      write(low, high, user, n, raw[w + REQUEST.bodyLow]!, raw[w + REQUEST.bodyHigh]!, number, refusal >>> refusalShift)
    }
  }
  return at + 1
}
