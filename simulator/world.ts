import { Exchange } from '@candor/core/exchange/exchange.ts'
import { commandLength, encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import { Auditor } from './auditor.ts'
import { Comparison } from './comparison.ts'
import { Oracle } from './oracle/oracle.ts'
import { withMode } from './production.ts'
import { TurnoverAudit } from './turnover-audit.ts'
import type { Step } from './workload.ts'

/** A difference or a broken invariant: a bug in the exchange, the oracle or the auditor. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement'
  readonly step: number

  constructor(step: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.step = step
  }
}

export type WorldOptions = {
  /** Steps between two checks of the whole state, each with a replay of these steps. */
  readonly wholeEvery: number
}

/** Gives the exchange, the oracle and the auditor the same commands. They must agree after each step. */
export class World {
  readonly steps: Step[] = []
  readonly #options: WorldOptions
  readonly #oracle = new Oracle()
  readonly #auditor = new Auditor()
  readonly #turnover = new TurnoverAudit()
  readonly #comparison: Comparison
  readonly #commands = new Records(1 << 16)
  #exchange = Exchange.create()
  #wholeAt = 0
  /** End of the command after which the exchange became production. */
  #turnedAt: number | undefined
  /** The state at the last check of the whole state, and the end of its commands. */
  #dumped: { readonly dump: Uint8Array; readonly end: number } | undefined

  constructor(options: WorldOptions) {
    this.#options = options
    this.#comparison = new Comparison(this.#oracle, this.#auditor)
  }

  get dueAt(): number | undefined {
    const due = this.#exchange.nextDueAtMs
    return Number.isFinite(due) ? due : undefined
  }

  /** Number of trades so far. */
  get trades(): number {
    return this.#auditor.trades
  }

  /** Number of prevented matches so far, by mode. */
  get prevented(): Auditor['prevented'] {
    return this.#auditor.prevented
  }

  /** How many orders the daily limit refused and closed so far. */
  get limited(): { readonly refused: number; readonly closed: number } {
    return { refused: this.#turnover.refused, closed: this.#turnover.closed }
  }

  /** Executes one step on all three. Throws Disagreement. */
  step(step: Step): readonly Event[] {
    this.steps.push(step)
    try {
      const at = this.#commands.length
      encodeCommand(step.command, step.stamp, this.#commands)
      const events = execute(this.#exchange, this.#commands, at)
      this.#auditor.follow(events)
      this.#turnover.follow(events, step.stamp.at)
      if (step.command.type === 'mode.set' && this.#turnedAt === undefined) this.#becomeProduction()
      this.#comparison.step(step, events, this.#exchange)
      if (this.steps.length - this.#wholeAt >= this.#options.wholeEvery) this.#checkWhole()
      return events
    } catch (cause) {
      throw new Disagreement(this.steps.length, (cause as Error).message, cause)
    }
  }

  /** Checks the whole state a last time and replays the run. Returns the hash of the state. */
  finish(): string {
    try {
      this.#checkWhole()
      const again = this.#replay(Exchange.create(), 0)
      if (again.hash() !== this.#exchange.hash()) throw new Error('a replay of all commands gives another hash')
      return again.hash()
    } catch (cause) {
      throw cause instanceof Disagreement ? cause : new Disagreement(this.steps.length, (cause as Error).message, cause)
    }
  }

  /** The data has practice funds, so the command alone is refused. */
  #becomeProduction(): void {
    this.#exchange = withMode(this.#exchange, 'production')
    this.#turnedAt = this.#commands.length
    this.#turnover.becomeProduction()
  }

  /** Executes the commands from this place on, and becomes production where the run did. */
  #replay(from: Exchange, start: number): Exchange {
    let exchange = from
    for (let at = start; at < this.#commands.length; ) {
      at += run(exchange, this.#commands, at)
      if (at === this.#turnedAt) exchange = withMode(exchange, 'production')
    }
    return exchange
  }

  /** Compares the whole state, then continues with a restored exchange, so that anything missing from a dump shows up. */
  #checkWhole(): void {
    this.#wholeAt = this.steps.length
    this.#auditor.checkAll()
    this.#comparison.whole(this.#exchange)
    const hash = this.#exchange.hash()
    if (this.#dumped !== undefined) {
      const follower = this.#replay(Exchange.restore(this.#dumped.dump), this.#dumped.end)
      if (follower.hash() !== hash) throw new Error('a restored dump with the commands after it gives another hash')
    }
    const dump = this.#exchange.dump()
    this.#exchange = Exchange.restore(dump)
    if (this.#exchange.hash() !== hash) throw new Error('a restored dump has another hash')
    this.#dumped = { dump, end: this.#commands.length }
  }
}

function execute(exchange: Exchange, commands: Records, at: number): readonly Event[] {
  const events = new Records(256)
  exchange.execute(commands.data, at, events)
  return decodeEvents(events.data, 0, events.length)
}

/** Executes one command and ignores its events. Returns its length in slots. */
function run(exchange: Exchange, commands: Records, at: number): number {
  exchange.execute(commands.data, at, new Records(256))
  return commandLength(commands.data, at)
}
