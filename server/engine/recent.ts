import type { ReleasedBatch } from './batch.ts'

/** Size of the buffer in slots: 16 MB. */
const slotsMax = 2 ** 21

/** Position of a batch's events, counted from the start of the first batch ever kept. */
type Kept = { readonly firstSeq: number; readonly lastSeq: number; readonly from: number; readonly length: number }

/**
 * Keeps the last released batches, some megabytes, so that a client that lost its connection for a moment gets the ones it
 * missed. Events are copied into one reused buffer: otherwise each batch would survive young collections and cost a full one.
 */
export class RecentBatches {
  readonly #slots: Float64Array
  readonly #batches: Kept[] = []
  #end = 0

  /** max  slots to keep */
  constructor(max = slotsMax) {
    this.#slots = new Float64Array(max)
  }

  add({ firstSeq, lastSeq, events }: ReleasedBatch): void {
    const { length } = events
    const size = this.#slots.length
    if (length > size) {
      // The batch is too large to keep, and earlier ones are then useless.
      this.#batches.length = 0
      return
    }
    // A batch that would wrap around leaves the rest of the buffer empty.
    const place = this.#end % size
    const from = place + length > size ? this.#end + size - place : this.#end
    this.#slots.set(events, from % size)
    this.#end = from + length
    this.#batches.push({ firstSeq, lastSeq, from, length })
    while (this.#batches[0]!.from < this.#end - size) this.#batches.shift()
  }

  /** All batches after `seq`; undefined when some of them are no longer kept, or `seq` is in the future. */
  since(seq: number): readonly ReleasedBatch[] | undefined {
    if (this.#batches.at(-1)?.lastSeq === seq) return []
    const first = this.#batches.findIndex((batch) => batch.firstSeq === seq + 1)
    if (first < 0) return undefined
    return this.#batches.slice(first).map(({ firstSeq, lastSeq, from, length }) => {
      const at = from % this.#slots.length
      return { firstSeq, lastSeq, events: this.#slots.slice(at, at + length) }
    })
  }
}
