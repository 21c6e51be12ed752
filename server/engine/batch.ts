import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import { stampCommand } from '@candor/core/protocol/codec/command.ts'
import { OUTCOME_LENGTH, OUTCOME_REFUSAL } from '@candor/core/protocol/codec/event-layout.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { beginPayload, type RefusedCommand, sealPayload } from '../journal/payload.ts'
import { digestOf } from '../journal/replay.ts'
import type { Batch } from '../journal/row.ts'
import { Refused } from '../refused.ts'

/** Where the refusal of a command is, counted from the end of its events: the outcome is the last of them. */
const refusalFromEnd = OUTCOME_LENGTH - OUTCOME_REFUSAL

/** Sends commands and receives their outcomes: a linked process, or this one. */
export type Sink = {
  /** Gets the events of every batch, not only those of its own commands. */
  readonly wantsAll: boolean
  /**
   * The batch is durable. `own`: three numbers for each of this sink's commands in it: the request, and the slots of `events`
   * from and to. The events never change from here on: they may be kept and shared.
   */
  release(batch: ReleasedBatch, own: readonly number[]): void
  /** Everything up to `seq` is durable. Called after each release. */
  advanced(seq: number): void
  refuse(requests: readonly number[], refusal: Refusal): void
}

/** `events`: slots, from first to last. */
export type ReleasedBatch = { readonly firstSeq: number; readonly lastSeq: number; readonly events: Float64Array }

/** Commands that are decided, written and released together. Reused. */
export class DecidedBatch {
  /** Payload of the row under construction. */
  readonly commands = new Records(16_384)
  readonly events = new Records(32_768)
  readonly refused: RefusedCommand[] = []
  /** Each sink's commands in this batch, as `Sink.release` expects them. */
  readonly own = new Map<Sink, number[]>()
  /** Questions that read this batch's state and wait until it is durable. */
  readonly waiting: { resolve: () => void; reject: (cause: Error) => void }[] = []
  count = 0
  firstSeq = 0
  lastSeq = 0
  firstAt = 0
  /** On the steady clock, when its commit began. */
  closedAt = 0

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

  /**
   * Lets the core execute the command at slot `at` of `commands`, under the next number. `sink` gets its events with the batch, as
   * those of its `request`.
   */
  execute(exchange: Exchange, at: number, atMs: number, sink: Sink | undefined, request: number): void {
    const seq = exchange.seq + 1
    if (this.count === 0) {
      this.firstSeq = seq
      this.firstAt = atMs
    }
    stampCommand(this.commands.data, at, seq, atMs as Millis)
    const { events } = this
    const own = sink && this.ownOf(sink)
    own?.push(request, events.length, 0)
    exchange.execute(this.commands.data, at, events)
    if (own) own[own.length - 1] = events.length
    this.count++
    this.lastSeq = seq
    const refusal = events.data[events.length - refusalFromEnd]!
    if (refusal !== 0) this.refused.push({ seq, refusal })
  }

  /** Refuses the callers of its commands and questions. The batch may still become durable. */
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

  /** Closes the batch: no command may be added before `clear`. */
  toJournal(coreVersion: number): Batch {
    this.closedAt = performance.now()
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
