/**
 * Memory of tables that grow with the exchange. Copying a large table stops the exchange for as long as the copy takes, so a
 * table doubles only while it is small, and then takes at once all that it can ever need: what is not in use of it is not
 * backed by memory, and it never moves again. An engine takes all of that before its first command (`reserved…`), because taking
 * it makes the collector look through everything.
 */

/** A table of this many bytes is copied for the last time: half a millisecond. */
const copiedMax = 2 ** 21

/** Length of the table that takes the place of one of `length`. `bytes`: of one item. `least` and `max` are lengths too. */
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
 * The same table in memory for all that it can ever hold. A system that does not give so much at once, because it has less memory than
 * that in all, leaves the table as it is: it goes on growing with what is in it.
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

/** Undefined where the system does not give the memory. */
export function whereGiven<T>(reserve: () => T): T | undefined {
  try {
    return reserve()
  } catch (cause) {
    if (cause instanceof RangeError) return undefined
    throw cause
  }
}
