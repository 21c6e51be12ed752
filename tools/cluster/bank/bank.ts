import { closeSync, fdatasync, openSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { until } from '../machines/until.ts'
import { compare, type Verdict } from './compare.ts'
import { Customer } from './customer.ts'
import { type Begin, beginOf, heldOf } from './held.ts'
import type { Program } from './program.ts'
import type { Told } from './record.ts'

export type BankOptions = {
  readonly programs: readonly Program[]
  /** Of all customers together. */
  readonly perSecond: number
  readonly price: number
  readonly mark: string
  /** File of one JSON object a line for each final answer, with its time. */
  readonly log: string
}

export type Outcome = Verdict & {
  readonly refused: number
  /** Requests that were sent more than once. */
  readonly repeated: number
  /** The longest time in which no customer got an acknowledgement. */
  readonly longestGapMs: number
}

const syncEveryMs = 100
const answerMaxMs = 180_000

/**
 * Customers who send orders, cancels and transfers at a steady rate through the public entries, write down every final answer on
 * their side, and at the end compare it with what the exchange lists.
 */
export class Bank {
  readonly #customers: readonly Customer[]
  readonly #begins: readonly Begin[]
  readonly #told: Told[] = []
  readonly #log: Log
  readonly #stop = new AbortController()
  #running: Promise<unknown> = Promise.resolve()
  #failure: Error | undefined
  #startedMs = 0

  private constructor(options: BankOptions, begins: readonly Begin[]) {
    const { programs, perSecond, price, mark, log } = options
    this.#begins = begins
    this.#log = new Log(log)
    const everyMs = (programs.length * 1_000) / perSecond
    const onTold = (told: Told): void => {
      this.#told.push(told)
      this.#log.add(told)
    }
    this.#customers = programs.map((program, nth) => new Customer({ nth, program, mark, everyMs, price, onTold }))
  }

  /** Reads what there was before and starts the customers. */
  static async open(options: BankOptions): Promise<Bank> {
    const bank = new Bank(options, await Promise.all(options.programs.map(beginOf)))
    bank.#startedMs = performance.now()
    const runs = bank.#customers.map((customer) => customer.run(bank.#stop.signal, answerMaxMs))
    bank.#running = Promise.all(runs).catch((cause: Error) => {
      bank.#failure = cause
      bank.#stop.abort()
    })
    return bank
  }

  get acknowledged(): number {
    return this.#told.filter(({ isAcknowledged }) => isAcknowledged).length
  }

  /** Waits until each customer has got this many acknowledgements since then. */
  async untilServed(sinceMs: number, count: number, maxMs: number): Promise<void> {
    await until('all customers get answers', maxMs, () => {
      if (this.#failure !== undefined) throw this.#failure
      return this.#customers.every((customer) => customer.servedSince(sinceMs) >= count)
    })
  }

  /** The longest time that any customer waited for an acknowledgement in this span. */
  longestWaitMs(fromMs: number, toMs: number): number {
    return Math.max(...this.#customers.map((customer) => customer.longestWaitMs(fromMs, toMs)))
  }

  /**
   * Waits for all answers, then compares. throws Error when a request got no final answer, or the lists can't be read.
   */
  async close(): Promise<Outcome> {
    this.#stop.abort()
    await this.#running
    await this.#log.close()
    if (this.#failure !== undefined) throw this.#failure
    const endedMs = performance.now()
    const helds = await Promise.all(this.#customers.map(({ nth, program }) => heldOf(nth, program, this.#begins[nth]!)))
    return {
      ...compare(this.#told, helds),
      refused: this.#told.filter(({ isAcknowledged }) => !isAcknowledged).length,
      repeated: this.#told.filter(({ tries }) => tries > 1).length,
      longestGapMs: longestGap(this.#told, Date.now() - (performance.now() - this.#startedMs), Date.now() - (performance.now() - endedMs)),
    }
  }
}

/** For people. */
export function linesOf({ acknowledged, refused, repeated, longestGapMs, lost, doubled, unbalanced }: Outcome): readonly string[] {
  return [
    `${acknowledged} acknowledged, ${refused} refused, ${repeated} sent more than once; at most ${(longestGapMs / 1_000).toFixed(2)} s without an answer to anybody`,
    `${lost.length} lost, ${doubled.length} doubled, ${unbalanced.length} balances wrong`,
    ...[...lost, ...doubled, ...unbalanced].slice(0, 20).map((fault) => `  ! ${fault}`),
  ]
}

/** In ms, between the begin, all acknowledgements and the end. Times in ms since 1970. */
export function longestGap(told: readonly Told[], begin: number, end: number): number {
  const times = told.filter(({ isAcknowledged }) => isAcknowledged).map(({ answeredAt }) => answeredAt)
  const all = [begin, ...times.sort((a, b) => a - b), end]
  return Math.max(...all.slice(1).map((time, i) => time - all[i]!))
}

/** Lines of a file, on disk at most 100 ms later. */
class Log {
  readonly #file: number
  readonly #timer: NodeJS.Timeout
  #syncing: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#file = openSync(path, 'a', 0o600)
    this.#timer = setInterval(() => (this.#syncing = this.#syncing.then(() => promisify(fdatasync)(this.#file))), syncEveryMs)
  }

  add(told: Told): void {
    writeSync(this.#file, `${JSON.stringify(told)}\n`)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#syncing
    await promisify(fdatasync)(this.#file)
    closeSync(this.#file)
  }
}
