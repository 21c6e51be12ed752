import type { ReleasedBatch } from './batch.ts'

const slotsMax = 2_000_000

/** The last released batches, some megabytes of them: who lost the connection for a moment gets what it missed. */
export class RecentBatches {
  readonly #batches: ReleasedBatch[] = []
  #slots = 0

  add(batch: ReleasedBatch): void {
    this.#batches.push(batch)
    this.#slots += batch.events.length
    while (this.#slots > slotsMax && this.#batches.length > 1) this.#slots -= this.#batches.shift()!.events.length
  }

  /** All after `seq`; undefined when some of them are not held any more, or lie in the future. */
  since(seq: number): readonly ReleasedBatch[] | undefined {
    const last = this.#batches.at(-1)?.lastSeq
    if (last === seq) return []
    const first = this.#batches.findIndex((batch) => batch.firstSeq === seq + 1)
    return first < 0 ? undefined : this.#batches.slice(first)
  }
}
