import * as text from '../protocol/codec/text.ts'
import type { Records } from '../protocol/codec/records.ts'
import * as index from './request-index.ts'
import { RequestIndex } from './request-index.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { clientIdSlots } = text
const { ENTRY, HIGH, LOW, NEXT, USER, pageBits, placeBits } = index

/** Outcome that `find` and `meet` give for a request that never came. */
export const UNKNOWN = index.UNKNOWN

/** Requests with a client id that are remembered after their orders are gone. */
export const requestsMax = 4_000_000

// Of an entry, besides what the index reads: the body's hash, and 53 bits of number with 11 bits of refusal above them.
const BODY_LOW = 4
const BODY_HIGH = 5
const NUMBER = 6
const REFUSAL = 7
const refusalShift = 21
const numberMask = 2 ** refusalShift - 1
const word = 2 ** 32

const pageMask = 2 ** pageBits - 1
/** Of a dumped request: two words of the id's hash, two of the body's, user, refusal, number. */
const dumpSlots = 7
/** Of the oldest requests, those that one new request looks at: bounds its time where many in a row have open orders. */
const looksMax = 8

/** Odd, fixed, without a pattern: one per word of what is hashed. */
const factorMask = 63
const factors = (() => {
  const made = new Int32Array(factorMask + 1)
  for (let i = 0, state = 0x9e3779b1; i < made.length; i++, state = (state + 0x9e3779b1) | 0) made[i] = mixed(state) | 1
  return made
})()
const spread = 0x2c1b3c6d
const chain = 0x297a2d39

/**
 * What became of the requests that carried a client id: the last 4 million, and those whose orders are still open. A
 * repeat is answered from here. Held are the user's number and 64 bits of hash of the id, 64 bits of hash of the body,
 * and the outcome.
 *
 * The whole user number is compared, so no user can disturb another. Two requests of one user are taken for one when
 * both halves of a hash agree: a sum of one product per word (words that differ alone differ in it for certain), and a
 * chain in which each product is turned into those before. For requests that were not made to collide that has a chance
 * of 2^-64, so a new id meets a wrong one among 2^22 with 2^-42, and is then refused, unless the body's hash agrees as
 * well. Who searches for two that collide has found two requests of their own that count as one.
 */
export class Requests {
  readonly #pages: Int32Array[] = [new Int32Array(ENTRY << pageBits)]
  readonly #index = new RequestIndex(this.#pages)
  /** Oldest and count of the ring that the entries are. */
  #first = 0
  #count = 0
  readonly #capacity: number
  readonly #max: number
  readonly #isOpen: (number: number) => boolean
  // What was hashed last, and what `meet` was asked for.
  #low = 0
  #high = 0
  #user = 0
  #idLow = 0
  #idHigh = 0
  #bodyLow = 0
  #bodyHigh = 0

  /** `isOpen`: whether an order or list of this number is still in the core. `max`: 2^22 less a thirty-second at most. */
  constructor(isOpen: (number: number) => boolean, max = requestsMax) {
    this.#isOpen = isOpen
    this.#max = max
    this.#capacity = 2 ** Math.ceil(Math.log2(max + max / 32))
    if (this.#capacity > 2 ** placeBits) throw new Error(`${max} requests are more than there are places`)
  }

  /**
   * Place of the first request with the client id at `idAt`, `UNKNOWN` when it is the first, which `keep` then remembers.
   * The body is slots `from` to `to`.
   */
  meet(user: number, data: Float64Array, idAt: number, code: number, from: number, to: number): number {
    this.#hashId(user, data, idAt)
    const low = this.#low
    const high = this.#high
    const place = this.#index.find(low, high, user | 0)
    this.#hashBody(code, data, from, to)
    this.#user = user | 0
    this.#idLow = low
    this.#idHigh = high
    this.#bodyLow = this.#low
    this.#bodyHigh = this.#high
    return place
  }

  /** Whether the request at `place` had the same body as the one that `meet` was asked for last. */
  isSame(place: number): boolean {
    const page = this.#pages[place >>> pageBits]!
    const at = (place & pageMask) * ENTRY
    return page[at + BODY_LOW] === this.#bodyLow && page[at + BODY_HIGH] === this.#bodyHigh
  }

  /** Remembers the outcome of the request that `meet` was asked for last and did not know. `number`: its order or user. */
  keep(number: number, refusal: number): void {
    this.#append(this.#idLow, this.#idHigh, this.#user, this.#bodyLow, this.#bodyHigh, number, refusal)
  }

  /** Place of the request with the client id that stands at `at`, `UNKNOWN` when there is none. Leaves what `meet` met. */
  find(user: number, data: Float64Array, at: number): number {
    this.#hashId(user, data, at)
    return this.#index.find(this.#low, this.#high, user | 0)
  }

  /** Remembers a request that `find` did not know. Leaves what `meet` met. */
  add(user: number, data: Float64Array, idAt: number, code: number, from: number, to: number, number: number, refusal: number): void {
    this.#hashId(user, data, idAt)
    const low = this.#low
    const high = this.#high
    this.#hashBody(code, data, from, to)
    this.#append(low, high, user | 0, this.#low, this.#high, number, refusal)
  }

  /** Order (or, for an opened user, the user's number) of the first outcome. */
  number(place: number): number {
    const page = this.#pages[place >>> pageBits]!
    const at = (place & pageMask) * ENTRY
    return (page[at + REFUSAL]! & numberMask) * word + (page[at + NUMBER]! >>> 0)
  }

  refusal(place: number): number {
    return this.#word(place, REFUSAL) >>> refusalShift
  }

  /** Oldest first, as a list would remember them: where they stand is not in the dump. */
  dump(into: Records): void {
    const at = into.reserve(1 + this.#count * dumpSlots)
    const { data } = into
    data[at] = this.#count
    for (let n = 0, slot = at + 1; n < this.#count; n++, slot += dumpSlots) {
      const place = this.#placeOf(n)
      data[slot] = this.#word(place, LOW)
      data[slot + 1] = this.#word(place, HIGH)
      data[slot + 2] = this.#word(place, BODY_LOW)
      data[slot + 3] = this.#word(place, BODY_HIGH)
      data[slot + 4] = this.#word(place, USER) >>> 0
      data[slot + 5] = this.refusal(place)
      data[slot + 6] = this.number(place)
    }
  }

  restore(data: Float64Array, at: number): number {
    const end = at + 1 + data[at]! * dumpSlots
    for (let slot = at + 1; slot < end; slot += dumpSlots) {
      const user = data[slot + 4]! | 0
      this.#write(data[slot]!, data[slot + 1]!, user, data[slot + 2]!, data[slot + 3]!, data[slot + 6]!, data[slot + 5]!)
    }
    return end
  }

  #append(low: number, high: number, user: number, bodyLow: number, bodyHigh: number, number: number, refusal: number): void {
    if (this.#count >= this.#max) this.#forget()
    this.#write(low, high, user, bodyLow, bodyHigh, number, refusal)
  }

  #write(low: number, high: number, user: number, bodyLow: number, bodyHigh: number, number: number, refusal: number): void {
    const place = this.#placeOf(this.#count++)
    if (place >>> pageBits === this.#pages.length) this.#pages.push(new Int32Array(ENTRY << pageBits))
    const page = this.#pages[place >>> pageBits]!
    const at = (place & pageMask) * ENTRY
    page[at + LOW] = low
    page[at + HIGH] = high
    page[at + USER] = user
    page[at + NEXT] = 0
    page[at + BODY_LOW] = bodyLow
    page[at + BODY_HIGH] = bodyHigh
    page[at + NUMBER] = number | 0
    page[at + REFUSAL] = (refusal << refusalShift) | ((number / word) | 0)
    this.#index.add(low, place)
  }

  /**
   * Makes room: forgets the oldest requests whose orders are gone. An open order's request becomes the newest. Where many
   * such follow each other, the next requests look on, and so long more are remembered than need be.
   */
  #forget(): void {
    const isFull = this.#count === this.#capacity
    for (let looks = 0; this.#count >= this.#max && looks < (isFull ? this.#capacity : looksMax); looks++) {
      const oldest = this.#first
      const number = this.number(oldest)
      const isKept = number !== 0 && this.refusal(oldest) === 0 && this.#isOpen(number)
      this.#index.remove(this.#word(oldest, LOW), oldest)
      this.#first = (oldest + 1) & (this.#capacity - 1)
      this.#count--
      if (isKept) this.#repeat(oldest, number)
    }
    if (this.#count === this.#capacity) throw new Error('every remembered request has an open order')
  }

  /** Writes an entry that was taken out once more, as the newest. */
  #repeat(place: number, number: number): void {
    const user = this.#word(place, USER)
    const bodyLow = this.#word(place, BODY_LOW)
    this.#write(this.#word(place, LOW), this.#word(place, HIGH), user, bodyLow, this.#word(place, BODY_HIGH), number, 0)
  }

  #placeOf(n: number): number {
    return (this.#first + n) & (this.#capacity - 1)
  }

  #word(place: number, at: number): number {
    return this.#pages[place >>> pageBits]![(place & pageMask) * ENTRY + at]!
  }

  #hashId(user: number, data: Float64Array, at: number): void {
    let low = Math.imul(user, spread)
    let high = user | 0
    for (let i = 0; i < clientIdSlots; i++) {
      const slot = data[at + i]!
      if (slot === 0) break
      const lower = product(slot | 0, i * 2)
      const upper = product((slot / word) | 0, i * 2 + 1)
      low = (low + lower + upper) | 0
      high = chained(chained(high, lower), upper)
    }
    this.#low = mixed(low)
    this.#high = high
  }

  #hashBody(code: number, data: Float64Array, from: number, to: number): void {
    let low = code
    let high = code
    for (let i = from, n = 0; i < to; i++, n += 2) {
      const slot = data[i]!
      if (slot === 0) continue
      const bits = slot | 0
      const lower = product(bits, n)
      low = (low + lower) | 0
      // The words that are zero are left out: so the others say where they stand.
      high = chained(high, lower ^ n)
      if (slot === bits) continue
      const upper = product(Math.floor(slot / word), n + 1)
      low = (low + upper) | 0
      high = chained(high, upper ^ (n + 1))
    }
    this.#low = low
    this.#high = high
  }
}

/** Different for different words. The shift lets high bits of a word reach the low bits, which multiplying alone never does. */
function product(bits: number, n: number): number {
  const scattered = Math.imul(bits, spread)
  return Math.imul(scattered ^ (scattered >>> 23), factors[n & factorMask]!)
}

function chained(high: number, bits: number): number {
  return Math.imul(((high << 13) | (high >>> 19)) ^ bits, chain)
}

/** Spreads all bits over all others: they say in which bucket an entry is. */
function mixed(bits: number): number {
  let h = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
