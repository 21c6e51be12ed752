/** Mask of all bits of a command slot's index. After masking, the compiler knows that adding a few can't overflow and skips the check. */
export const SLOTS = 2 ** 29 - 1
/** The same mask for the index of any record. */
const placeMask = 2 ** 30 - 1

/**
 * A growable array of 8-byte slots, each a safe integer in a float64: the form of commands and events in the hot path, in the
 * journal and between processes. A record starts with its head (opcode × 2^20 + length in slots) and follows the previous one
 * without a gap. Little-endian on every supported platform.
 */
export class Records {
  /** The slots; those from `length` on have no meaning. Replaced when it grows: read it again after every `reserve`. */
  data: Float64Array<ArrayBuffer>
  /** Slots in use. Always a small integer: see `reserve`. */
  length = 0
  /** Length of `data`, which the compiler reads faster from here. */
  #room: number

  constructor(capacity = 1024) {
    this.data = new Float64Array(capacity)
    this.#room = capacity
  }

  /** Makes room for `slots` more at the end, counts them as used, and returns the index of the first. */
  reserve(slots: number): number {
    // Masked for the compiler: see `SLOTS`. And a sum with a number out of slots would turn `length` into a float64 for good.
    const at = this.length & placeMask
    const end = (at + slots) | 0
    if (end > this.#room) this.#grow(end)
    this.length = end
    return at
  }

  /** Appends all values from index `from` on. */
  all(values: readonly number[], from = 0): void {
    const at = this.reserve(values.length - from)
    for (let n = from; n < values.length; n++) this.data[at + n - from] = values[n]!
  }

  clear(): void {
    this.length = 0
  }

  /** The used part as bytes: a view, valid until the next write. */
  bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.data.buffer, this.data.byteOffset, this.length * 8)
  }

  /** Appends a copy of slots `from` to `to` of another array. */
  append(source: Float64Array, from: number, to: number): void {
    const at = this.reserve(to - from)
    this.data.set(source.subarray(from, to), at)
  }

  /** A copy of bytes that came from `bytes()`. Throws when they are not whole slots. */
  static from(bytes: Uint8Array): Records {
    if (bytes.byteLength % 8 !== 0) throw new Error(`records of ${bytes.byteLength} bytes end inside a slot`)
    // Not `slice`, which does not copy for a Buffer.
    return Records.over(new Float64Array(new Uint8Array(bytes).buffer))
  }

  /** Records in these slots, all of them used; not a copy. */
  static over(slots: Float64Array<ArrayBuffer>): Records {
    const records = new Records(0)
    records.data = slots
    records.length = slots.length
    records.#room = slots.length
    return records
  }

  #grow(least: number): void {
    if (least > placeMask) throw new Error(`records of ${least} slots`)
    const grown = new Float64Array(Math.max(least, this.data.length * 2, 64))
    grown.set(this.data.subarray(0, this.length))
    this.data = grown
    this.#room = grown.length
  }
}

const lengthBits = 20
const lengthMask = (1 << lengthBits) - 1

/** First slot of a record. */
export function head(opcode: number, length: number): number {
  return (opcode << lengthBits) | length
}

export function opcodeOf(headSlot: number): number {
  return headSlot >>> lengthBits
}

/** Slots of the record, its head included. */
export function lengthOf(headSlot: number): number {
  return headSlot & lengthMask
}

/** The number itself (never −0). Throws when it is not a safe integer: only those survive a slot unharmed. */
export function integer(value: number, what: string): number {
  if (!Number.isSafeInteger(value)) throw new Error(`${what} is not a safe integer: ${value}`)
  return value + 0
}

/** Versions of a dump that can be read; the last is the one that is written. */
export const dumpVersions = [12, 13, 14, 15, 16, 17, 18, 19, 20] as const
export type DumpVersion = (typeof dumpVersions)[number]

/** Position of each field of a record, counted from the record's first slot; `names` are the fields in this order. */
export type Layout<N extends string> = { readonly [name in N]: number } & { readonly names: readonly N[]; readonly length: number }

/** The layout of a record with its fields in this order, one slot each. Records are on disk: a new order is a new version. */
export function layoutOf<const N extends string>(...names: readonly N[]): Layout<N> {
  const places = Object.fromEntries(names.map((name, place) => [name, place]))
  return Object.freeze({ ...places, names, length: names.length }) as Layout<N>
}

/** Appends a record with these fields; a boolean is 0 or 1. */
export function putRecord<N extends string>(
  into: Records,
  layout: Layout<N>,
  fields: { readonly [name in NoInfer<N>]: number | boolean },
): void {
  const { names } = layout
  const at = into.reserve(names.length)
  for (let n = 0; n < names.length; n++) into.data[at + n] = Number(fields[names[n]!])
}

/** Appends values that are not a record: counts, and lists of one kind. */
export function put(into: Records, ...values: readonly number[]): void {
  into.all(values)
}
