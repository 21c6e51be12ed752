import * as memory from '../protocol/codec/memory.ts'
import * as entry from './request-entry.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { reservedWords, roomierWords } = memory
const { ENTRY, HIGH, LOW, pageBits, placeBits, UNKNOWN, USER } = entry

const pageMask = 2 ** pageBits - 1
const placeMask = 2 ** placeBits - 1

// A bucket is a cache line. Its first three words are tags: a byte of hash for each of twelve requests. The fourth is
// their count, and OVERFULL when others found no room. The others are the twelve places, with the bits of hash above each
// that say where it goes when its bucket is split.
const BUCKET = 16
const META = 3
const SPOTS = 4
const bucketMax = 12
const countMask = 15
const OVERFULL = 16
/** Requests per bucket on average: one in thirty finds its bucket full. */
const meanMax = 7
/** The first bucket starts here: large arrays start 16 bytes after the start of a cache line. */
const FIRST = 12
const youngBits = 9
/** Buckets of an index that has outgrown the first ones: 4 MiB. */
const grownBits = 16
/** The bits of hash above these stand beside each place: they say where it goes when buckets are split. */
const splitBits = 14
const bitsMax = splitBits + 32 - placeBits
const spotMask = 2 ** (32 - placeBits) - 1
const bucketMask = 2 ** bitsMax - 1

const everyByte = 0x01010101
const highBits = 0x80808080 | 0

/**
 * Where each request stands, by the hash of its id. To see that an id never came takes a quarter of the one cache line
 * that its entry will need as well, and no branch that hangs on it, so that the processor goes on while it waits for the
 * memory. The index grows by one bucket at a time, which takes half of another's requests: no request waits for a copy.
 */
export class RequestIndex {
  readonly #entries: readonly Int32Array[]
  #table: Int32Array<ArrayBuffer> = new Int32Array(FIRST + (BUCKET << youngBits))
  /** All bits of a bucket's number, before and after its split; buckets below `#split` are split. */
  #mask = 2 ** youngBits - 1
  #split = 0
  #count = 0
  /** Requests that the buckets take before there must be one more. */
  #roomy = meanMax << youngBits
  /** Per bucket that was full: places of the others. */
  readonly #overfull = new Map<number, number[]>()

  /** `entries`: pages of the entries that places stand for. */
  constructor(entries: readonly Int32Array[]) {
    this.#entries = entries
  }

  /** Takes the memory for all buckets that there can be. */
  reserve(): void {
    if (this.#mask < 2 ** grownBits - 1) this.#widen()
    this.#table = reservedWords(this.#table, FIRST + (BUCKET << bitsMax))
  }

  /** Place of the entry with this hash and user. */
  find(low: number, high: number, user: number): number {
    const table = this.#table
    const at = this.#bucketOf(low)
    const tags = Math.imul(tagOf(low), everyByte)
    const a = table[at]! ^ tags
    const b = table[at + 1]! ^ tags
    const c = table[at + 2]! ^ tags
    // The lowest byte that is zero, and no byte below it, makes a high bit here.
    const matches = (((a - everyByte) & ~a) | ((b - everyByte) & ~b) | ((c - everyByte) & ~c)) & highBits
    if ((matches | (table[at + META]! & OVERFULL)) === 0) return UNKNOWN
    return this.#search(at, low, high, user)
  }

  /** Reads the buckets of the first `count` of these hashes. */
  reach(lows: Int32Array, count: number): number {
    const table = this.#table
    let read = 0
    for (let n = 0; n < count; n++) read ^= table[this.#bucketOf(lows[n]!)]!
    return read
  }

  add(low: number, place: number): void {
    if (++this.#count > this.#roomy) this.#grow()
    this.#put(this.#bucketOf(low), low, place)
  }

  remove(low: number, place: number): void {
    this.#count--
    const table = this.#table
    const at = this.#bucketOf(low)
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

  #bucketOf(low: number): number {
    const mask = this.#mask
    const bucket = low & mask
    return FIRST + ((bucket < this.#split ? low & (mask * 2 + 1) : bucket) & bucketMask) * BUCKET
  }

  #search(at: number, low: number, high: number, user: number): number {
    const table = this.#table
    const tag = tagOf(low)
    const meta = table[at + META]!
    for (let i = 0; i < (meta & countMask); i++) {
      const spot = table[at + SPOTS + i]!
      if (tagAt(table, at, i) !== tag || spot >>> placeBits !== ((low >>> splitBits) & spotMask)) continue
      const place = spot & placeMask
      if (this.#is(place, low, high, user)) return place
    }
    if ((meta & OVERFULL) === 0) return UNKNOWN
    return this.#overfull.get(at)!.find((place) => this.#is(place, low, high, user)) ?? UNKNOWN
  }

  #is(place: number, low: number, high: number, user: number): boolean {
    return this.#word(place, LOW) === low && this.#word(place, HIGH) === high && this.#word(place, USER) === user
  }

  #word(place: number, word: number): number {
    return this.#entries[place >>> pageBits]![(place & pageMask) * ENTRY + word]!
  }

  #put(at: number, low: number, place: number): void {
    const table = this.#table
    const meta = table[at + META]!
    const i = meta & countMask
    if (i === bucketMax) {
      table[at + META] = meta | OVERFULL
      const others = this.#overfull.get(at)
      if (others === undefined) this.#overfull.set(at, [place])
      else others.push(place)
      return
    }
    const word = at + (i >> 2)
    table[word] = table[word]! | (tagOf(low) << ((i & 3) * 8))
    table[at + META] = meta + 1
    table[at + SPOTS + i] = place | ((low >>> splitBits) << placeBits)
  }

  #grow(): void {
    if (this.#mask < 2 ** grownBits - 1) return this.#widen()
    if (this.#mask === bucketMask) {
      this.#roomy = 2 ** 31
      return
    }
    this.#splitNext()
    this.#roomy += meanMax
  }

  /** Puts the few thousand requests of a young index into the buckets of a grown one. */
  #widen(): void {
    const old = this.#table
    const overfull = [...this.#overfull.values()].flat()
    this.#mask = 2 ** grownBits - 1
    this.#roomy = meanMax << grownBits
    this.#table = new Int32Array(FIRST + (BUCKET << grownBits))
    this.#overfull.clear()
    const put = (place: number): void => {
      const low = this.#word(place, LOW)
      this.#put(this.#bucketOf(low), low, place)
    }
    for (let at = FIRST; at < old.length; at += BUCKET) {
      for (let i = 0; i < (old[at + META]! & countMask); i++) put(old[at + SPOTS + i]! & placeMask)
    }
    overfull.forEach(put)
  }

  /** Gives the requests of a bucket whose next bit of hash is 1 to a new one. */
  #splitNext(): void {
    const from = FIRST + this.#split * BUCKET
    const to = FIRST + (this.#split + this.#mask + 1) * BUCKET
    if (to + BUCKET > this.#table.length) this.#table = roomierWords(this.#table, to + BUCKET, FIRST + (BUCKET << bitsMax))
    const table = this.#table
    const bit = 2 ** placeBits * ((this.#mask + 1) >>> splitBits)
    const count = table[from + META]! & countMask
    let kept = 0
    let given = 0
    let keptTags = 0
    let givenTags = 0
    for (let i = 0; i < count; i++) {
      const spot = table[from + SPOTS + i]!
      const tag = tagAt(table, from, i)
      if ((spot & bit) === 0) {
        keptTags |= tag << ((kept & 3) * 8)
        table[from + SPOTS + kept++] = spot
        if ((kept & 3) !== 0) continue
        table[from + (kept >> 2) - 1] = keptTags
        keptTags = 0
      } else {
        givenTags |= tag << ((given & 3) * 8)
        table[to + SPOTS + given++] = spot
        if ((given & 3) !== 0) continue
        table[to + (given >> 2) - 1] = givenTags
        givenTags = 0
      }
    }
    for (let n = kept >> 2; n < META; n++, keptTags = 0) table[from + n] = keptTags
    for (let n = given >> 2; n < META; n++, givenTags = 0) table[to + n] = givenTags
    table[from + META] = kept
    table[to + META] = given
    const others = this.#overfull.get(from)
    if (++this.#split > this.#mask) {
      this.#mask = this.#mask * 2 + 1
      this.#split = 0
    }
    if (others === undefined) return
    this.#overfull.delete(from)
    for (const place of others) {
      const low = this.#word(place, LOW)
      this.#put(this.#bucketOf(low), low, place)
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
