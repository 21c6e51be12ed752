import { createHash } from 'node:crypto'
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { commandLength, encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { Step } from '../workload.ts'
import { Disagreement } from '../world.ts'
import type { WorldOptions } from '../world.ts'
import { DesksAuditor } from './audit/auditor.ts'
import { Happenings } from './happenings.ts'

/** The exchange with all its desks, and the auditor that checks it. */
export class DesksWorld {
  readonly steps: Step[] = []
  readonly happenings = new Happenings()
  readonly #options: WorldOptions
  readonly #auditor = new DesksAuditor()
  readonly #commands = new Records(1 << 16)
  readonly #digest = createHash('sha256')
  #exchange = Exchange.create()
  #wholeAt = 0
  /** The state at the last check of the whole state, and the end of its commands. */
  #dumped: { readonly dump: Uint8Array; readonly end: number } | undefined

  constructor(options: WorldOptions) {
    this.#options = options
  }

  get dueAt(): number | undefined {
    const due = this.#exchange.nextDueAtMs
    return Number.isFinite(due) ? due : undefined
  }

  get trades(): number {
    const { counts } = this.happenings
    return ['trades', 'futures trades', 'margin trades'].reduce((sum, name) => sum + (counts.get(name) ?? 0), 0)
  }

  /** Executes one step and gives all its events to the auditor. Throws Disagreement. */
  step(step: Step): readonly Event[] {
    this.steps.push(step)
    try {
      const at = this.#commands.length
      encodeCommand(step.command, step.stamp, this.#commands)
      const records = new Records(256)
      this.#exchange.execute(this.#commands.data, at, records)
      this.#digest.update(records.bytes())
      const events = decodeEvents(records.data, 0, records.length)
      this.#auditor.follow(step, events)
      this.happenings.follow(events)
      if (this.steps.length - this.#wholeAt >= this.#options.wholeEvery) this.#checkWhole()
      return events
    } catch (cause) {
      throw cause instanceof Disagreement ? cause : new Disagreement(this.steps.length, (cause as Error).message, cause)
    }
  }

  /** Checks the whole state a last time. Returns the hash of the state. */
  finish(): string {
    try {
      return this.#checkWhole()
    } catch (cause) {
      throw cause instanceof Disagreement ? cause : new Disagreement(this.steps.length, (cause as Error).message, cause)
    }
  }

  /**
   * Checks all balances, a replay from the first command, and one from the last dump. Then the run continues with a restored exchange,
   * so that anything missing from a dump shows up.
   */
  #checkWhole(): string {
    this.#wholeAt = this.steps.length
    this.#auditor.checkAll(this.#exchange)
    const hash = this.#exchange.hash()
    const again = Exchange.create()
    if (this.#run(again, 0) !== this.#digest.copy().digest('hex')) throw new Error('a replay of all commands gives other events')
    if (again.hash() !== hash) throw new Error('a replay of all commands gives another hash')
    if (this.#dumped !== undefined) {
      const follower = Exchange.restore(this.#dumped.dump)
      this.#run(follower, this.#dumped.end)
      if (follower.hash() !== hash) throw new Error('a restored dump with the commands after it gives another hash')
    }
    const dump = this.#exchange.dump()
    this.#exchange = Exchange.restore(dump)
    if (this.#exchange.hash() !== hash) throw new Error('a restored dump has another hash')
    this.#dumped = { dump, end: this.#commands.length }
    return hash
  }

  /** Executes the commands from a slot on. Returns the digest of their events. */
  #run(exchange: Exchange, from: number): string {
    const digest = createHash('sha256')
    const events = new Records(1024)
    for (let at = from; at < this.#commands.length; at += commandLength(this.#commands.data, at)) {
      events.clear()
      exchange.execute(this.#commands.data, at, events)
      digest.update(events.bytes())
    }
    return digest.digest('hex')
  }
}
