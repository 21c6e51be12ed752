import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { beginPayload, type RefusedCommand, sealPayload } from '../journal/payload.ts'
import { digestOf } from '../journal/replay.ts'
import type { Batch } from '../journal/row.ts'
import { Refused } from '../refused.ts'

/** Whoever sends commands and hears what became of them: a linked process, or this one. */
export type Sink = {
  /** Wants the events of every batch, not only those of its own commands. */
  readonly wantsAll: boolean
  /**
   * The batch is durable. `own`: of each of this sink's commands in it three numbers: its request, and the slots of
   * `events` from and to. Nobody changes the events any more: they may be kept and shared.
   */
  release(batch: ReleasedBatch, own: readonly number[]): void
  /** Everything up to `seq` is durable. Called after each release. */
  advanced(seq: number): void
  refuse(requests: readonly number[], refusal: Refusal): void
}

/** `events`: their slots, from the first to the last. */
export type ReleasedBatch = { readonly firstSeq: number; readonly lastSeq: number; readonly events: Float64Array }

/** Commands that were decided together, become durable together and are released together. Used over and over. */
export class DecidedBatch {
  /** Payload of the row in the making. */
  readonly commands = new Records(16_384)
  readonly events = new Records(32_768)
  readonly refused: RefusedCommand[] = []
  /** Of each sink its commands here, as `Sink.release` wants them. */
  readonly own = new Map<Sink, number[]>()
  /** What waits for the batch without being a command: questions that saw its state. */
  readonly waiting: { resolve: () => void; reject: (cause: Error) => void }[] = []
  count = 0
  firstSeq = 0
  lastSeq = 0
  firstAt = 0

  constructor() {
    beginPayload(this.commands)
  }

  clear(): void {
    beginPayload(this.commands)
    this.events.clear()
    this.refused.length = 0
    this.own.clear()
    this.waiting.length = 0
    this.count = 0
  }

  ownOf(sink: Sink): number[] {
    let own = this.own.get(sink)
    if (!own) this.own.set(sink, (own = []))
    return own
  }

  /** Tells all callers of its commands and questions that they wait for nothing. It may still become durable. */
  giveUp(refusal: Refusal): void {
    for (const [sink, own] of this.own) {
      const requests: number[] = []
      for (let i = 0; i < own.length; i += 3) requests.push(own[i] as number)
      sink.refuse(requests, refusal)
    }
    this.own.clear()
    for (const { reject } of this.waiting.splice(0)) reject(new Refused('UNAVAILABLE'))
  }

  /** A copy that outlives this batch. */
  released(): ReleasedBatch {
    return { firstSeq: this.firstSeq, lastSeq: this.lastSeq, events: this.events.data.slice(0, this.events.length) }
  }

  /** Closes it: no command may be added before `clear`. */
  toJournal(coreVersion: number): Batch {
    return {
      seq: this.lastSeq,
      n: this.count,
      firstAt: this.firstAt,
      coreVersion,
      eventsDigest: digestOf(this.events),
      payload: sealPayload(this.commands, this.refused),
    }
  }
}
