import { randomInt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { idBytes } from '../../store/request-block.ts'

/** Of a generation. There may be several, and each may say a wrong "yes". Spans have as many when they are filled as usual. */
const bitsPerId = 32
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
const spanBytes = (idsPerSpan * bitsPerId) / 8

/** At least this many of a user's last ids are kept, which is more than the orders that a customer may send in a day. */
export const seenKept = 2 ** 18
/** Ids that are taken in one piece. */
const idsAtOnce = 4_096
/** Ids in the first generation, and how many times as many each later one has, up to half of those that are kept. */
const [generationMin, growth] = [2_048, 4]

/** A part of the journal in which to look for an id. */
export type Span = { readonly from: number; readonly to: number }

type FilledSpan = { from: number; to: number; rows: number; readonly filter: Filter }

/** Ids that come one after the other, and are forgotten together. `max`: more of them begin another generation. */
type Generation = { readonly max: number; readonly all: Filter; readonly spans: FilledSpan[] }

/** A row of ids of one user, packed as in `request-block.ts`. */
export type SeenRow = { readonly seq: number; readonly ids: Buffer }

/**
 * Which client ids of one user are in the tables, as filters of hashes. "No" is certain for the last `seenKept` ids at least; "yes" is
 * wrong for at most one id in 200. Also says roughly where an id is. Takes eight bytes per id, or twelve if each id has a row of its own,
 * and no more than for 2.25 times the ids that are kept.
 */
export class SeenIds {
  readonly #kept: number
  /** Oldest first. */
  readonly #generations: Generation[] = []
  #last: FilledSpan | undefined
  #bytes = 0
  /** New rows that come while the old ones are being read: ids are forgotten in their order. */
  #late: SeenRow[] | undefined = []

  /** `kept`: tests only. */
  constructor(kept = seenKept) {
    this.#kept = kept
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Takes the old rows, in journal order. Until it resolves, ids may be missing in the filters. Others get their turn in between. */
  async load(rows: readonly SeenRow[]): Promise<void> {
    const count = rows.reduce((sum, { ids }) => sum + ids.length / idBytes, 0)
    this.#begin(2 * count)
    let taken = 0
    for (const row of rows) {
      this.#take(row)
      taken += row.ids.length / idBytes
      if (taken < idsAtOnce) continue
      taken = 0
      await setImmediate()
    }
    const late = this.#late ?? []
    this.#late = undefined
    for (const row of late) this.#take(row)
  }

  /** Adds the packed ids of a row. Rows come in journal order; those that the database had lost come again. */
  add(seq: number, ids: Buffer): void {
    if (this.#late === undefined) this.#take({ seq, ids })
    else this.#late.push({ seq, ids: Buffer.from(ids) })
  }

  #take({ seq, ids }: SeenRow): void {
    const { all } = this.#current()
    const span = this.#spanAt(seq)
    span.rows++
    for (let at = 0; at < ids.length; at += idBytes) {
      const low = ids.readInt32BE(at)
      const high = ids.readInt32BE(at + 4)
      all.add(low, high)
      span.filter.add(low, high)
    }
  }

  has(low: number, high: number): boolean {
    return this.#generations.some(({ all }) => all.has(low, high))
  }

  /** Spans in which the id may be, newest first. */
  *spansOf(low: number, high: number): Generator<Span> {
    for (const { all, spans } of this.#generations.toReversed()) {
      if (!all.has(low, high)) continue
      for (const span of spans.toReversed()) if (span.filter.has(low, high)) yield span
    }
  }

  #current(): Generation {
    const last = this.#generations.at(-1)!
    if (last.all.count < last.max) return last
    const held = this.#generations.reduce((sum, { all }) => sum + all.count, 0)
    const [oldest] = this.#generations
    if (held - oldest!.all.count >= this.#kept) {
      this.#generations.shift()
      this.#bytes -= oldest!.all.bytes + oldest!.spans.length * spanBytes
    }
    return this.#begin(last.max * growth)
  }

  #begin(wanted: number): Generation {
    const max = Math.min(this.#kept / 2, Math.max(generationMin, wanted))
    const begun = { max, all: new Filter(max), spans: [] }
    this.#generations.push(begun)
    this.#bytes += begun.all.bytes
    return begun
  }

  #spanAt(seq: number): FilledSpan {
    const { spans } = this.#generations.at(-1)!
    let span = this.#last
    if (span === undefined || spans.length === 0 || span.filter.count >= idsPerSpan || span.rows >= rowsPerSpan) {
      // The span starts after the previous row: tables that lost their last rows may get them again, split into other rows.
      span = { from: Math.min(seq, (span?.to ?? seq) + 1), to: seq, rows: 0, filter: new Filter(idsPerSpan) }
      this.#last = span
      spans.push(span)
      this.#bytes += spanBytes
    }
    span.from = Math.min(span.from, seq)
    span.to = Math.max(span.to, seq)
    return span
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
