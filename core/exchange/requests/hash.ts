import type { UserId } from '../../protocol/ids.ts'
import * as records from '../../protocol/codec/records.ts'
import * as text from '../../protocol/codec/text.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { clientIdSlots } = text
const { SLOTS } = records

/** An odd multiplier without a pattern. */
const spread = 0x2c1b3c6d
const chainLow = 0x297a2d39
const chainHigh = 0x85ebca6b
const bucketSpread = 0xc2b2ae35

/**
 * Hashes of client ids and bodies: two chains of different products over the bits of the slots. They are stored in dumps and
 * tables and must never change.
 */
export class RequestHash {
  /** The two halves of the last hash. */
  low = 0
  high = 0
  /** The slots used last, and the same memory as words. */
  #data: Float64Array = new Float64Array(0)
  #words: Int32Array = new Int32Array(0)

  /** Whether these are the slots used last. */
  isAt(data: Float64Array): boolean {
    return data === this.#data
  }

  /** Hashes the client id at `at` for this user. */
  hashId(user: UserId, data: Float64Array, at: number): void {
    if (data !== this.#data) this.#look(data)
    const words = this.#words
    const start = (at & SLOTS) * 2
    const end = start + clientIdSlots * 2
    let low = Math.imul(user, spread)
    let high = user | 0
    for (let i = start; i < end; i += 2) {
      const even = words[i]!
      const odd = words[i + 1]!
      if ((even | odd) === 0) break
      low = (Math.imul(((low << 13) | (low >>> 19)) ^ even, chainLow) + odd) | 0
      high = (Math.imul(((high << 11) | (high >>> 21)) ^ odd, chainHigh) + even) | 0
    }
    // Mixes all bits with all others.
    low = Math.imul(low ^ (low >>> 15) ^ (high >>> 17), bucketSpread)
    high = Math.imul(high ^ (high >>> 15), spread)
    this.low = low ^ (low >>> 14)
    this.high = high ^ (high >>> 16)
  }

  /** Hashes the slots `from` to `to` of the same command; call `hashId` first. `code`: the command's number. */
  hashBody(code: number, from: number, to: number): void {
    const data = this.#data
    const words = this.#words
    const start = from & SLOTS
    let last = to & SLOTS
    // Most orders have zeros at the end. Given the code, the rest identifies the same body.
    while (last > start && data[last - 1] === 0) last--
    const end = last * 2
    let low = code
    let high = code
    for (let i = start * 2; i < end; i += 2) {
      const even = words[i]!
      const odd = words[i + 1]!
      low = (Math.imul(((low << 13) | (low >>> 19)) ^ even, chainLow) + odd) | 0
      high = (Math.imul(((high << 11) | (high >>> 21)) ^ odd, chainHigh) + even) | 0
    }
    this.low = low
    this.high = high
  }

  /** Sets the slots of the following commands, also as words. */
  #look(data: Float64Array): void {
    this.#data = data
    this.#words = new Int32Array(data.buffer, data.byteOffset, data.length * 2)
  }
}
