import { OUTCOME_LENGTH } from '@candor/core/protocol/codec/event-layout.ts'
import { decodeEvent, decodeEvents } from '@candor/core/protocol/codec/event.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type { Interest, Released } from '@candor/core/protocol/released.ts'

/** A released batch on the caller's side: its events become objects only when they are read. */
export class ReceivedBatch implements Released {
  readonly firstSeq: number
  readonly lastSeq: number
  readonly #slots: Float64Array
  readonly #from: number
  #events: readonly Event[] | undefined

  /** The events are in `slots` from `from` to the end; nothing else may write there. */
  constructor(firstSeq: number, lastSeq: number, slots: Float64Array, from: number) {
    this.firstSeq = firstSeq
    this.lastSeq = lastSeq
    this.#slots = slots
    this.#from = from
  }

  get events(): readonly Event[] {
    this.#events ??= decodeEvents(this.#slots, this.#from, this.#slots.length)
    return this.#events
  }

  eventsFor(interest: Interest): readonly Event[] {
    return decodeEvents(this.#slots, this.#from, this.#slots.length, interest)
  }

  /** Outcome of the command whose events are from `from` to `to`, counted from the first event of the batch. */
  outcome(from: number, to: number, isResent = false): Outcome {
    return new ReceivedOutcome(this.#slots, this.#from + from, this.#from + to, isResent)
  }
}

class ReceivedOutcome implements Outcome {
  readonly seq: Outcome['seq']
  readonly at: Outcome['at']
  readonly user: Outcome['user']
  readonly order: Outcome['order']
  readonly refusal: Outcome['refusal']
  readonly isRepeat: Outcome['isRepeat']
  readonly isResent: boolean
  readonly #slots: Float64Array
  readonly #from: number
  readonly #to: number
  #events: readonly Event[] | undefined

  constructor(slots: Float64Array, from: number, to: number, isResent: boolean) {
    const outcome = decodeEvent(slots, to - OUTCOME_LENGTH) as OutcomeEvent
    this.seq = outcome.seq
    this.at = outcome.at
    this.user = outcome.user
    this.order = outcome.order
    this.refusal = outcome.refusal
    this.isRepeat = outcome.isRepeat
    this.isResent = isResent
    this.#slots = slots
    this.#from = from
    this.#to = to
  }

  get events(): readonly Event[] {
    this.#events ??= decodeEvents(this.#slots, this.#from, this.#to)
    return this.#events
  }
}
