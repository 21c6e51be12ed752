import type { Command } from '@candor/core/protocol/command/index.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { Refused } from '../refused.ts'
import type { ReceivedBatch } from './outcomes.ts'

type Waiting = { readonly resolve: (outcome: Outcome) => void; readonly reject: (cause: Error) => void }

/**
 * Commands on their way, and who waits for them. Those of one turn of the event loop travel together. While others wait
 * for their commit, new ones are held back until it is over: they could not become durable before, and travel together.
 */
export class Requests {
  readonly #send: (requests: readonly number[], commands: Float64Array) => void
  readonly #waiting = new Map<number, Waiting>()
  readonly #outgoing = new Records()
  #outgoingRequests: number[] = []
  #lastRequest = 0

  constructor(send: (requests: readonly number[], commands: Float64Array) => void) {
    this.#send = send
  }

  submit(command: Command, keyId: number): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      encodeCommand(command, { seq: 0, at: 0, keyId }, this.#outgoing)
      this.#lastRequest = (this.#lastRequest + 1) % 2 ** 32
      this.#waiting.set(this.#lastRequest, { resolve, reject })
      this.#outgoingRequests.push(this.#lastRequest)
      if (this.#outgoingRequests.length === 1) setImmediate(() => this.#flushUnlessBusy())
    })
  }

  /** `own`: request, and slots from and to, of each. */
  released(batch: ReceivedBatch, own: ArrayLike<number>): void {
    if (own.length > 0) this.#flush()
    for (let i = 0; i < own.length; i += 3) this.#take(own[i]!)?.resolve(batch.outcome(own[i + 1]!, own[i + 2]!))
  }

  refused(requests: ArrayLike<number>, refusal: Refusal): void {
    this.#reject(requests, refusal)
    this.#flush()
  }

  #reject(requests: ArrayLike<number>, refusal: Refusal): void {
    for (let i = 0; i < requests.length; i++) this.#take(requests[i]!)?.reject(new Refused(refusal))
  }

  /** The way to the engine is gone. What it had been sent may have happened; what it had not, has not. */
  lost(): void {
    this.#reject(this.#outgoingRequests, 'UNAVAILABLE')
    this.#outgoingRequests = []
    this.#outgoing.clear()
    this.#reject([...this.#waiting.keys()], 'STATUS_UNKNOWN')
  }

  #flushUnlessBusy(): void {
    const areOthersOnTheirWay = this.#waiting.size > this.#outgoingRequests.length
    if (!areOthersOnTheirWay) this.#flush()
  }

  #flush(): void {
    if (this.#outgoingRequests.length === 0) return
    const requests = this.#outgoingRequests
    this.#outgoingRequests = []
    const commands = this.#outgoing.data.slice(0, this.#outgoing.length)
    this.#outgoing.clear()
    this.#send(requests, commands)
  }

  #take(request: number): Waiting | undefined {
    const waiting = this.#waiting.get(request)
    this.#waiting.delete(request)
    return waiting
  }
}
