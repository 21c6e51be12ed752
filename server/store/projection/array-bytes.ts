import { formatFixed } from '@candor/core/money/units.ts'

export type ColumnType = 'bigint' | 'integer' | 'numeric' | 'text' | 'boolean' | 'jsonb' | 'bytea'
/** A bytea is given as `\x` and hexadecimal digits, a numeric as a plain decimal. */
export type Value = number | string | boolean | null

const oids: Readonly<Record<ColumnType, number>> = { boolean: 16, bytea: 17, bigint: 20, integer: 23, text: 25, numeric: 1700, jsonb: 3802 }
/** The header of an array: count of dimensions, whether it has nulls, the elements' type, count of elements, number of the first. */
const headBytes = 20
/** Upper bound of the bytes of one value that isn't text: a numeric of a safe integer with a scale up to 255 is far shorter. */
const shortMax = 320
const initialBytes = 4096
const base = 10_000
const negative = 0x4000

/**
 * The values of a column as arrays in PostgreSQL's binary form, `perArray` values in each. Two buffers take turns: arrays that
 * were taken stay unchanged while the next ones are collected, until the next `take`.
 * Form: `array_recv`, `numeric_recv` and so on of PostgreSQL; all integers are big-endian.
 */
export class ArrayBytes {
  readonly #type: ColumnType
  readonly #perArray: number
  #bytes = Buffer.allocUnsafeSlow(initialBytes)
  #spare = Buffer.allocUnsafeSlow(initialBytes)
  #at = 0
  /** Offset at which the current array begins, and the count of its values. */
  #from = 0
  #count = 0
  #hasNulls = false
  #ends: number[] = []

  constructor(type: ColumnType, perArray: number) {
    this.#type = type
    this.#perArray = perArray
  }

  add(value: Value): void {
    this.#begin(typeof value === 'string' ? shortMax + 3 * value.length : shortMax)
    if (value === null) {
      this.#hasNulls = true
      this.#int32(-1)
    } else this.#write(value)
    this.#end()
  }

  /** Adds a bytea from its bytes, which saves the way through hexadecimal digits. */
  addBytes(value: Buffer): void {
    this.#begin(4 + value.length)
    this.#int32(value.length)
    this.#at += value.copy(this.#bytes, this.#at)
    this.#end()
  }

  /** Adds a numeric of `units` × 10^−`scale`. */
  addFixed(units: number | bigint, scale: number): void {
    this.#begin(shortMax)
    // PostgreSQL groups the digits by four, counted from the decimal point.
    const aligned = typeof units === 'number' ? units * (alignments[scale & 3] as number) : Number.NaN
    if (Number.isSafeInteger(aligned)) this.#numeric(aligned, scale)
    else this.#decimal(formatFixed(units, scale))
    this.#end()
  }

  /** The arrays that were collected since the last call. */
  take(): readonly Buffer[] {
    this.#seal()
    const bytes = this.#bytes
    let from = 0
    const arrays = this.#ends.map((end) => bytes.subarray(from, (from = end)))
    this.#bytes = this.#spare
    this.#spare = bytes
    this.#at = 0
    this.#ends = []
    return arrays
  }

  #begin(room: number): void {
    const needed = this.#at + headBytes + room
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, needed))
      this.#bytes.copy(larger, 0, 0, this.#at)
      this.#bytes = larger
    }
    if (this.#count > 0) return
    this.#from = this.#at
    this.#at += headBytes
  }

  #end(): void {
    if (++this.#count === this.#perArray) this.#seal()
  }

  #seal(): void {
    if (this.#count === 0) return
    const head = this.#bytes
    const from = this.#from
    head.writeInt32BE(1, from)
    head.writeInt32BE(this.#hasNulls ? 1 : 0, from + 4)
    head.writeInt32BE(oids[this.#type], from + 8)
    head.writeInt32BE(this.#count, from + 12)
    head.writeInt32BE(1, from + 16)
    this.#ends.push(this.#at)
    this.#count = 0
    this.#hasNulls = false
  }

  #write(value: Exclude<Value, null>): void {
    switch (this.#type) {
      case 'bigint':
        return this.#bigint(Number(value))
      case 'integer':
        this.#int32(4)
        return this.#int32(Number(value))
      case 'numeric':
        return typeof value === 'number' && Number.isSafeInteger(value) ? this.#numeric(value, 0) : this.#decimal(String(value))
      case 'boolean':
        this.#int32(1)
        this.#bytes[this.#at++] = value === true ? 1 : 0
        return
      case 'text':
        return this.#text(value as string)
      case 'jsonb':
        return this.#jsonb(value as string)
      case 'bytea':
        return this.#hex(value as string)
    }
  }

  #int16(value: number): void {
    this.#bytes[this.#at] = value >> 8
    this.#bytes[this.#at + 1] = value
    this.#at += 2
  }

  #int32(value: number): void {
    this.#bytes[this.#at] = value >> 24
    this.#bytes[this.#at + 1] = value >> 16
    this.#bytes[this.#at + 2] = value >> 8
    this.#bytes[this.#at + 3] = value
    this.#at += 4
  }

  #bigint(value: number): void {
    if (!Number.isSafeInteger(value)) throw new Error(`not a safe integer: ${value}`)
    const high = Math.floor(value / 2 ** 32)
    this.#int32(8)
    this.#int32(high)
    this.#int32(value - high * 2 ** 32)
  }

  #text(text: string): void {
    const start = this.#at
    this.#at += 4
    this.#utf8(text)
    this.#length(start)
  }

  #jsonb(text: string): void {
    const start = this.#at
    this.#at += 4
    this.#bytes[this.#at++] = 1
    this.#utf8(text)
    this.#length(start)
  }

  #hex(text: string): void {
    const start = this.#at
    this.#at += 4
    this.#at += this.#bytes.write(text.slice(2), this.#at, 'hex')
    this.#length(start)
  }

  #utf8(text: string): void {
    const bytes = this.#bytes
    const at = this.#at
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code > 127) {
        this.#at += bytes.write(text, at)
        return
      }
      bytes[at + index] = code
    }
    this.#at += text.length
  }

  /** Writes the length of the bytes from `start` on into the four bytes that were left free there. */
  #length(start: number): void {
    const end = this.#at
    this.#at = start
    this.#int32(end - start - 4)
    this.#at = end
  }

  /** `aligned`: units of 10^−scale, multiplied so that its number of decimals is a multiple of four. */
  #numeric(aligned: number, scale: number): void {
    let rest = Math.abs(aligned)
    const fractions = (scale + 3) >> 2
    // Begins with the smallest group; groups of zeros at the end are not written.
    let exponent = -fractions
    const groups = scratch
    let count = 0
    while (rest > 0) {
      let whole = Math.floor(rest / base)
      let group = rest - whole * base
      // The quotient of a large number can be rounded up to the next integer.
      if (group < 0) {
        whole--
        group += base
      }
      if (count > 0 || group > 0) groups[count++] = group
      else exponent++
      rest = whole
    }
    this.#int32(8 + 2 * count)
    this.#int16(count)
    this.#int16(count === 0 ? 0 : exponent + count - 1)
    this.#int16(aligned < 0 ? negative : 0)
    this.#int16(scale)
    while (count > 0) this.#int16(groups[--count] as number)
  }

  #decimal(text: string): void {
    const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
    if (whole === undefined) throw new Error(`not a plain decimal: ${text}`)
    const aligned = '0'.repeat(-whole.length & 3) + whole + fraction + '0'.repeat(-fraction.length & 3)
    const groups = aligned.match(/\d{4}/g)?.map(Number) as number[]
    let weight = ((whole.length + 3) >> 2) - 1
    while (groups[0] === 0) {
      groups.shift()
      weight--
    }
    while (groups.at(-1) === 0) groups.pop()
    this.#int32(8 + 2 * groups.length)
    this.#int16(groups.length)
    this.#int16(groups.length === 0 ? 0 : weight)
    this.#int16(sign === '-' && groups.length > 0 ? negative : 0)
    this.#int16(fraction.length)
    for (const group of groups) this.#int16(group)
  }
}

/** Factor that rounds the number of decimals up to a multiple of four, by scale modulo four. */
const alignments = [1, 1000, 100, 10]
/** Groups of the number that is being written. */
const scratch = new Uint16Array(8)
