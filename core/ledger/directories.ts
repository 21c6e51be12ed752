import type { BlockPlace } from './blocks.ts'
import * as memory from '../protocol/codec/memory.ts'

const { reservedWords, roomierWords } = memory

/** Index of the first directory: the contents of a large array begin 16 bytes after the start of a cache line. */
const FIRST = 12
const youngWords = 1024
const wordsMax = 2 ** 27
/** Mask of all bits of a position. */
export const wordMask = wordsMax - 1
/** Words of a cache line: the least that is taken from the memory at a time. */
const LINE = 16
const sizeMin = 4
const sizesMax = 18

/**
 * Directories: lists of the blocks of owners that have more than one. Each is an open-addressed table of four or more words, at
 * most three quarters full. A table that has grown moves, and its old memory is reused.
 */
export class Directories {
  /** Must be read again after every `take`, because growing replaces it. */
  words = new Int32Array(youngWords)
  /** By size in bits: position of the first free table, 0 for none. The first word of a free table holds the position of the next one. */
  readonly #free: number[] = Array.from({ length: sizesMax }, () => 0)
  #end = FIRST

  /** Allocates the memory for all tables that can ever exist. False when the system does not give it. */
  reserve(): boolean {
    this.words = reservedWords(this.words, wordsMax)
    return this.words.length >= wordsMax
  }

  all(start: number, size: number): BlockPlace[] {
    return [...this.words.subarray(start, start + size)].filter((block) => block !== 0) as BlockPlace[]
  }

  /** Returns the start of an empty table of `size` positions, a power of two. */
  take(size: number): number {
    const bits = 31 - Math.clz32(size)
    const start = this.#free[bits]!
    if (start !== 0) {
      this.#free[bits] = this.words[start]!
      this.words[start] = 0
      return start
    }
    const place = this.#end
    const end = place + Math.max(LINE, size)
    if (end > wordsMax) throw new Error('there is no room for the list of an owner’s accounts')
    this.#end = end
    if (end > this.words.length) this.words = roomierWords(this.words, end, wordsMax)
    // The rest of the cache line is kept for the next table of this size.
    for (let rest = place + size; rest < end; rest += size) this.giveBack(rest, size)
    return place
  }

  giveBack(start: number, size: number): void {
    const bits = 31 - Math.clz32(size)
    this.words.fill(0, start, start + size)
    this.words[start] = this.#free[bits]!
    this.#free[bits] = start
  }

  /** Adds a block whose search begins at `place` of the table. The table must have room. */
  put(start: number, size: number, block: BlockPlace, place: number): void {
    const { words } = this
    let at = place & (size - 1)
    while (words[start + at] !== 0) at = (at + 1) & (size - 1)
    words[start + at] = block
  }

  /** Size of the table for this many blocks. */
  static sizeFor(blocks: number): number {
    let size = sizeMin
    while (blocks * 4 > size * 3) size *= 2
    return size
  }
}
