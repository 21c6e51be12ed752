/**
 * Measures what changes of prices and time cost a crowded exchange, command by command. Each change runs three times from the same
 * state, and the least processor time of each command counts, so that noise does not. A command can't have used more than the
 * process did, nor more than the time that passed: after each restore the compiler works anew on other threads, and nothing waits
 * for it.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Exchange } from '../../../core/exchange/exchange.ts'
import { encodeCommand } from '../../../core/protocol/codec/command.ts'
import { decodeEvents } from '../../../core/protocol/codec/event.ts'
import { Records } from '../../../core/protocol/codec/records.ts'
import type { Command } from '../../../core/protocol/command/index.ts'
import type { Event, OutcomeEvent } from '../../../core/protocol/event/index.ts'

/** A change to measure. `told`: the event whose number is reported. `act`: makes the change. */
export type Happening = { readonly what: string; readonly told: Event['type']; readonly act: (run: Run) => void }

/**
 * Cost of one change: its commands (with the clock ticks that continue it), the number of its events, and the processor time of the
 * most expensive command and of all, in ms.
 */
export type Cost = {
  readonly what: string
  readonly commands: number
  readonly happened: number
  readonly worstMs: number
  /** Index of the most expensive command, from 0. */
  readonly worst: number
  readonly wholeMs: number
}

export const runsEach = 3
const start = 1_750_000_000_000
/** A process that uses less than this in 50 ms is idle. */
const idleMs = 1
/** More clock ticks than this mean an endless loop. */
const ticksMax = 50_000

/** Runs each change from the state of a dump. `before`: a quiet index tick. */
export function measure(dump: Uint8Array, happenings: readonly Happening[], before: (run: Run) => void): Cost[] {
  return happenings.map(({ what, told, act }) => {
    const runs = Array.from({ length: runsEach }, () => {
      const run = new Run(Exchange.restore(dump))
      // The first lookups of a restored exchange are not part of the measurement.
      before(run)
      run.goesOn()
      collect()
      run.costs.length = 0
      run.happened.clear()
      act(run)
      run.goesOn()
      return run
    })
    const costs = runs[0]!.costs.map((_, i) => Math.min(...runs.map((one) => one.costs[i]!)))
    const worstMs = Math.max(...costs)
    const happened = runs[0]!.happened.get(told) ?? 0
    const wholeMs = costs.reduce((sum, cost) => sum + cost, 0)
    return { what, commands: costs.length, happened, worstMs, worst: costs.indexOf(worstMs), wholeMs }
  })
}

/** Processor time of the whole process so far, in ms, including garbage collection on other threads. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Collects the restore's garbage and waits until that is done, so that the measured commands don't pay for it. */
export function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
  gc()
  const nobody = new Int32Array(new SharedArrayBuffer(4))
  for (let before = -Infinity; processorMs() - before > idleMs; ) {
    before = processorMs()
    Atomics.wait(nobody, 0, 0, 50)
  }
}

/** Executes commands one after another and records the time of each. */
export class Run {
  readonly exchange: Exchange
  /** Processor time of each command, in ms. */
  readonly costs: number[] = []
  readonly happened = new Map<string, number>()
  readonly #commands = new Records()
  readonly #events = new Records(2 ** 20)
  at: number

  constructor(exchange: Exchange) {
    this.exchange = exchange
    this.at = Math.max(start, exchange.atMs)
  }

  does(command: object, isCounted = true): OutcomeEvent {
    this.#commands.length = 0
    this.#events.length = 0
    encodeCommand(command as Command, { seq: this.exchange.seq + 1, at: this.at, keyId: 0 }, this.#commands)
    const [used, passed] = [processorMs(), performance.now()]
    this.exchange.execute(this.#commands.data, 0, this.#events)
    if (isCounted) this.costs.push(Math.min(performance.now() - passed, processorMs() - used))
    const events = decodeEvents(this.#events.data, 0, this.#events.length)
    if (isCounted) for (const { type } of events) this.happened.set(type, (this.happened.get(type) ?? 0) + 1)
    const outcome = events.at(-1) as OutcomeEvent
    if (outcome.refusal !== undefined) throw new Error(`${JSON.stringify(command)}: ${outcome.refusal}`)
    return outcome
  }

  /** An index tick a quarter of a second later. `whole`: prices of markets 1, 2 … in whole USDT. */
  prices(...whole: number[]): void {
    this.at += 250
    const prices = whole.map((price, i) => ({ market: i + 1, price: Math.round(price * 1e8), sources: 5, isGood: true }))
    this.does({ type: 'index.tick', prices })
  }

  /** Sends clock ticks until nothing is due at this time. */
  goesOn(): void {
    for (let n = 0; this.exchange.nextDueAtMs <= this.at; n++) {
      if (n > ticksMax) throw new Error('the clock never ends')
      this.does({ type: 'clock.tick' })
    }
  }

  passes(ms: number): void {
    this.at += ms
  }
}
