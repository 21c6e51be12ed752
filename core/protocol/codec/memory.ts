/**
 * Memory of tables that grow with the exchange. Copying a large table stops the exchange for the time of the copy. So a table
 * doubles only while it is small; then it takes all the memory that it can ever need at once and never moves again. The operating
 * system does not back the unused part. An engine takes all of this before its first command (`reserved…`), because taking it
 * makes the garbage collector look through everything.
 */

/** Tables up to this many bytes are copied when they grow: half a millisecond at most. */
const copiedMax = 2 ** 21

/** Length of the table that replaces one of `length`. `bytes`: of one item. `least` and `max` are lengths too. */
export function roomierLength(length: number, least: number, max: number, bytes: number): number {
  const doubled = Math.max(length * 2, least)
  return doubled * bytes > copiedMax ? max : Math.min(doubled, max)
}

export function roomierBytes(old: Uint8Array, least: number, max: number): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(roomierLength(old.length, least, max, 1))
  table.set(old)
  return table
}

export function roomierWords(old: Int32Array, least: number, max: number): Int32Array<ArrayBuffer> {
  const table = new Int32Array(roomierLength(old.length, least, max, 4))
  table.set(old)
  return table
}

export function roomierSlots(old: Float64Array, least: number, max: number): Float64Array<ArrayBuffer> {
  const table = new Float64Array(roomierLength(old.length, least, max, 8))
  table.set(old)
  return table
}

/**
 * The same table in memory for everything that it can ever hold. If the system does not give that much, because it has less
 * memory in total, the table stays as it is and grows with its contents.
 */
export function reservedBytes(old: Uint8Array<ArrayBuffer>, max: number): Uint8Array<ArrayBuffer> {
  return old.length >= max ? old : (whereGiven(() => roomierBytes(old, max, max)) ?? old)
}

export function reservedWords(old: Int32Array<ArrayBuffer>, max: number): Int32Array<ArrayBuffer> {
  return old.length >= max ? old : (whereGiven(() => roomierWords(old, max, max)) ?? old)
}

export function reservedSlots(old: Float64Array<ArrayBuffer>, max: number): Float64Array<ArrayBuffer> {
  return old.length >= max ? old : (whereGiven(() => roomierSlots(old, max, max)) ?? old)
}

/** Undefined when the system does not give the memory. */
export function whereGiven<T>(reserve: () => T): T | undefined {
  try {
    return reserve()
  } catch (cause) {
    if (cause instanceof RangeError) return undefined
    throw cause
  }
}
