/** Answer for a request that is not remembered. */
export const UNKNOWN = -1

/** Remembered requests are entries of eight words, in pages. Words of an entry that the index reads: */
export const ENTRY = 8
export const LOW = 0
export const HIGH = 1
export const USER = 2
/** Place + 1 of the next entry that found its bucket full, 0 for none. */
export const NEXT = 3
/** Entries of a page. A page is 64 KiB: small enough to be made within one command. */
export const pageBits = 11
const pageMask = 2 ** pageBits - 1

/** Bits of a place, and so the most requests that an index can hold. */
export const placeBits = 22
const placeMask = 2 ** placeBits - 1

// A bucket is 4 words of tags: a byte of hash for each of twelve requests, and a word with their count and above it
// place + 1 of the first that found no room. Elsewhere are their twelve places, each with ten bits of hash above it.
const TAGS = 4
const META = 3
const bucketMax = 12
const countBits = 4
const countMask = 2 ** countBits - 1
/** Buckets of a page of tags, 64 KiB, and of a page of places, 48 KiB. */
const tagBits = 12
const tagMask = 2 ** tagBits - 1
const spotBits = 10
const spotMask = 2 ** spotBits - 1

/** The bits of a hash above a place start here; buckets are told apart by lower ones from the first. */
const hashShift = 10
const bucketsMin = 2 ** hashShift
/** More buckets than the hash above a place tells apart are not made: at 2^22 requests four are in one on average. */
const bucketsMax = 2 ** 20
/** When this many requests are in a bucket on average, buckets split, two for every new request, so that none waits for all. */
const meanMax = 6
const splitsPerAdd = 2

/** Places that are not written yet: written together, their waits for memory overlap. */
const waitingMax = 32

const everyByte = 0x01010101
const highBits = 0x80808080 | 0

/**
 * Where each request stands, by the hash of its id. To see that an id never came takes the tags of one bucket and no
 * branch that hangs on them, so that the processor goes on while it waits for the memory; and tags are small, so that
 * those of a million requests stay near. Grows bucket by bucket (linear hashing): no command pays for all.
 */
export class RequestIndex {
  readonly #entries: readonly Int32Array[]
  readonly #tags: Int32Array[] = [new Int32Array(TAGS << tagBits)]
  readonly #spots: Int32Array[] = [new Int32Array(bucketMax << spotBits)]
  /** A power of two less one; buckets below `#split` are split already: one bit more of the hash counts for them. */
  #mask = bucketsMin - 1
  #split = 0
  #isSplitting = false
  #count = 0
  /** Per place that is not written yet: its bucket, times sixteen, with where in the bucket; and what is to be written. */
  readonly #waitingAt = new Int32Array(waitingMax)
  readonly #waitingSpot = new Int32Array(waitingMax)
  #waiting = 0
  readonly #copy = new Int32Array(TAGS + bucketMax)

  /** `entries`: pages of the entries that places stand for. */
  constructor(entries: readonly Int32Array[]) {
    this.#entries = entries
  }

  /** Place of the entry with this hash and user. */
  find(low: number, high: number, user: number): number {
    const bucket = this.#bucket(low)
    const page = this.#tags[bucket >>> tagBits]!
    const at = (bucket & tagMask) * TAGS
    const tags = Math.imul(tagOf(low), everyByte)
    const a = page[at]! ^ tags
    const b = page[at + 1]! ^ tags
    const c = page[at + 2]! ^ tags
    // The lowest byte that is zero, and no byte below it, makes a high bit here.
    const matches = (((a - everyByte) & ~a) | ((b - everyByte) & ~b) | ((c - everyByte) & ~c)) & highBits
    if ((matches | (page[at + META]! & ~countMask)) === 0) return UNKNOWN
    return this.#search(low, high, user)
  }

  add(low: number, place: number): void {
    this.#count++
    const bucket = this.#bucket(low)
    const page = this.#tags[bucket >>> tagBits]!
    const at = (bucket & tagMask) * TAGS
    const meta = page[at + META]!
    const i = meta & countMask
    if (i === bucketMax) this.#chain(page, at, place)
    else {
      const word = at + (i >> 2)
      page[word] = page[word]! | (tagOf(low) << ((i & 3) * 8))
      page[at + META] = meta + 1
    }
    this.#waitingAt[this.#waiting] = bucket * 16 + i
    this.#waitingSpot[this.#waiting] = place | ((low >>> hashShift) << placeBits)
    if (++this.#waiting === waitingMax) this.#write()
  }

  remove(low: number, place: number): void {
    this.#write()
    this.#count--
    const bucket = this.#bucket(low)
    const page = this.#tags[bucket >>> tagBits]!
    const at = (bucket & tagMask) * TAGS
    const spots = this.#spots[bucket >>> spotBits]!
    const spotAt = (bucket & spotMask) * bucketMax
    const last = (page[at + META]! & countMask) - 1
    for (let i = 0; i <= last; i++) {
      if ((spots[spotAt + i]! & placeMask) !== place) continue
      setTag(page, at, i, tagAt(page, at, last))
      setTag(page, at, last, 0)
      spots[spotAt + i] = spots[spotAt + last]!
      page[at + META] = page[at + META]! - 1
      return
    }
    this.#unlink(page, at, place)
  }

  #bucket(low: number): number {
    const bucket = low & this.#mask
    return bucket < this.#split ? low & (this.#mask * 2 + 1) : bucket
  }

  #search(low: number, high: number, user: number): number {
    this.#write()
    // Writing may have split the bucket.
    const bucket = this.#bucket(low)
    const page = this.#tags[bucket >>> tagBits]!
    const at = (bucket & tagMask) * TAGS
    const spots = this.#spots[bucket >>> spotBits]!
    const spotAt = (bucket & spotMask) * bucketMax
    const tag = tagOf(low)
    const meta = page[at + META]!
    for (let i = 0; i < (meta & countMask); i++) {
      if (tagAt(page, at, i) !== tag) continue
      const place = spots[spotAt + i]! & placeMask
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

  /** Puts an entry before those that found the bucket full. */
  #chain(page: Int32Array, at: number, place: number): void {
    const meta = page[at + META]!
    this.#link(place, meta >>> countBits)
    page[at + META] = (meta & countMask) | ((place + 1) << countBits)
  }

  #unlink(page: Int32Array, at: number, place: number): void {
    const meta = page[at + META]!
    const next = this.#word(place, NEXT)
    let link = meta >>> countBits
    if (link === place + 1) {
      page[at + META] = (meta & countMask) | (next << countBits)
      return
    }
    for (; link !== 0; link = this.#word(link - 1, NEXT)) {
      if (this.#word(link - 1, NEXT) !== place + 1) continue
      this.#link(link - 1, next)
      return
    }
    throw new Error('request is not in the index')
  }

  /** Writes the places that wait, and splits as many buckets as have become due since. */
  #write(): void {
    const waiting = this.#waiting
    for (let n = 0; n < waiting; n++) {
      const at = this.#waitingAt[n]!
      const bucket = at >>> 4
      const i = at & 15
      if (i !== bucketMax) this.#spots[bucket >>> spotBits]![(bucket & spotMask) * bucketMax + i] = this.#waitingSpot[n]!
    }
    this.#waiting = 0
    if (this.#isSplitting || this.#count > (this.#mask + 1) * meanMax) this.#grow(waiting * splitsPerAdd)
  }

  #grow(splits: number): void {
    const buckets = this.#mask + 1
    if (buckets === bucketsMax) return
    this.#isSplitting = true
    for (let n = 0; n < splits && this.#split < buckets; n++) this.#splitOne(this.#split++)
    if (this.#split < buckets) return
    this.#mask = buckets * 2 - 1
    this.#split = 0
    this.#isSplitting = false
  }

  /** Moves the requests of a bucket whose next bit of hash is set to the new bucket that shares its lower bits. */
  #splitOne(bucket: number): void {
    const other = bucket + this.#mask + 1
    if (other >>> tagBits === this.#tags.length) this.#tags.push(new Int32Array(TAGS << tagBits))
    if (other >>> spotBits === this.#spots.length) this.#spots.push(new Int32Array(bucketMax << spotBits))
    const page = this.#tags[bucket >>> tagBits]!
    const at = (bucket & tagMask) * TAGS
    const spots = this.#spots[bucket >>> spotBits]!
    const spotAt = (bucket & spotMask) * bucketMax
    const copy = this.#copy
    for (let i = 0; i < TAGS; i++) {
      copy[i] = page[at + i]!
      page[at + i] = 0
    }
    for (let i = 0; i < bucketMax; i++) copy[TAGS + i] = spots[spotAt + i]!
    const bit = (this.#mask + 1) << (placeBits - hashShift)
    const meta = copy[META]!
    for (let i = 0; i < (meta & countMask); i++) {
      const spot = copy[TAGS + i]!
      this.#append((spot & bit) === 0 ? bucket : other, tagAt(copy, 0, i), spot)
    }
    for (let link = meta >>> countBits; link !== 0; ) {
      const place = link - 1
      link = this.#word(place, NEXT)
      const low = this.#word(place, LOW)
      this.#append((low & (this.#mask + 1)) === 0 ? bucket : other, tagOf(low), place | ((low >>> hashShift) << placeBits))
    }
  }

  #append(bucket: number, tag: number, spot: number): void {
    const page = this.#tags[bucket >>> tagBits]!
    const at = (bucket & tagMask) * TAGS
    const i = page[at + META]! & countMask
    if (i === bucketMax) return this.#chain(page, at, spot & placeMask)
    const word = at + (i >> 2)
    page[word] = page[word]! | (tag << ((i & 3) * 8))
    page[at + META] = page[at + META]! + 1
    this.#spots[bucket >>> spotBits]![(bucket & spotMask) * bucketMax + i] = spot
  }
}

/** A byte of the hash that says nothing about the bucket. Never 0, which stands for no request. */
function tagOf(low: number): number {
  const tag = low >>> 24
  return tag === 0 ? 1 : tag
}

function tagAt(page: Int32Array, at: number, i: number): number {
  return (page[at + (i >> 2)]! >>> ((i & 3) * 8)) & 0xff
}

function setTag(page: Int32Array, at: number, i: number, tag: number): void {
  const shift = (i & 3) * 8
  page[at + (i >> 2)] = (page[at + (i >> 2)]! & ~(0xff << shift)) | (tag << shift)
}
