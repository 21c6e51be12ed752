import type { UserId } from '../../protocol/ids.ts'
import type { Records } from '../../protocol/codec/records.ts'
import * as entry from './entry.ts'
import type { RequestUsers } from './users.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { ENTRY, pageBits } = entry

// A user's requests in a dump: 1 + the user's number; how many requests; how many of them are remembered only for their open
// orders; then three slots per request with the words of its entry in memory: hash of the id, hash of the body, number and
// refusal. 0 ends the list.
const SLOTS = 3
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
  places: readonly number[][],
  pages: readonly Int32Array[],
  isLast: (user: UserId, place: number) => boolean,
  into: Records,
): Generator<void> {
  const ordinal = (place: number): number => pages[place >>> pageBits]![(place & pageMask) * ENTRY + ORDINAL]!
  for (const [user, mine] of places.entries()) {
    if (mine.length === 0) continue
    mine.sort((a, b) => (ordinal(a) - ordinal(b)) | 0)
    const at = into.reserve(SLOTS + mine.length * SLOTS)
    into.data[at] = user + 1
    into.data[at + 1] = mine.length
    into.data[at + 2] = mine.findIndex((place) => isLast(user as UserId, place))
    if (into.data[at + 2] === -1) into.data[at + 2] = mine.length
    const raw = new Int32Array(into.data.buffer, (at + SLOTS) * 8, mine.length * SLOTS * 2)
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
  while (data[at] !== 0) {
    const user = (data[at]! - 1) as UserId
    const count = data[at + 1]!
    const open = data[at + 2]!
    at += SLOTS
    users.set(user, open, count - open)
    for (let n = 0; n < count; n++, at += SLOTS) {
      const w = at * 2
      const number = (raw[w + 5]! & (2 ** refusalShift - 1)) * word + (raw[w + 4]! >>> 0)
      write(raw[w]!, raw[w + 1]!, user, n, raw[w + 2]!, raw[w + 3]!, number, raw[w + 5]! >>> refusalShift)
    }
  }
  return at + 1
}
