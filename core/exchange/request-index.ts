import * as entry from './request-entry.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { ENTRY, HIGH, LOW, NEXT, pageBits, placeBits, UNKNOWN, USER } = entry

const pageMask = 2 ** pageBits - 1

const placeMask = 2 ** placeBits - 1

// A bucket is a cache line. Its first three words are tags: a byte of hash for each of twelve requests. The fourth is
// their count, and above it place + 1 of the first that found no room. The others are the twelve places, with ten more
// bits of hash above each.
const BUCKET = 16
const META = 3
const SPOTS = 4
const bucketMax = 12
const countBits = 4
const countMask = 2 ** countBits - 1
/** Requests per bucket when there are as many as can be: one in thirty finds its bucket full. */
const meanMax = 8
/** Buckets of a young index, and how many requests it takes. */
const youngBuckets = 512
const youngMax = youngBuckets * 6
/** The first bucket starts here: large arrays start 16 bytes after the start of a cache line. */
const FIRST = 12

const bucketMask = 2 ** placeBits - 1
const unlimited = 2 ** 31 - 1

const everyByte = 0x01010101
const highBits = 0x80808080 | 0

/**
 * Where each request stands, by the hash of its id. To see that an id never came takes a quarter of the one cache line
 * that its entry will need as well, and no branch that hangs on it, so that the processor goes on while it waits for the
 * memory. An index that has outgrown its first buckets takes at once all that it can ever need; what of them is not in use
 * is not backed by memory.
 */
export class RequestIndex {
  readonly #entries: readonly Int32Array[]
  readonly #bucketsMax: number
  #table: Int32Array
  /** A power of two less one. */
  #mask: number
  #count = 0
  /** Requests that the buckets take before they must be more; none are too many when they are all. */
  #roomy = youngMax

  /** `entries`: pages of the entries that places stand for. `max`: requests at most. */
  constructor(entries: readonly Int32Array[], max: number) {
    this.#entries = entries
    this.#bucketsMax = 2 ** Math.max(0, Math.ceil(Math.log2(max / meanMax)))
    this.#mask = Math.min(youngBuckets, this.#bucketsMax) - 1
    if (this.#mask + 1 === this.#bucketsMax) this.#roomy = unlimited
    this.#table = new Int32Array(FIRST + (this.#mask + 1) * BUCKET)
  }

  /** Place of the entry with this hash and user. */
  find(low: number, high: number, user: number): number {
    const table = this.#table
    const at = FIRST + (low & this.#mask & bucketMask) * BUCKET
    const tags = Math.imul(tagOf(low), everyByte)
    const a = table[at]! ^ tags
    const b = table[at + 1]! ^ tags
    const c = table[at + 2]! ^ tags
    // The lowest byte that is zero, and no byte below it, makes a high bit here.
    const matches = (((a - everyByte) & ~a) | ((b - everyByte) & ~b) | ((c - everyByte) & ~c)) & highBits
    if ((matches | (table[at + META]! & ~countMask)) === 0) return UNKNOWN
    return this.#search(low, high, user)
  }

  /** Reads the buckets of the first `count` of these hashes. */
  reach(lows: Int32Array, count: number): number {
    const table = this.#table
    const mask = this.#mask
    let read = 0
    for (let n = 0; n < count; n++) read ^= table[FIRST + (lows[n]! & mask & bucketMask) * BUCKET]!
    return read
  }

  add(low: number, high: number, place: number): void {
    if (++this.#count > this.#roomy) this.#widen()
    this.#put(low, high, place)
  }

  remove(low: number, place: number): void {
    this.#count--
    const table = this.#table
    const at = FIRST + (low & this.#mask & bucketMask) * BUCKET
    const last = (table[at + META]! & countMask) - 1
    for (let i = 0; i <= last; i++) {
      if ((table[at + SPOTS + i]! & placeMask) !== place) continue
      setTag(table, at, i, tagAt(table, at, last))
      setTag(table, at, last, 0)
      table[at + SPOTS + i] = table[at + SPOTS + last]!
      table[at + META] = table[at + META]! - 1
      return
    }
    this.#unlink(at, place)
  }

  #search(low: number, high: number, user: number): number {
    const table = this.#table
    const at = FIRST + (low & this.#mask & bucketMask) * BUCKET
    const tag = tagOf(low)
    const meta = table[at + META]!
    for (let i = 0; i < (meta & countMask); i++) {
      const spot = table[at + SPOTS + i]!
      if (tagAt(table, at, i) !== tag || spot >>> placeBits !== high >>> placeBits) continue
      const place = spot & placeMask
      if (this.#is(place, low, high, user)) return place
    }
    for (let link = meta >>> countBits; link !== 0; link = this.#word(link - 1, NEXT)) {
      if (this.#is(link - 1, low, high, user)) return link - 1
    }
    return UNKNOWN
  }

  #is(place: number, low: number, high: number, user: number): boolean {
    return this.#word(place, LOW) === low && this.#word(place, HIGH) === high && this.#word(place, USER) === user
  }

  #word(place: number, word: number): number {
    return this.#entries[place >>> pageBits]![(place & pageMask) * ENTRY + word]!
  }

  #link(place: number, next: number): void {
    this.#entries[place >>> pageBits]![(place & pageMask) * ENTRY + NEXT] = next
  }

  #put(low: number, high: number, place: number): void {
    const table = this.#table
    const at = FIRST + (low & this.#mask & bucketMask) * BUCKET
    const meta = table[at + META]!
    const i = meta & countMask
    if (i === bucketMax) {
      // Before those that found the bucket full earlier.
      this.#link(place, meta >>> countBits)
      table[at + META] = i | ((place + 1) << countBits)
      return
    }
    const word = at + (i >> 2)
    table[word] = table[word]! | (tagOf(low) << ((i & 3) * 8))
    table[at + META] = meta + 1
    table[at + SPOTS + i] = place | ((high >>> placeBits) << placeBits)
  }

  #unlink(at: number, place: number): void {
    const table = this.#table
    const meta = table[at + META]!
    const next = this.#word(place, NEXT)
    let link = meta >>> countBits
    if (link === place + 1) {
      table[at + META] = (meta & countMask) | (next << countBits)
      return
    }
    for (; link !== 0; link = this.#word(link - 1, NEXT)) {
      if (this.#word(link - 1, NEXT) !== place + 1) continue
      this.#link(link - 1, next)
      return
    }
    throw new Error('request is not in the index')
  }

  /** Puts the few thousand requests of a young index into all the buckets. */
  #widen(): void {
    const old = this.#table
    this.#mask = this.#bucketsMax - 1
    this.#roomy = unlimited
    this.#table = new Int32Array(FIRST + this.#bucketsMax * BUCKET)
    const put = (place: number): void => this.#put(this.#word(place, LOW), this.#word(place, HIGH), place)
    for (let at = FIRST; at < old.length; at += BUCKET) {
      const meta = old[at + META]!
      for (let i = 0; i < (meta & countMask); i++) put(old[at + SPOTS + i]! & placeMask)
      for (let link = meta >>> countBits; link !== 0; ) {
        const place = link - 1
        link = this.#word(place, NEXT)
        put(place)
      }
    }
  }
}

/** A byte of the hash that says nothing about the bucket. Never 0, which stands for no request. */
function tagOf(low: number): number {
  const tag = low >>> 24
  return tag === 0 ? 1 : tag
}

function tagAt(table: Int32Array, at: number, i: number): number {
  return (table[at + (i >> 2)]! >>> ((i & 3) * 8)) & 0xff
}

function setTag(table: Int32Array, at: number, i: number, tag: number): void {
  const shift = (i & 3) * 8
  table[at + (i >> 2)] = (table[at + (i >> 2)]! & ~(0xff << shift)) | (tag << shift)
}
