import type { Brand } from '../money/brand.ts'
import type { AccountNumber, OwnerId } from '../protocol/ids.ts'
import * as memory from '../protocol/codec/memory.ts'
import { Directories } from './directories.ts'

const { reservedSlots, reservedWords, roomierSlots, roomierWords } = memory

/**
 * A block is a cache line of eight slots: owner, the number (as `accountSlot` gives it) of the account before its first, and
 * three accounts, two slots each: what is available, what is held.
 */
export const BLOCK = 8
export const OWNER = 0
/** Its account n, from 1 to 3, has this number + n. */
export const BASE = 1
export const ACCOUNTS = 3
/** Where a block stands: its first slot. */
export type BlockPlace = Brand<number, 'BlockPlace'>
/** Blocks start here: large arrays start 16 bytes after the start of a cache line. */
export const FIRST = 6
/** All bits of the place of a slot: the compiler need not check that a slot more overflows. */
export const slotMask = 2 ** 28 - 1
const youngSlots = FIRST + 64 * BLOCK
/** Where the block of nobody stands: three accounts that are empty for ever. */
export const NONE = FIRST as BlockPlace

/** Owners are users from 1, and the exchange's own accounts below zero: they stand this far above. */
export const ownersBelow = 64
export const usersMax = 2 ** 23
/** Words of an owner: where its run stands, or minus where its directory does; all bits of a place in that. */
export const OWNER_WORDS = 2
/** One gigabyte of accounts. */
export const blocksLimit = 2 ** 24 - 1
/** As much again for places of runs that are not in use. */
const slotsMax = slotMask + 1
/** Place of a run where no block is. */
const EMPTY = -1
/** Sizes that a run can have. */
const sizesMax = 26
const ownersMax = usersMax + ownersBelow + 1
const kindUnit = 2 ** 20
const kindSpread = 0x9e3779b1

/** An owner whose blocks a directory lists, and the run that they were before; of size 0: they were none. */
type Untidy = { readonly owner: OwnerId; readonly run: number; readonly size: number }

/**
 * The accounts of all owners. Of one owner and kind, those of three neighbouring assets are a block, made when the first of
 * them is. They stand in one memory that is reserved whole before it grows large: the system backs it page by page (see
 * `memory.ts`).
 *
 * An owner's blocks are a run, each in its place by its number, as long as no two have the same place and half of the places are
 * in use; else a directory says where each stands. A block stays where it is until the command ends; then `tidy` makes one run
 * of those of an owner that got another one.
 */
export class Blocks {
  static readonly ownersStart = -ownersBelow as OwnerId
  /** All three are read again after every `open`. */
  rows = new Float64Array(youngSlots)
  /** Per owner two words. */
  owners = new Int32Array(1024)
  readonly directories = new Directories()
  readonly #max: number
  #count = 0
  #ownersEnd = 0
  #end = NONE + BLOCK
  /** By bits of size: where the first free run stands, 0 for none; its first slot says where the next one does. */
  readonly #free: number[] = Array.from({ length: sizesMax }, () => 0)
  /** Owners whose run had no place for a block that they got in the running command. */
  readonly #untidy: Untidy[] = []

  constructor(max = blocksLimit) {
    this.#max = Math.min(max, blocksLimit)
    // Nothing is found at place 0.
    this.rows[BASE] = -1
  }

  /** Takes the memory for all blocks and owners that there can be. */
  reserve(): void {
    this.rows = reservedSlots(this.rows, slotsMax)
    this.owners = reservedWords(this.owners, ownersMax * OWNER_WORDS)
    this.directories.reserve()
  }

  /** How many more can be made. */
  get left(): number {
    return this.#max - this.#count
  }

  get count(): number {
    return this.#count
  }

  /** Where the block of an owner's accounts after number `base` stands, `NONE` when there is none. */
  find(owner: OwnerId, base: AccountNumber): BlockPlace {
    const at = (owner + ownersBelow) * OWNER_WORDS
    const entry = this.owners[at] ?? 0
    if (entry === 0) return NONE
    const mask = this.owners[at + 1]!
    const home = placeOf(owner, base) & mask
    if (entry > 0) return this.#baseOf((entry + home * BLOCK) as BlockPlace) === base ? ((entry + home * BLOCK) as BlockPlace) : NONE
    const { words } = this.directories
    for (let place = home; ; place = (place + 1) & mask) {
      const block = words[place - entry] as BlockPlace
      if (block === 0) return NONE
      if (this.#baseOf(block) === base) return block
    }
  }

  /** The same, made when there is none. Throws when all are in use: ask `left` before. */
  open(owner: OwnerId, base: AccountNumber): BlockPlace {
    const known = this.find(owner, base)
    return known === NONE ? this.#make(owner, base) : known
  }

  /** Where all blocks of an owner stand, by account number. */
  ofOwner(owner: OwnerId): BlockPlace[] {
    const found = this.#listOf((owner + ownersBelow) * OWNER_WORDS)
    return found.length < 2 ? found : found.sort((a, b) => this.#baseOf(a) - this.#baseOf(b))
  }

  /** Owners that have blocks lie from `ownersStart` to below this. */
  get ownersEnd(): number {
    return this.#ownersEnd
  }

  /** Where every block stands, by owner. */
  *all(): Generator<BlockPlace> {
    for (let owner = -ownersBelow; owner < this.#ownersEnd; owner++) yield* this.#listOf((owner + ownersBelow) * OWNER_WORDS)
  }

  /** Whether `tidy` has something to do. */
  get isUntidy(): boolean {
    return this.#untidy.length > 0
  }

  /** Moves blocks: what knows where one stands forgets it. */
  tidy(): void {
    for (const one of this.#untidy) this.#gather(one)
    this.#untidy.length = 0
  }

  #listOf(at: number): BlockPlace[] {
    const entry = this.owners[at] ?? 0
    const mask = this.owners[at + 1] ?? 0
    if (entry < 0) return this.directories.all(-entry, mask + 1)
    const found: BlockPlace[] = []
    if (entry === 0) return found
    for (let place = 0; place <= mask; place++) {
      const block = (entry + place * BLOCK) as BlockPlace
      if (this.#baseOf(block) !== EMPTY) found.push(block)
    }
    return found
  }

  #make(owner: OwnerId, base: AccountNumber): BlockPlace {
    if (this.#count === this.#max) throw new Error('there are more accounts than rows')
    this.#count++
    const at = (owner + ownersBelow) * OWNER_WORDS
    if (at >= this.owners.length) this.owners = roomierWords(this.owners, at + OWNER_WORDS, ownersMax * OWNER_WORDS)
    if (owner >= this.#ownersEnd) this.#ownersEnd = owner + 1
    const entry = this.owners[at]!
    const place = entry > 0 ? entry + (placeOf(owner, base) & this.owners[at + 1]!) * BLOCK : 0
    const isPlaceFree = place !== 0 && this.#baseOf(place as BlockPlace) === EMPTY
    const block = (isPlaceFree ? place : this.#take(1)) as BlockPlace
    this.rows[block + OWNER] = owner
    this.rows[block + BASE] = base
    if (entry === 0) this.owners[at] = block
    else if (!isPlaceFree) this.#enter(owner, at, block)
    return block
  }

  /** Adds a block to those of an owner that has others: to its directory, of which a run has none. */
  #enter(owner: OwnerId, at: number, block: BlockPlace): void {
    const { directories, owners } = this
    const entry = owners[at]!
    const size = entry > 0 ? 0 : owners[at + 1]! + 1
    const known = this.#listOf(at)
    const wanted = Directories.sizeFor(known.length + 1)
    this.#untidy.push({ owner, run: entry > 0 ? entry : 0, size: entry > 0 ? owners[at + 1]! + 1 : 0 })
    if (wanted === size) return directories.put(-entry, size, block, placeOf(owner, this.#baseOf(block)))
    const start = directories.take(wanted)
    for (const one of [...known, block]) directories.put(start, wanted, one, placeOf(owner, this.#baseOf(one)))
    if (size > 0) directories.leave(-entry, size)
    owners[at] = -start
    owners[at + 1] = wanted - 1
  }

  /** Makes a run of an owner's blocks that a directory lists. */
  #gather({ owner, run: old, size: oldSize }: Untidy): void {
    const at = (owner + ownersBelow) * OWNER_WORDS
    const entry = this.owners[at]!
    if (entry >= 0) return
    const blocks = this.#listOf(at)
    const size = this.#sizeOfRun(owner, blocks)
    if (size === 0) return this.#leaveEmpty(old, oldSize)
    const run = this.#take(size)
    const { rows } = this
    const oldEnd = old + oldSize * BLOCK
    for (let place = 0; place < size; place++) rows[run + place * BLOCK + BASE] = EMPTY
    for (const block of blocks) {
      const to = run + (placeOf(owner, this.#baseOf(block)) & (size - 1)) * BLOCK
      rows.copyWithin(to, block, block + BLOCK)
      if (block < old || block >= oldEnd) this.#leave(block, 1)
    }
    if (oldSize > 0) this.#leave(old, oldSize)
    this.directories.leave(-entry, this.owners[at + 1]! + 1)
    this.owners[at] = run
    this.owners[at + 1] = size - 1
  }

  /** The places in which no block is of a run that is one no longer. */
  #leaveEmpty(run: number, size: number): void {
    for (let place = 0; place < size; place++)
      if (this.#baseOf((run + place * BLOCK) as BlockPlace) === EMPTY) this.#leave(run + place * BLOCK, 1)
  }

  /** Places of the run that these blocks can be, 0 when they can't. */
  #sizeOfRun(owner: OwnerId, blocks: readonly BlockPlace[]): number {
    for (let size = sizeAbove(blocks.length); size <= blocks.length * 2; size *= 2) {
      // What can still be made must find room.
      if (this.#free[31 - Math.clz32(size)] === 0 && this.#end + (size + this.left) * BLOCK > slotsMax) return 0
      const places = new Set(blocks.map((block) => placeOf(owner, this.#baseOf(block)) & (size - 1)))
      if (places.size === blocks.length) return size
    }
    return 0
  }

  /** Memory for so many blocks in a row, a power of two: zeros. */
  #take(size: number): number {
    const bits = 31 - Math.clz32(size)
    const free = this.#free[bits]!
    if (free !== 0) {
      this.#free[bits] = this.rows[free]!
      this.rows[free] = 0
      return free
    }
    const run = this.#end
    this.#end += size * BLOCK
    if (this.#end > this.rows.length) this.rows = roomierSlots(this.rows, this.#end, slotsMax)
    return run
  }

  #leave(run: number, size: number): void {
    const bits = 31 - Math.clz32(size)
    this.rows.fill(0, run, run + size * BLOCK)
    this.rows[run] = this.#free[bits]!
    this.#free[bits] = run
  }

  #baseOf(block: BlockPlace): AccountNumber {
    return this.rows[block + BASE] as AccountNumber
  }
}

/**
 * Place of a block among its owner's. Of one kind, neighbours have neighbouring places; those of owners with neighbouring numbers
 * are shifted, or they would fight for the same places in a cache.
 */
function placeOf(owner: OwnerId, base: AccountNumber): number {
  const kind = Math.floor(base / kindUnit)
  return (((base - kind * kindUnit) / ACCOUNTS) | 0) + (Math.imul(kind, kindSpread) >>> 20) + owner
}

function sizeAbove(count: number): number {
  return 2 ** Math.ceil(Math.log2(count))
}
