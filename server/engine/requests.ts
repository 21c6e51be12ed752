import type { Command } from '@candor/core/protocol/command/index.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { Refused } from '../refused.ts'
import type { ReceivedBatch } from './outcomes.ts'

type Waiting = { readonly resolve: (outcome: Outcome) => void; readonly reject: (cause: Error) => void }

const turnsMax = 4

/**
 * Commands on their way, and who waits for them. Those of one turn of the event loop travel together; while others are on
 * their way already, and so a commit probably is too, it waits a few turns for more, as long as each brings some.
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
      if (this.#outgoingRequests.length === 1) setImmediate(() => this.#turn(0, 0))
    })
  }

  /** `own`: request, and slots from and to, of each. */
  released(batch: ReceivedBatch, own: ArrayLike<number>): void {
    for (let i = 0; i < own.length; i += 3) this.#take(own[i]!)?.resolve(batch.outcome(own[i + 1]!, own[i + 2]!))
  }

  refused(requests: ArrayLike<number>, refusal: Refusal): void {
    for (let i = 0; i < requests.length; i++) this.#take(requests[i]!)?.reject(new Refused(refusal))
  }

  /** The way to the engine is gone. What it had been sent may have happened; what it had not, has not. */
  lost(): void {
    this.refused(this.#outgoingRequests, 'UNAVAILABLE')
    this.#outgoingRequests = []
    this.#outgoing.clear()
    this.refused([...this.#waiting.keys()], 'STATUS_UNKNOWN')
  }

  #turn(turns: number, before: number): void {
    const count = this.#outgoingRequests.length
    const areOthersOnTheirWay = this.#waiting.size > count
    if (areOthersOnTheirWay && turns < turnsMax && count > before) setImmediate(() => this.#turn(turns + 1, count))
    else this.#flush()
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
