import type { Records } from '@candor/core/protocol/codec/records.ts'
import type { Row } from '../journal/row.ts'
import type { DecidedBatch, ReleasedBatch, Sink } from './batch.ts'
import type { RecentBatches } from './recent.ts'

/** Hands durable batches to the sinks: each batch once, in the order of the journal. */
export class Releases {
  readonly #sinks = new Set<Sink>()
  readonly #recent: RecentBatches
  /** Position of the last released command. */
  #seq = 0

  constructor(recent: RecentBatches) {
    this.#recent = recent
  }

  attach(sink: Sink): void {
    this.#sinks.add(sink)
  }

  detach(sink: Sink): void {
    this.#sinks.delete(sink)
  }

  /** Everything up to `seq` was recovered: the next batch follows it. */
  continueAfter(seq: number): void {
    this.#seq = seq
  }

  /** Releases a batch to its callers, to the questions that wait for it and to all listeners. */
  release(batch: DecidedBatch): void {
    this.#seq = batch.lastSeq
    const released = batch.released()
    this.#recent.add(released)
    for (const { resolve } of batch.waiting) resolve()
    for (const sink of this.#sinks) {
      const own = batch.own.get(sink)
      if (own || sink.wantsAll) sink.release(released, own ?? [])
      sink.advanced(batch.lastSeq)
    }
  }

  /**
   * Releases a row that became durable without this engine's knowledge, and whose callers are gone. Skips a row that was released
   * before.
   */
  releaseReplayed(row: Row, events: Records): void {
    if (row.seq <= this.#seq) return
    const batch: ReleasedBatch = { firstSeq: row.seq - row.n + 1, lastSeq: row.seq, events: events.data.slice(0, events.length) }
    this.#seq = batch.lastSeq
    this.#recent.add(batch)
    for (const sink of this.#sinks) {
      if (sink.wantsAll) sink.release(batch, [])
      sink.advanced(batch.lastSeq)
    }
  }
}
