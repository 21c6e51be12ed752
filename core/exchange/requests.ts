import * as text from '../protocol/codec/text.ts'
import type { Records } from '../protocol/codec/records.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { clientIdSlots } = text

/** Requests with a client id that are remembered after their orders are gone. */
export const requestsMax = 4_000_000

// Per request in `#words`: two words of the id's hash, two of the body's, user, refusal.
const W = 6
/** A place in the ring fits in 22 bits, and `requestsMax` with it. */
const placeMask = 2 ** 22 - 1
const tagMask = ~placeMask
/** Outcome that `find` gives for a request that never came. */
export const UNKNOWN = -1

/**
 * Factors of the hashes, four per slot: odd, fixed, without a pattern. A hash is a sum of products, so its steps don't wait
 * for each other; odd factors tell any two bodies that differ in one word apart. Who finds two that collide has found
 * two requests of their own that count as one.
 */
const factorMask = 127
const factors = (() => {
  const made = new Int32Array(factorMask + 1)
  for (let i = 0, state = 0x9e3779b1; i < made.length; i++, state = (state + 0x9e3779b1) | 0) made[i] = mixed(state) | 1
  return made
})()
const userLow = mixed(1) | 1
const userHigh = mixed(2) | 1

/**
 * What became of the requests that carried a client id: the last 4 million, and those whose orders are still open. A
 * repeat is answered from here. Held are hashes of the id (64 bits, together with the whole user number, so that no
 * user can disturb another) and of the body (64 bits), and the outcome.
 */
export class Requests {
  #words: Int32Array
  #numbers: Float64Array
  /** Oldest and count of the ring that the two arrays are. */
  #first = 0
  #count = 0
  /** Open addressing: place in the ring + 1, and above it a tag, the hash's highest bits. Small, because each look misses. */
  #table = new Int32Array(8192)
  #mask = 8191
  readonly #max: number
  readonly #isOpen: (number: number) => boolean
  #low = 0
  #high = 0
  #bodyLow = 0
  #bodyHigh = 0
  #hashedUser = -1
  #hashedAt = -1

  /** `isOpen`: whether an order or list of this number is still in the core. */
  constructor(isOpen: (number: number) => boolean, max = requestsMax) {
    this.#isOpen = isOpen
    this.#max = max
    this.#words = new Int32Array(W * Math.min(max, 4096))
    this.#numbers = new Float64Array(Math.min(max, 4096))
  }

  /** Place of the request with the client id that stands at `at`, `UNKNOWN` when there is none. */
  find(user: number, data: Float64Array, at: number): number {
    this.#hashId(user, data, at)
    const table = this.#table
    const words = this.#words
    const low = this.#low
    const mask = this.#mask
    for (let i = low & mask; ; i = (i + 1) & mask) {
      const entry = table[i]!
      if (entry === 0) return UNKNOWN
      if (((entry ^ low) & tagMask) !== 0) continue
      const place = (entry & placeMask) - 1
      const w = place * W
      if (words[w] === low && words[w + 1] === this.#high && words[w + 4] === user) return place
    }
  }

  /** Whether the request found at `place` had the same body as the slots `from` to `to`. */
  hasBody(place: number, code: number, data: Float64Array, from: number, to: number): boolean {
    this.#hashBody(code, data, from, to)
    return this.#words[place * W + 2] === this.#bodyLow && this.#words[place * W + 3] === this.#bodyHigh
  }

  /** Order (or, for an opened user, the user's number) of the first outcome. */
  number(place: number): number {
    return this.#numbers[place]!
  }

  refusal(place: number): number {
    return this.#words[place * W + 5]!
  }

  /** Remembers the outcome of a request that `find` did not know. */
  add(user: number, data: Float64Array, idAt: number, code: number, from: number, to: number, number: number, refusal: number): void {
    // The same command was looked for just before, unless it looked for others since.
    if (this.#hashedUser !== user || this.#hashedAt !== idAt) this.#hashId(user, data, idAt)
    this.#hashedAt = -1
    this.#hashBody(code, data, from, to)
    const place = this.#room()
    const w = place * W
    const words = this.#words
    words[w] = this.#low
    words[w + 1] = this.#high
    words[w + 2] = this.#bodyLow
    words[w + 3] = this.#bodyHigh
    words[w + 4] = user
    words[w + 5] = refusal
    this.#numbers[place] = number
    if (this.#count * 2 > this.#mask) this.#rehash()
    else this.#insert(this.#low, place)
  }

  dump(into: Records): void {
    const at = into.reserve(1 + this.#count * (W + 1))
    const data = into.data
    data[at] = this.#count
    const capacity = this.#numbers.length
    for (let n = 0; n < this.#count; n++) {
      const place = (this.#first + n) % capacity
      const slot = at + 1 + n * (W + 1)
      for (let i = 0; i < W; i++) data[slot + i] = this.#words[place * W + i]!
      data[slot + W] = this.#numbers[place]!
    }
  }

  restore(data: Float64Array, at: number): number {
    const count = data[at]!
    while (this.#numbers.length < count) this.#widen()
    for (let n = 0; n < count; n++) {
      const slot = at + 1 + n * (W + 1)
      for (let i = 0; i < W; i++) this.#words[n * W + i] = data[slot + i]!
      this.#numbers[n] = data[slot + W]!
    }
    this.#count = count
    this.#rehash()
    return at + 1 + count * (W + 1)
  }

  /** A place at the end of the ring: a new one, or that of the oldest request whose order is gone. */
  #room(): number {
    const capacity = this.#numbers.length
    if (this.#count < capacity && this.#count < this.#max) {
      const place = this.#first + this.#count++
      return place >= capacity ? place - capacity : place
    }
    if (this.#count < this.#max) {
      this.#widen()
      return this.#room()
    }
    // The ring is full: an open order's request stays where it is, which makes it the newest.
    for (let tries = 0; tries < this.#count; tries++) {
      const place = this.#first
      this.#first = place + 1 === capacity ? 0 : place + 1
      const isKept = this.#words[place * W + 5] === 0 && this.#numbers[place] !== 0 && this.#isOpen(this.#numbers[place]!)
      if (isKept) continue
      this.#delete(place)
      return place
    }
    throw new Error('every remembered request has an open order')
  }

  #widen(): void {
    const capacity = this.#numbers.length
    const wider = Math.min(this.#max, capacity * 2)
    const words = new Int32Array(wider * W)
    const numbers = new Float64Array(wider)
    words.set(this.#words.subarray(this.#first * W))
    words.set(this.#words.subarray(0, this.#first * W), (capacity - this.#first) * W)
    numbers.set(this.#numbers.subarray(this.#first))
    numbers.set(this.#numbers.subarray(0, this.#first), capacity - this.#first)
    const moved = this.#first !== 0
    this.#words = words
    this.#numbers = numbers
    this.#first = 0
    if (moved) this.#rehash()
  }

  #insert(low: number, place: number): void {
    const table = this.#table
    let i = low & this.#mask
    while (table[i] !== 0) i = (i + 1) & this.#mask
    table[i] = (low & tagMask) | (place + 1)
  }

  #delete(place: number): void {
    const table = this.#table
    const mask = this.#mask
    let gap = this.#words[place * W]! & mask
    while ((table[gap]! & placeMask) !== place + 1) {
      if (table[gap] === 0) throw new Error('request is not in the table')
      gap = (gap + 1) & mask
    }
    for (let i = (gap + 1) & mask; table[i] !== 0; i = (i + 1) & mask) {
      const home = this.#words[((table[i]! & placeMask) - 1) * W]! & mask
      if (((i - home) & mask) < ((i - gap) & mask)) continue
      table[gap] = table[i]!
      gap = i
    }
    table[gap] = 0
  }

  #rehash(): void {
    // Growing by four keeps what is moved, a random access each, below a third of what comes.
    while (this.#count * 2 > this.#mask) this.#mask = this.#mask * 4 + 3
    this.#table = new Int32Array(this.#mask + 1)
    const capacity = this.#numbers.length
    for (let n = 0; n < this.#count; n++) {
      const place = (this.#first + n) % capacity
      this.#insert(this.#words[place * W]!, place)
    }
  }

  #hashId(user: number, data: Float64Array, at: number): void {
    let low = Math.imul(user, userLow)
    let high = Math.imul(user, userHigh)
    for (let i = 0, k = 0; i < clientIdSlots; i++, k += 4) {
      const slot = data[at + i]!
      if (slot === 0) break
      const bits = slot | 0
      const rest = (slot * 2 ** -32) | 0
      low = (low + Math.imul(bits, factors[k]!) + Math.imul(rest, factors[k + 1]!)) | 0
      high = (high + Math.imul(bits, factors[k + 2]!) + Math.imul(rest, factors[k + 3]!)) | 0
    }
    this.#low = mixed(low)
    this.#high = high | 0
    this.#hashedUser = user
    this.#hashedAt = at
  }

  #hashBody(code: number, data: Float64Array, from: number, to: number): void {
    let low = code
    let high = code
    for (let i = from, k = 0; i < to; i++, k = (k + 4) & factorMask) {
      const slot = data[i]!
      if (slot === 0) continue
      const bits = slot | 0
      const rest = (slot * 2 ** -32) | 0
      low = (low + Math.imul(bits, factors[k]!) + Math.imul(rest, factors[k + 1]!)) | 0
      high = (high + Math.imul(bits, factors[k + 2]!) + Math.imul(rest, factors[k + 3]!)) | 0
    }
    this.#bodyLow = low
    this.#bodyHigh = high
  }
}

/** Spreads all bits over the low ones, which say where in the table. */
function mixed(word: number): number {
  let h = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
