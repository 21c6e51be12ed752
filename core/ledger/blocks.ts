import type { Brand } from '../money/brand.ts'
import type { AccountNumber, OwnerId } from '../protocol/ids.ts'
import * as memory from '../protocol/codec/memory.ts'
import { Directories } from './directories.ts'

const { reservedSlots, reservedWords, roomierSlots, roomierWords } = memory

/**
 * Slots of a block, which is one cache line: the owner, the account number (as `accountSlot` gives it) just before its first
 * account, and three accounts of two slots each, available and held.
 */
export const BLOCK = 8
export const OWNER = 0
/** Slot of the base number: account n of the block, from 1 to 3, has the number base + n. */
export const BASE = 1
export const ACCOUNTS = 3
/** Position of a block in memory: the index of its first slot. */
export type BlockPlace = Brand<number, 'BlockPlace'>
/** Index of the first block: the contents of a large array begin 16 bytes after the start of a cache line. */
export const FIRST = 6
/** Mask of all bits of a slot's index. After masking, the compiler knows that adding a slot can't overflow and skips the check. */
export const slotMask = 2 ** 28 - 1
const youngSlots = FIRST + 64 * BLOCK
/** Position of the block without an owner: its three accounts stay empty for ever. */
export const NONE = FIRST as BlockPlace

/**
 * Users are owners from 1 up, and the exchange's own accounts are owners below zero. This is added to an owner's number so that
 * it indexes an array.
 */
export const ownersBelow = 64
export const usersMax = 2 ** 23
/** Words per owner: the position of its run, or minus the position of its directory; then the mask for positions inside it. */
export const OWNER_WORDS = 2
export const MASK = 1
/** Largest possible number of blocks: they take one gigabyte. */
export const blocksLimit = 2 ** 24 - 1
/** Slots for the blocks, and as many again for unused positions inside runs. */
const slotsMax = slotMask + 1
/** Marks a position of a run that has no block. */
const EMPTY = -1
/**
 * Positions in the first run of the exchange's own accounts: room for 768 assets. Otherwise listing an asset would now and then move
 * the accounts of all these owners in one command.
 */
const systemRun = 256
/** Number of different sizes of runs. */
const sizesMax = 26
const ownersMax = usersMax + ownersBelow + 1
/** Account numbers of two neighbouring kinds differ by this. */
export const kindUnit = 2 ** 20
/** Spreads the blocks of different kinds over an owner's run. */
const kindSpread = 0x9e3779b1

/**
 * An owner whose blocks are listed in a directory and wait to be gathered, with the run that held them before; size 0 means there
 * was no run.
 */
type Untidy = { readonly owner: OwnerId; readonly run: number; readonly size: number }

/**
 * The accounts of all owners. A block holds the accounts of one owner and kind for three neighbouring assets; it is made when the
 * first of the three is. All blocks share one memory, which is reserved as a whole before it grows large: the operating system
 * backs it page by page (see `memory.ts`).
 *
 * The blocks of an owner form a run: an array in which a block's number gives its position. This holds while no two blocks need
 * the same position and half of the positions are in use; otherwise a directory lists the position of each block. A block never
 * moves during a command. After the command, `tidy` gathers the blocks of owners that got a new one into one run again.
 */
export class Blocks {
  static readonly ownersStart = -ownersBelow as OwnerId
  /** Read `rows`, `owners` and the directories' words again after every `open`: growing replaces them. */
  rows = new Float64Array(youngSlots)
  /** Two words per owner. */
  owners = new Int32Array(1024)
  readonly directories = new Directories()
  readonly #max: number
  #count = 0
  #ownersEnd = 0
  #end = NONE + BLOCK
  /** By size in bits: position of the first free run, 0 for none. The first slot of a free run holds the position of the next one. */
  readonly #free: number[] = Array.from({ length: sizesMax }, () => 0)
  /** Owners that got a block in the running command for which their run had no position. */
  readonly #untidy: Untidy[] = []

  constructor(max = blocksLimit) {
    this.#max = Math.min(max, blocksLimit)
    // Position 0 must never match a search.
    this.rows[BASE] = -1
  }

  /** Takes the memory for as many blocks and owners as there can ever be. False when the system does not give it. */
  reserve(): boolean {
    this.rows = reservedSlots(this.rows, slotsMax)
    this.owners = reservedWords(this.owners, ownersMax * OWNER_WORDS)
    const hasDirectories = this.directories.reserve()
    return hasDirectories && this.rows.length >= slotsMax && this.owners.length >= ownersMax * OWNER_WORDS
  }

  /** Number of blocks that can still be made. */
  get left(): number {
    return this.#max - this.#count
  }

  get count(): number {
    return this.#count
  }

  /** Position of the block with the owner's accounts after number `base`, or `NONE`. */
  find(owner: OwnerId, base: AccountNumber): BlockPlace {
    const at = (owner + ownersBelow) * OWNER_WORDS
    const entry = this.owners[at] ?? 0
    if (entry === 0) return NONE
    const mask = this.owners[at + MASK]!
    const home = placeOf(owner, base) & mask
    if (entry > 0) return this.#baseOf((entry + home * BLOCK) as BlockPlace) === base ? ((entry + home * BLOCK) as BlockPlace) : NONE
    const { words } = this.directories
    for (let place = home; ; place = (place + 1) & mask) {
      const block = words[place - entry] as BlockPlace
      if (block === 0) return NONE
      if (this.#baseOf(block) === base) return block
    }
  }

  /**
   * Position of the block with the owner's accounts after number `base`; makes the block if needed. Throws when all blocks are in
   * use: ask `left` before.
   */
  open(owner: OwnerId, base: AccountNumber): BlockPlace {
    const known = this.find(owner, base)
    return known === NONE ? this.#make(owner, base) : known
  }

  /** Positions of all blocks of an owner, by account number. */
  ofOwner(owner: OwnerId): BlockPlace[] {
    const found = this.#listOf((owner + ownersBelow) * OWNER_WORDS)
    return found.length < 2 ? found : found.sort((a, b) => this.#baseOf(a) - this.#baseOf(b))
  }

  /** Owners that have blocks lie between `ownersStart` and this, exclusive. */
  get ownersEnd(): number {
    return this.#ownersEnd
  }

  /** Positions of all blocks, by owner. */
  *all(): Generator<BlockPlace> {
    for (let owner = -ownersBelow; owner < this.#ownersEnd; owner++) yield* this.#listOf((owner + ownersBelow) * OWNER_WORDS)
  }

  /** Whether `tidy` has something to do. */
  get isUntidy(): boolean {
    return this.#untidy.length > 0
  }

  /** Moves blocks: all positions known before this call are invalid after it. */
  tidy(): void {
    for (const one of this.#untidy) this.#gather(one)
    this.#untidy.length = 0
  }

  #listOf(at: number): BlockPlace[] {
    const entry = this.owners[at] ?? 0
    const mask = this.owners[at + MASK] ?? 0
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
    if (owner < 0 && this.owners[at] === 0) this.#beginRun(owner, systemRun)
    const entry = this.owners[at]!
    const place = entry > 0 ? entry + (placeOf(owner, base) & this.owners[at + MASK]!) * BLOCK : 0
    const isPlaceFree = place !== 0 && this.#baseOf(place as BlockPlace) === EMPTY
    const block = (isPlaceFree ? place : this.#take(1)) as BlockPlace
    this.rows[block + OWNER] = owner
    this.rows[block + BASE] = base
    if (entry === 0) this.owners[at] = block
    else if (!isPlaceFree) this.#enter(owner, block)
    return block
  }

  /** Adds a block to an owner that has others. It goes into the owner's directory, which is made if the owner still has a run. */
  #enter(owner: OwnerId, block: BlockPlace): void {
    const { directories, owners } = this
    const at = (owner + ownersBelow) * OWNER_WORDS
    const entry = owners[at]!
    const size = entry > 0 ? 0 : owners[at + MASK]! + 1
    const known = this.#listOf(at)
    const wanted = Directories.sizeFor(known.length + 1)
    this.#untidy.push({ owner, run: entry > 0 ? entry : 0, size: entry > 0 ? owners[at + MASK]! + 1 : 0 })
    if (wanted === size) return directories.put(-entry, size, block, placeOf(owner, this.#baseOf(block)))
    const start = directories.take(wanted)
    for (const one of [...known, block]) directories.put(start, wanted, one, placeOf(owner, this.#baseOf(one)))
    if (size > 0) directories.giveBack(-entry, size)
    owners[at] = -start
    owners[at + MASK] = wanted - 1
  }

  /** Gathers the blocks that an owner's directory lists into one run. */
  #gather({ owner, run: old, size: oldSize }: Untidy): void {
    const at = (owner + ownersBelow) * OWNER_WORDS
    const entry = this.owners[at]!
    if (entry >= 0) return
    const blocks = this.#listOf(at)
    const size = this.#sizeOfRun(owner, blocks)
    if (size === 0) return this.#giveBackEmpty(old, oldSize)
    const { directories, owners } = this
    directories.giveBack(-entry, owners[at + MASK]! + 1)
    const run = this.#beginRun(owner, size)
    const { rows } = this
    const oldEnd = old + oldSize * BLOCK
    for (const block of blocks) {
      const to = run + (placeOf(owner, this.#baseOf(block)) & (size - 1)) * BLOCK
      rows.copyWithin(to, block, block + BLOCK)
      if (block < old || block >= oldEnd) this.#giveBack(block, 1)
    }
    if (oldSize > 0) this.#giveBack(old, oldSize)
  }

  /** Gives an owner an empty run of this many positions, a power of two. */
  #beginRun(owner: OwnerId, size: number): number {
    const at = (owner + ownersBelow) * OWNER_WORDS
    const run = this.#take(size)
    for (let place = 0; place < size; place++) this.rows[run + place * BLOCK + BASE] = EMPTY
    this.owners[at] = run
    this.owners[at + MASK] = size - 1
    return run
  }

  /** Gives back the positions of a dissolved run that hold no block. */
  #giveBackEmpty(run: number, size: number): void {
    for (let place = 0; place < size; place++)
      if (this.#baseOf((run + place * BLOCK) as BlockPlace) === EMPTY) this.#giveBack(run + place * BLOCK, 1)
  }

  /** Number of positions of a run that can hold these blocks, 0 when no run can. */
  #sizeOfRun(owner: OwnerId, blocks: readonly BlockPlace[]): number {
    for (let size = sizeAbove(blocks.length); size <= blocks.length * 2; size *= 2) {
      // All blocks that can still be made must find room too.
      if (this.#free[31 - Math.clz32(size)] === 0 && this.#end + (size + this.left) * BLOCK > slotsMax) return 0
      const places = new Set(blocks.map((block) => placeOf(owner, this.#baseOf(block)) & (size - 1)))
      if (places.size === blocks.length) return size
    }
    return 0
  }

  /** Zeroed memory for this many consecutive blocks, a power of two. */
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

  #giveBack(run: number, size: number): void {
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
 * Index of a block within its owner's run. Neighbouring blocks of one kind get neighbouring indexes. The indexes of owners with
 * neighbouring numbers are shifted against each other; otherwise they would compete for the same cache sets.
 */
function placeOf(owner: OwnerId, base: AccountNumber): number {
  const kind = Math.floor(base / kindUnit)
  return (((base - kind * kindUnit) / ACCOUNTS) | 0) + (Math.imul(kind, kindSpread) >>> 20) + owner
}

function sizeAbove(count: number): number {
  return 2 ** Math.ceil(Math.log2(count))
}
