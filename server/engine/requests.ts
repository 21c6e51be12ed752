import type { Command } from '@candor/core/protocol/command/index.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { Refused } from '../refused.ts'
import type { ReceivedBatch } from './outcomes.ts'
import { fullMin, Gathering } from './gathering.ts'
import { Waiters } from './waiters.ts'

type Waiting = {
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (cause: Error) => void
  readonly command: Command
  readonly keyId: number
  /** How many came before it. */
  readonly before: number
  /** On the steady clock: until then it may be sent again. */
  readonly until: number
  /** Whether it was sent again: a refusal then says nothing about the first time. */
  isAgain: boolean
}

/** How long callers that were just answered get to send their next commands, before the batch goes without them. */
const returnMs = 3

/** How often commands that wait to be sent again are looked at. */
const sweepMs = 250
/** Whether the core answers a repeat of the command with its first outcome. An empty id is none. */
const hasId = (command: Command): boolean =>
  ('clientId' in command && command.clientId !== '') || ('requestId' in command && command.requestId !== '')

/**
 * Commands in flight and their callers. Commands of one turn of the event loop travel together. While a commit is in flight, new
 * commands are held back: they could not become durable earlier, and travel together. After a release, callers that were just
 * answered get a moment to join the next batch.
 */
export class Requests {
  readonly #send: (requests: readonly number[], commands: Float64Array) => void
  readonly #waiting = new Waiters<Waiting>()
  #submitted = 0
  readonly #outgoing = new Records()
  #outgoingRequests: number[] = []
  readonly #gathering = new Gathering(returnMs, () => this.#release())
  #resendMs: number
  /** Commands that were sent and whose answer is lost: they are sent again when an engine is there. */
  readonly #unanswered = new Set<number>()
  #sweep: NodeJS.Timeout | undefined

  /** resendMs  how long after it came a command with an id may be sent again; 0: never */
  constructor(send: (requests: readonly number[], commands: Float64Array) => void, resendMs = 0) {
    this.#send = send
    this.#resendMs = resendMs
  }

  submit(command: Command, keyId: number): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      encodeCommand(command, { seq: 0, at: 0, keyId }, this.#outgoing)
      const until = this.#resendMs === 0 ? 0 : performance.now() + this.#resendMs
      const before = this.#submitted++
      this.#outgoingRequests.push(this.#waiting.add({ resolve, reject, command, keyId, before, until, isAgain: false }))
      if (this.#gathering.isOn) {
        if (this.#gathering.isWhole(this.#outgoingRequests.length)) this.#release()
      } else if (this.#outgoingRequests.length === 1 || this.#outgoingRequests.length === fullMin)
        setImmediate(() => this.#flushUnlessBusy())
    })
  }

  /** `own`: three numbers for each command: the request, and the slots from and to. */
  released(batch: ReceivedBatch, own: ArrayLike<number>): void {
    const isHeld = this.#gathering.begin(own.length / 3, this.#outgoingRequests.length)
    if (!isHeld && own.length > 0) this.#release()
    for (let i = 0; i < own.length; i += 3) {
      const waiting = this.#waiting.take(own[i]!)
      waiting?.resolve(batch.outcome(own[i + 1]!, own[i + 2]!, waiting.isAgain))
    }
  }

  refused(requests: ArrayLike<number>, refusal: Refusal): void {
    this.#refused(requests, refusal)
    this.#release()
  }

  /** From now on no command is sent again, not even one that waits for it: the core may have forgotten what it executed. */
  sendOnce(): void {
    this.#resendMs = 0
    this.#reject([...this.#unanswered], 'STATUS_UNKNOWN')
    this.#unanswered.clear()
  }

  /**
   * The engine accepts commands again. They are sent in the order in which they came: an order that a caller sent after cancelling all must
   * not be cancelled with them.
   */
  resume(): void {
    const unanswered = [...this.#unanswered].flatMap((number) => {
      const waiting = this.#waiting.at(number)
      return waiting === undefined ? [] : [{ number, waiting }]
    })
    this.#unanswered.clear()
    for (const { number, waiting } of unanswered.sort((one, other) => one.waiting.before - other.waiting.before)) {
      waiting.isAgain = true
      encodeCommand(waiting.command, { seq: 0, at: 0, keyId: waiting.keyId }, this.#outgoing)
      this.#outgoingRequests.push(number)
    }
    this.#flush()
  }

  /** No engine will answer any more. */
  end(): void {
    clearTimeout(this.#sweep)
    this.#unanswered.clear()
    this.#reject(this.#waiting.numbers(), 'STATUS_UNKNOWN')
  }

  /** An engine that can't take a command which was sent before does not know what became of it. */
  #refused(requests: ArrayLike<number>, refusal: Refusal): void {
    if (refusal === 'STATUS_UNKNOWN') return this.#unknown(requests)
    for (const number of Array.from(requests)) {
      if (this.#waiting.at(number)?.isAgain === true) this.#unknown([number])
      else this.#reject([number], refusal)
    }
  }

  #reject(requests: ArrayLike<number>, refusal: Refusal): void {
    for (let i = 0; i < requests.length; i++) this.#waiting.take(requests[i]!)?.reject(new Refused(refusal))
  }

  /** The link is down. Commands that were sent may have been executed; those that were not sent have not. */
  lost(): void {
    const unsent = this.#outgoingRequests
    this.#outgoingRequests = []
    this.#outgoing.clear()
    this.#refused(unsent, 'UNAVAILABLE')
    this.#release()
    this.#unknown(this.#waiting.numbers())
  }

  /** Keeps commands that may be sent again. The outcome of the others is unknown. */
  #unknown(requests: ArrayLike<number>): void {
    const now = performance.now()
    for (const number of Array.from(requests)) {
      const waiting = this.#waiting.at(number)
      if (waiting === undefined) continue
      if (this.#resendMs > 0 && waiting.until > now && hasId(waiting.command)) this.#unanswered.add(number)
      else this.#reject([number], 'STATUS_UNKNOWN')
    }
    if (this.#unanswered.size > 0) this.#sweep ??= setTimeout(() => this.#swept(), sweepMs)
  }

  /** Ends the wait of commands that no engine took in time, and tries the others again. */
  #swept(): void {
    this.#sweep = undefined
    const numbers = [...this.#unanswered]
    this.#unanswered.clear()
    this.#unknown(numbers)
    this.resume()
  }

  #flushUnlessBusy(): void {
    const areOthersOnTheirWay = this.#waiting.size > this.#outgoingRequests.length
    const isFree = !areOthersOnTheirWay && !this.#gathering.isOn
    if (isFree || this.#outgoingRequests.length >= fullMin) this.#flush()
  }

  /** Ends a hold, if there is one, and sends the waiting commands. */
  #release(): void {
    this.#gathering.end(this.#outgoingRequests.length)
    this.#flush()
  }

  #flush(): void {
    if (this.#outgoingRequests.length === 0) return
    const requests = this.#outgoingRequests
    this.#outgoingRequests = []
    const commands = this.#outgoing.data.slice(0, this.#outgoing.length)
    this.#outgoing.clear()
    this.#send(requests, commands)
  }
}
