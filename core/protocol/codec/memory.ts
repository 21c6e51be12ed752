/**
 * Memory of tables that grow with the exchange. Copying a large table stops the exchange for the time of the copy. So a table
 * doubles only while it is small; then it takes all the memory that it can ever need at once and never moves again. The operating
 * system does not back the unused part. An engine takes all of this before its first command (`reserved…`), because taking it
 * makes the garbage collector look through everything. If the system does not give that much, tables go on doubling: commands
 * that copy a large table then take long. `reserve` returns whether all memory was given, so that the engine can say so.
 */

/** Tables up to this many bytes are copied when they grow: half a millisecond at most. */
const copiedMax = 2 ** 21

/** Lengths of a table: the present one, the least that is needed, and the largest possible. `bytes`: of one item. */
export type Sizes = { readonly length: number; readonly least: number; readonly max: number; readonly bytes: number }

/** Length of the table that replaces this one. Throws when even the largest one is too small. */
export function roomierLength({ length, least, max, bytes }: Sizes): number {
  if (!(least <= max)) throw new RangeError(`a table of at most ${max} items needs ${least}`)
  const doubled = Math.max(length * 2, least)
  return doubled * bytes > copiedMax ? max : Math.min(doubled, max)
}

export function roomierBytes(old: Uint8Array, least: number, max: number): Uint8Array<ArrayBuffer> {
  const table = roomier((length) => new Uint8Array(length), { old, least, max })
  table.set(old)
  return table
}

export function roomierWords(old: Int32Array, least: number, max: number): Int32Array<ArrayBuffer> {
  const table = roomier((length) => new Int32Array(length), { old, least, max })
  table.set(old)
  return table
}

export function roomierSlots(old: Float64Array, least: number, max: number): Float64Array<ArrayBuffer> {
  const table = roomier((length) => new Float64Array(length), { old, least, max })
  table.set(old)
  return table
}

type Growth = {
  readonly old: { readonly length: number; readonly BYTES_PER_ELEMENT: number }
  readonly least: number
  readonly max: number
}

/** A table that only doubles where the system does not give the memory for all that it can ever hold. */
function roomier<T>(make: (length: number) => T, { old, least, max }: Growth): T {
  const length = roomierLength({ length: old.length, least, max, bytes: old.BYTES_PER_ELEMENT })
  return whereGiven(() => make(length)) ?? make(Math.min(Math.max(old.length * 2, least), max))
}

/**
 * The same table in memory for everything that it can ever hold. If the system does not give that much, because it has less
 * memory in total, the table stays as it is and doubles with its contents.
 */
export function reservedBytes(old: Uint8Array<ArrayBuffer>, max: number): Uint8Array<ArrayBuffer> {
  return reserved((length) => new Uint8Array(length), old, max)
}

export function reservedWords(old: Int32Array<ArrayBuffer>, max: number): Int32Array<ArrayBuffer> {
  return reserved((length) => new Int32Array(length), old, max)
}

export function reservedSlots(old: Float64Array<ArrayBuffer>, max: number): Float64Array<ArrayBuffer> {
  return reserved((length) => new Float64Array(length), old, max)
}

type Table<T> = { readonly length: number; set(old: T): void }

function reserved<T extends Table<T>>(make: (length: number) => T, old: T, max: number): T {
  if (old.length >= max) return old
  const table = whereGiven(() => make(max))
  table?.set(old)
  return table ?? old
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
