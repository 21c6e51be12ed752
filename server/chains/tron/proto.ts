/** The two kinds of fields that TRON's payments consist of, in the encoding of protocol buffers: whole numbers and bytes. */

/** A field with a whole number, not negative. Zero is left out, as the encoding's standard form says. */
export function number(name: number, value: number | bigint): Uint8Array {
  if (value < 0 || (typeof value === 'number' && !Number.isSafeInteger(value))) throw new Error('Not a whole number from zero')
  return BigInt(value) === 0n ? new Uint8Array() : Buffer.concat([varint(BigInt(name << 3)), varint(BigInt(value))])
}

/** A field with bytes. Without bytes it is left out. */
export function field(name: number, bytes: Uint8Array): Uint8Array {
  return bytes.length === 0 ? bytes : Buffer.concat([varint(BigInt((name << 3) | 2)), varint(BigInt(bytes.length)), bytes])
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  bytes.push(Number(rest))
  return Uint8Array.from(bytes)
}

/** The fields of one message. throws  Error when a field is there twice, of another kind, or cut off */
export class Fields {
  readonly #fields = new Map<number, Buffer | bigint>()
  readonly #from: Buffer
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#from = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    while (this.#at < this.#from.length) {
      const tag = Number(this.#varint())
      if (this.#fields.has(tag >> 3)) throw new Error(`Field ${tag >> 3} is there twice`)
      if ((tag & 7) === 0) this.#fields.set(tag >> 3, this.#varint())
      else if ((tag & 7) === 2) this.#fields.set(tag >> 3, this.#slice(Number(this.#varint())))
      else throw new Error(`Field ${tag >> 3} is of an unknown kind`)
    }
  }

  /** throws  Error when the field is missing or a number */
  bytes(name: number): Buffer {
    const found = this.#fields.get(name)
    if (!Buffer.isBuffer(found)) throw new Error(`Field ${name} has no bytes`)
    return found
  }

  /** Zero when the field is missing. throws  Error when it has bytes */
  number(name: number): bigint {
    const found = this.#fields.get(name) ?? 0n
    if (typeof found !== 'bigint') throw new Error(`Field ${name} is no number`)
    return found
  }

  #varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#from[this.#at++]
      if (byte === undefined) throw new Error('The message is cut off')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new Error('A number is too long')
  }

  #slice(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#from.length) throw new Error('The message is cut off')
    const found = this.#from.subarray(this.#at, end)
    this.#at = end
    return found
  }
}
