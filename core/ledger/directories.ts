import type { BlockPlace } from './blocks.ts'
import * as memory from '../protocol/codec/memory.ts'

const { reservedWords, roomierWords } = memory

/** Directories start here: large arrays start 16 bytes after the start of a cache line. */
const FIRST = 12
const youngWords = 1024
const wordsMax = 2 ** 27
/** All bits of a place. */
export const wordMask = wordsMax - 1
/** Words of a cache line: what is taken of the memory at least. */
const LINE = 16
const sizeMin = 4
const sizesMax = 18

/**
 * Lists of the blocks of owners that have more than one: open-addressed tables of four words and more, at most three
 * quarters full. One that has grown leaves its place to another.
 */
export class Directories {
  /** Read again after every `add`. */
  words = new Int32Array(youngWords)
  /** By bits of size: where the first one that is free stands, 0 for none; its first word says where the next one does. */
  readonly #free: number[] = Array.from({ length: sizesMax }, () => 0)
  #end = FIRST

  /** Takes the memory for all that can ever be listed. */
  reserve(): void {
    this.words = reservedWords(this.words, wordsMax)
  }

  all(start: number, size: number): BlockPlace[] {
    return [...this.words.subarray(start, start + size)].filter((block) => block !== 0) as BlockPlace[]
  }

  /** An empty list of at least so many places; `size` of them. */
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
    // The rest of a line waits for the next one of this size.
    for (let rest = place + size; rest < end; rest += size) this.leave(rest, size)
    return place
  }

  leave(start: number, size: number): void {
    const bits = 31 - Math.clz32(size)
    this.words.fill(0, start, start + size)
    this.words[start] = this.#free[bits]!
    this.#free[bits] = start
  }

  /** Adds a block whose search begins at `place` of the list. There is room. */
  put(start: number, size: number, block: BlockPlace, place: number): void {
    const { words } = this
    let at = place & (size - 1)
    while (words[start + at] !== 0) at = (at + 1) & (size - 1)
    words[start + at] = block
  }

  /** Size that a list for so many blocks has. */
  static sizeFor(blocks: number): number {
    let size = sizeMin
    while (blocks * 4 > size * 3) size *= 2
    return size
  }
}
