import type { UserId } from '../../protocol/ids.ts'
import * as memory from '../../protocol/codec/memory.ts'
import * as entry from './entry.ts'
import type { RequestPlace } from './entry.ts'
import * as expecting from './expected-fields.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { reservedWords, roomierWords } = memory
const { ENTRY, HIGH, LOW, pageBits, placeBits, UNKNOWN, USER } = entry
const { EXPECTED, HASH } = expecting

const pageMask = 2 ** pageBits - 1
const placeMask = 2 ** placeBits - 1

// A bucket is a cache line. Its first three words are tags: one byte of hash for each of twelve requests. The fourth word is
// their count, plus OVERFULL when others found no room. The other twelve words are the places of the entries; the upper bits of
// each have the bits of hash that say where it goes when its bucket is split.
const BUCKET = 16
const TAGS_2 = 1
const TAGS_3 = 2
const META = 3
const SPOTS = 4
const bucketMax = 12
const countMask = 15
const OVERFULL = 16
/** Average requests per bucket: one in thirty then finds its bucket full. */
const meanMax = 7
/** Index of the first bucket: the contents of a large array begin 16 bytes after the start of a cache line. */
const FIRST = 12
/** Sizes of an index, as bits of a bucket's number: 32 KiB, 4 MiB, 32 MiB, 128 MiB. */
const sizes: readonly number[] = [9, 16, 19, 21]
/** Up to this size a growing index is copied at once. */
const copiedMax = 16
/** The bits of hash above these are stored with each place: they say where it goes when its bucket is split. */
const splitBits = 14
const bitsMax = splitBits + 32 - placeBits
const spotMask = 2 ** (32 - placeBits) - 1
const bucketMask = 2 ** bitsMax - 1
/** Requests before an index is full: each of them touches memory of the next size. */
const touches = 256
/** Buckets that each new request splits while the index grows. */
const splitsAtOnce = 2

// An odd multiplier without a pattern.
const mixLow = 0x85ebca6b
const mixHigh = 0xc2b2ae35

const everyByte = 0x01010101
const highBits = 0x80808080 | 0

/**
 * Finds the place of a request by the hash of its id. To see that an id is new takes a quarter of one cache line, which its entry
 * will need anyway, and no branch depends on it, so that the processor continues while it waits for memory. An index that has
 * become too small grows to the next of its sizes: each new request splits a few of them, so no request waits for a copy, and a
 * full-grown index has no further cost.
 */
export class RequestIndex {
  readonly #entries: readonly Int32Array[]
  readonly #secret: number
  /** Larger sizes still to come. */
  readonly #sizes: number[]
  #table: Int32Array<ArrayBuffer>
  /** Masks of a bucket's number, before and after a split; buckets below `#split` are already split. */
  #mask: number
  #wideMask: number
  #split = 0
  #count = 0
  /** Requests that fit before the index prepares to grow. */
  #roomy: number
  /** Per full bucket: places of the requests that did not fit. */
  readonly #overfull = new Map<number, RequestPlace[]>()
  /** The bucket that is being split. */
  readonly #splitting = new Int32Array(BUCKET)

  /**
   * `entries`: the pages of entries that places refer to. `secret`: affects only where ids stand, so that nobody can choose ids
   * that all fall into one bucket.
   */
  constructor(entries: readonly Int32Array[], secret: number, bits: readonly number[] = sizes) {
    this.#entries = entries
    this.#secret = secret | 0
    this.#sizes = bits.slice(1)
    this.#mask = 2 ** bits[0]! - 1
    this.#wideMask = this.#mask
    this.#roomy = this.#full - touches
    this.#table = new Int32Array(FIRST + BUCKET * (this.#mask + 1))
  }

  /** Takes the memory for as many buckets as there can ever be. False when the system does not give it. */
  reserve(): boolean {
    while (this.#sizes.length > 0 && this.#sizes[0]! <= copiedMax) this.#grow()
    this.#table = reservedWords(this.#table, FIRST + (BUCKET << bitsMax))
    return this.#table.length >= FIRST + (BUCKET << bitsMax)
  }

  /** Hash of an id for this index, from `low` and `high`, its hash including the user. */
  hash(low: number, high: number): number {
    let mixed = low ^ this.#secret
    mixed = Math.imul(mixed ^ (mixed >>> 16), mixLow) + high
    mixed = Math.imul(mixed ^ (mixed >>> 13) ^ (this.#secret >>> 7), mixHigh)
    return mixed ^ (mixed >>> 15)
  }

  /** Place of the entry with this id. `hash`: from `hash`. */
  find(hash: number, low: number, high: number, user: UserId): RequestPlace {
    const table = this.#table
    const at = this.#bucketOf(hash)
    const tags = Math.imul(tagOf(hash), everyByte)
    const a = table[at]! ^ tags
    const b = table[at + TAGS_2]! ^ tags
    const c = table[at + TAGS_3]! ^ tags
    // A zero byte sets its high bit here; for bytes above the lowest zero byte the bit may be set wrongly.
    const matches = (((a - everyByte) & ~a) | ((b - everyByte) & ~b) | ((c - everyByte) & ~c)) & highBits
    if ((matches | (table[at + META]! & OVERFULL)) === 0) return UNKNOWN
    return this.#search(at, hash, low, high, user)
  }

  /** Reads the buckets of the first `count` of these expected requests, to bring them into the cache. */
  reach(expected: Int32Array, count: number): number {
    const table = this.#table
    let read = 0
    for (let n = 0; n < count; n++) read ^= table[this.#bucketOf(expected[n * EXPECTED + HASH]!)]!
    return read
  }

  add(hash: number, place: RequestPlace): void {
    if (++this.#count > this.#roomy) this.#prepare()
    this.#put(this.#bucketOf(hash), tagOf(hash), place | ((hash >>> splitBits) << placeBits))
  }

  /** Removes what `add` added. */
  remove(hash: number, place: RequestPlace): void {
    this.#count--
    const table = this.#table
    const at = this.#bucketOf(hash)
    const last = (table[at + META]! & countMask) - 1
    for (let i = 0; i <= last; i++) {
      if ((table[at + SPOTS + i]! & placeMask) !== place) continue
      setTag(table, at, i, tagAt(table, at, last))
      setTag(table, at, last, 0)
      table[at + SPOTS + i] = table[at + SPOTS + last]!
      table[at + META] = table[at + META]! - 1
      return
    }
    const others = this.#overfull.get(at) ?? []
    const found = others.indexOf(place)
    if (found < 0) throw new Error('request is not in the index')
    others[found] = others.at(-1)!
    others.pop()
    if (others.length > 0) return
    this.#overfull.delete(at)
    table[at + META] = table[at + META]! & countMask
  }

  #bucketOf(hash: number): number {
    const bucket = hash & this.#mask
    return FIRST + ((bucket < this.#split ? hash & this.#wideMask : bucket) & bucketMask) * BUCKET
  }

  #search(at: number, hash: number, low: number, high: number, user: UserId): RequestPlace {
    const table = this.#table
    const tag = tagOf(hash)
    const meta = table[at + META]!
    for (let i = 0; i < (meta & countMask); i++) {
      const spot = table[at + SPOTS + i]!
      if (tagAt(table, at, i) !== tag || spot >>> placeBits !== ((hash >>> splitBits) & spotMask)) continue
      const place = (spot & placeMask) as RequestPlace
      if (this.#is(place, low, high, user)) return place
    }
    if ((meta & OVERFULL) === 0) return UNKNOWN
    return this.#overfull.get(at)!.find((place) => this.#is(place, low, high, user)) ?? UNKNOWN
  }

  #is(place: RequestPlace, low: number, high: number, user: UserId): boolean {
    return this.#word(place, LOW) === low && this.#word(place, HIGH) === high && this.#word(place, USER) === user
  }

  #word(place: RequestPlace, word: number): number {
    return this.#entries[place >>> pageBits]![(place & pageMask) * ENTRY + word]!
  }

  #hashAt(place: RequestPlace): number {
    return this.hash(this.#word(place, LOW), this.#word(place, HIGH))
  }

  #put(at: number, tag: number, spot: number): void {
    const table = this.#table
    const meta = table[at + META]!
    const i = meta & countMask
    if (i === bucketMax) return this.#putAside(at, (spot & placeMask) as RequestPlace)
    const word = at + (i >> 2)
    table[word] = table[word]! | (tag << ((i & 3) * 8))
    table[at + META] = meta + 1
    table[at + SPOTS + i] = spot
  }

  #putAside(at: number, place: RequestPlace): void {
    this.#table[at + META] = this.#table[at + META]! | OVERFULL
    const others = this.#overfull.get(at)
    if (others === undefined) this.#overfull.set(at, [place])
    else others.push(place)
  }

  /** Requests at which the index begins to grow. */
  get #full(): number {
    return meanMax * (this.#mask + 1)
  }

  #prepare(): void {
    if (this.#split > 0 || this.#count > this.#full) this.#grow()
    else this.#touch()
  }

  /**
   * Writes to a place of the memory that the next size will use. The system gives large pages at their first use, and takes a
   * millisecond for some: a request that splits buckets would need several at once.
   */
  #touch(): void {
    const bits = this.#sizes[0]
    if (bits === undefined) return
    const left = this.#full - this.#count
    const [from, to] = [FIRST + BUCKET * (this.#mask + 1), FIRST + (BUCKET << bits)]
    if (to <= this.#table.length) this.#table[from + Math.floor(((to - from) * left) / touches)] = 0
  }

  /** Starts or continues to grow. */
  #grow(): void {
    if (this.#split === 0 && !this.#begin()) return
    for (let n = 0; n < splitsAtOnce && this.#split <= this.#mask; n++) this.#splitNext()
    if (this.#split <= this.#mask) return
    this.#mask = this.#wideMask
    this.#split = 0
    this.#roomy = this.#full - touches
  }

  /** Whether there are buckets to split. */
  #begin(): boolean {
    const bits = this.#sizes.shift()
    if (bits === undefined) {
      this.#roomy = 2 ** 31
      return false
    }
    this.#wideMask = 2 ** bits - 1
    const length = FIRST + BUCKET * (this.#wideMask + 1)
    if (length > this.#table.length) this.#table = roomierWords(this.#table, length, FIRST + (BUCKET << bitsMax))
    while (bits <= copiedMax && this.#split <= this.#mask) this.#splitNext()
    // Called again with every request until all are split.
    this.#roomy = 0
    return true
  }

  /** Distributes the requests of a bucket among the buckets that its number becomes with more bits. */
  #splitNext(): void {
    const old = this.#splitting
    const table = this.#table
    const bucket = this.#split++
    const from = FIRST + bucket * BUCKET
    old.set(table.subarray(from, from + BUCKET))
    table.fill(0, from, from + SPOTS)
    const others = this.#overfull.get(from)
    this.#overfull.delete(from)
    const bits = 32 - Math.clz32(this.#mask)
    for (let i = 0; i < (old[META]! & countMask); i++) {
      const spot = old[SPOTS + i]!
      const more = bits < splitBits ? this.#hashAt((spot & placeMask) as RequestPlace) >>> bits : spot >>> (placeBits + bits - splitBits)
      this.#put(from + ((more & (this.#wideMask >>> bits)) << bits) * BUCKET, tagAt(old, 0, i), spot)
    }
    for (const place of others ?? []) {
      const hash = this.#hashAt(place)
      this.#put(this.#bucketOf(hash), tagOf(hash), place | ((hash >>> splitBits) << placeBits))
    }
  }
}

/** A byte of the hash that is independent of the bucket. Never 0, which stands for no request. */
function tagOf(hash: number): number {
  const tag = hash >>> 24
  return tag === 0 ? 1 : tag
}

function tagAt(table: Int32Array, at: number, i: number): number {
  return (table[at + (i >> 2)]! >>> ((i & 3) * 8)) & 0xff
}

function setTag(table: Int32Array, at: number, i: number, tag: number): void {
  const shift = (i & 3) * 8
  table[at + (i >> 2)] = (table[at + (i >> 2)]! & ~(0xff << shift)) | (tag << shift)
}
