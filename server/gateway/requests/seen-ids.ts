import { idBytes } from '../../store/request-block.ts'

const bitsPerId = 16
const probes = 4
/** A part of the journal holds so many ids of a user, or rows. */
const idsPerSpan = 2_048
const rowsPerSpan = 256
/** A row may hold as many again. */
const spanMax = 2 * idsPerSpan
const spanBytes = (spanMax * bitsPerId) / 8

/** A part of the journal: where to look for an id. */
export type Span = { readonly from: number; readonly to: number }

/**
 * Which client ids of one user stand in the tables, as hashes: says "no" for certain, and "yes" wrongly for one in 400 at most.
 * Also about where. Four bytes an id.
 */
export class SeenIds {
  readonly #all: Filter
  readonly #spans: (Span & { to: number; rows: number; readonly filter: Filter })[] = []
  readonly #max: number

  /** max  ids that it holds before it says "yes" too often */
  constructor(max: number) {
    this.#all = new Filter(max)
    this.#max = max
  }

  get bytes(): number {
    return this.#all.bytes + this.#spans.length * spanBytes
  }

  get isFull(): boolean {
    return this.#all.count >= this.#max
  }

  /** Packed ids of a row, which come in journal order. */
  add(seq: number, ids: Buffer): void {
    let span = this.#spans.at(-1)
    if (span === undefined || span.filter.count >= idsPerSpan || span.rows >= rowsPerSpan) {
      span = { from: seq, to: seq, rows: 0, filter: new Filter(spanMax) }
      this.#spans.push(span)
    }
    span.to = Math.max(span.to, seq)
    span.rows++
    for (let at = 0; at < ids.length; at += idBytes) {
      const low = ids.readInt32BE(at)
      const high = ids.readInt32BE(at + 4)
      this.#all.add(low, high)
      span.filter.add(low, high)
    }
  }

  has(low: number, high: number): boolean {
    return this.#all.has(low, high)
  }

  /** Where it may stand, the newest first. */
  *spansOf(low: number, high: number): Generator<Span> {
    for (let n = this.#spans.length - 1; n >= 0; n--) if (this.#spans[n]!.filter.has(low, high)) yield this.#spans[n]!
  }
}

class Filter {
  readonly #bits: Uint32Array
  readonly #mask: number
  /** Ids that were new to it. */
  count = 0

  constructor(max: number) {
    const bits = 2 ** Math.ceil(Math.log2(max * bitsPerId))
    this.#bits = new Uint32Array(bits / 32)
    this.#mask = bits - 1
  }

  get bytes(): number {
    return this.#bits.byteLength
  }

  add(low: number, high: number): void {
    let isNew = false
    for (let n = 0; n < probes; n++) {
      const bit = this.#bit(low, high, n)
      const word = this.#bits[bit >>> 5]!
      if (((word >>> (bit & 31)) & 1) === 1) continue
      this.#bits[bit >>> 5] = word | (1 << (bit & 31))
      isNew = true
    }
    if (isNew) this.count++
  }

  has(low: number, high: number): boolean {
    for (let n = 0; n < probes; n++) {
      const bit = this.#bit(low, high, n)
      if (((this.#bits[bit >>> 5]! >>> (bit & 31)) & 1) === 0) return false
    }
    return true
  }

  #bit(low: number, high: number, n: number): number {
    return (low + Math.imul(n, high | 1)) & this.#mask
  }
}
