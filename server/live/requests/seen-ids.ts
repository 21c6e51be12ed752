import { randomInt } from 'node:crypto'
import { idBytes } from '../../store/request-block.ts'

const bitsPerId = 16
const probes = 4
const lineBits = 512
const lineWords = lineBits / 32
/** An odd multiplier without a pattern. */
const spread = 0x2c1b3c6d
const mixLow = 0x85ebca6b
const mixHigh = 0xc2b2ae35
/**
 * Random per process: otherwise a user could choose ids that fall into one line or on the same bits, and each new id would be
 * looked for in every span.
 */
const secret = randomInt(2 ** 32) | 0
/** Ids of a user, or rows, in one span of the journal. */
const idsPerSpan = 2_048
const rowsPerSpan = 1_024
/** A single row may add as many again. */
const spanMax = 2 * idsPerSpan
const spanBytes = (spanMax * bitsPerId) / 8

/** A part of the journal in which to look for an id. */
export type Span = { readonly from: number; readonly to: number }

/**
 * Which client ids of one user are in the tables, as a filter of hashes. "No" is certain; "yes" is wrong for at most one id in
 * 200. Also says roughly where an id is. Takes four bytes per id, or twelve if each id has a row of its own.
 */
export class SeenIds {
  readonly #all: Filter
  readonly #spans: (Span & { from: number; to: number; rows: number; readonly filter: Filter })[] = []
  readonly #max: number

  /** max  number of ids above which too many answers are a wrong "yes" */
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

  /** Adds the packed ids of a row. Rows come in journal order, except new rows that come while old ones are being read. */
  add(seq: number, ids: Buffer): void {
    let span = this.#spans.at(-1)
    if (span === undefined || span.filter.count >= idsPerSpan || span.rows >= rowsPerSpan) {
      // The span starts after the previous row: tables that lost their last rows may get them again, split into other rows.
      span = { from: Math.min(seq, (span?.to ?? seq) + 1), to: seq, rows: 0, filter: new Filter(spanMax) }
      this.#spans.push(span)
    }
    span.from = Math.min(span.from, seq)
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

  /** Spans in which the id may be, newest first. */
  *spansOf(low: number, high: number): Generator<Span> {
    for (let n = this.#spans.length - 1; n >= 0; n--) if (this.#spans[n]!.filter.has(low, high)) yield this.#spans[n]!
  }
}

/** A filter in which the bits of one id are in one cache line. */
class Filter {
  readonly #bits: Uint32Array
  readonly #lineMask: number
  /** Ids that were not yet in the filter when added. */
  count = 0

  constructor(max: number) {
    const bits = Math.max(lineBits, 2 ** Math.ceil(Math.log2(max * bitsPerId)))
    this.#bits = new Uint32Array(bits / 32)
    this.#lineMask = bits / lineBits - 1
  }

  get bytes(): number {
    return this.#bits.byteLength
  }

  add(low: number, high: number): void {
    const mix = mixed(low, high)
    const line = (mix & this.#lineMask) * lineWords
    let isNew = false
    for (let n = 0, hash = probed(mix); n < probes; n++) {
      hash = Math.imul(hash ^ (hash >>> 15), spread)
      const at = line + (hash >>> 28)
      const word = this.#bits[at]!
      const bit = 1 << (hash >>> 23)
      if ((word & bit) !== 0) continue
      this.#bits[at] = word | bit
      isNew = true
    }
    if (isNew) this.count++
  }

  has(low: number, high: number): boolean {
    const mix = mixed(low, high)
    const line = (mix & this.#lineMask) * lineWords
    for (let n = 0, hash = probed(mix); n < probes; n++) {
      hash = Math.imul(hash ^ (hash >>> 15), spread)
      if ((this.#bits[line + (hash >>> 28)]! & (1 << (hash >>> 23))) === 0) return false
    }
    return true
  }
}

function mixed(low: number, high: number): number {
  let mix = low ^ secret
  mix = (Math.imul(mix ^ (mix >>> 16), mixLow) + high) | 0
  mix = Math.imul(mix ^ (mix >>> 13) ^ (secret >>> 7), mixHigh)
  return mix ^ (mix >>> 16)
}

/** The number from which the bits within the line are drawn. */
function probed(mix: number): number {
  return Math.imul(mix ^ (mix >>> 15) ^ ~secret, mixLow)
}
