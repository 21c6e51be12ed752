/** Writes to the journal that a test holds up, and a sink that notes what it is told. */
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import assert from 'node:assert/strict'
import { mock, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { JournalWriter } from '../../journal/append.ts'
import type { Row } from '../../journal/row.ts'
import type { ReleasedBatch, Sink } from '../batch.ts'
import type { Engine } from '../engine.ts'

/** While it holds, every write waits until the test lets it through or lets it fail. Disposing of it lets all through. */
export class HeldWrites implements Disposable {
  readonly #waiting: PromiseWithResolvers<void>[] = []
  #isHolding = true

  constructor() {
    const { append } = JournalWriter.prototype
    const hold = (): Promise<void> => this.#hold()
    mock.method(JournalWriter.prototype, 'append', async function (this: JournalWriter, row: Row) {
      await hold()
      await append.call(this, row)
    })
  }

  get count(): number {
    return this.#waiting.length
  }

  /** Lets the write that has waited longest through. */
  pass(): void {
    this.#waiting.shift()!.resolve()
  }

  fail(cause: unknown): void {
    this.#waiting.shift()!.reject(cause)
  }

  [Symbol.dispose](): void {
    this.#isHolding = false
    for (const { resolve } of this.#waiting.splice(0)) resolve()
  }

  #hold(): Promise<void> {
    if (!this.#isHolding) return Promise.resolve()
    const waiting = Promise.withResolvers<void>()
    this.#waiting.push(waiting)
    return waiting.promise
  }
}

/** Notes batches with the requests that they answer, and refusals with the requests that they refuse. */
export class Noted implements Sink {
  readonly told: unknown[] = []
  readonly wantsAll: boolean

  constructor(wantsAll = false) {
    this.wantsAll = wantsAll
  }

  release({ firstSeq, lastSeq }: ReleasedBatch, own: readonly number[]): void {
    this.told.push([firstSeq, lastSeq, own.filter((_, at) => at % 3 === 0)])
  }

  advanced(): void {}

  refuse(requests: readonly number[], refusal: Refusal): void {
    for (const request of requests) this.told.push([refusal, request])
  }
}

export const user = (name: string | number): Command =>
  commandOf({ type: 'user.open', requestId: `user-${name}`, class: 'retail', referrer: 0 })

/** Offers commands, whose requests have the numbers from `first`. */
export function offer(engine: Engine, sink: Sink | undefined, first: number, ...commands: readonly Command[]): void {
  const records = new Records()
  for (const command of commands) encodeCommand(command, { seq: 0, at: 0, keyId: 0 }, records)
  engine.offer({ sink, data: records.data.slice(0, records.length), requests: commands.map((_, n) => first + n) })
}

/** Resolves when it is true. Fails when that takes a minute. */
export async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 60_000
  while (!isTrue()) {
    assert.ok(performance.now() < end, `never: ${isTrue}`)
    await turn()
  }
}

/** Lets everything run that is ready to run, a few times over. */
export async function turns(count = 20): Promise<void> {
  for (let n = 0; n < count; n++) await turn()
}

/** Timers that stand still until the test moves them. */
export function stillTimers({ mock: { timers } }: TestContext): Disposable & { tick(ms: number): void } {
  timers.enable({ apis: ['setTimeout'] })
  return { tick: (ms) => timers.tick(ms), [Symbol.dispose]: () => timers.reset() }
}

/** A clock that stands still until the test moves it. */
export class Clock {
  nowMs = Date.now()
  wall = (): number => this.nowMs
  steady = (): number => this.nowMs
}
