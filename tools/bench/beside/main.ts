/**
 * Orders a second beside a statement of liabilities of a million customers, and the time of the statement beside orders. The whole
 * exchange runs as under `npm start`, without bots, and 32 programs send signed orders over HTTP: at half of what the machine just kept up with,
 * and as many as are answered. `npm run bench -- proof` makes statements at the same time, in a database of its own, and is stopped
 * (SIGSTOP) for each turn without it. The turns change their order with each pair. Each begins ten seconds before a full minute and ends ten
 * seconds after it: at the minute the follower makes the receipts of the last minute, and no turn shall have more of that than another.
 *
 *   node tools/bench/beside/main.ts [--json] [--customers N] [--rounds N]
 *
 * Fails when a statement beside half of the load takes more than two minutes, or when orders fall by more than 10 % in either way.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { keptUp, withExchange } from '../doors/exchange.ts'
import { median, medianOfTurns, numberAfter, rounded, say } from '../report.ts'

const customers = numberAfter('--customers', 1_000_000)
const rounds = 2 * Math.ceil(numberAfter('--rounds', 4) / 2)
const seconds = 20
const minuteMs = 60_000
const [statementMaxMs, ratioMin] = [120_000, 0.9]
/** A process that makes a statement works after this time. */
const begunMs = 5_000
/** More than anybody waits for. */
const statements = 1_000

const root = join(import.meta.dirname, '..', '..', '..')

/** The other benchmark, which makes one statement after the other while it is not paused. */
class Statements implements Disposable {
  readonly #child: ChildProcess
  readonly #lines: NodeJS.EventEmitter
  readonly #ended: Promise<never>

  constructor() {
    const options = ['--customers', String(customers), '--repeat', String(statements)]
    // In the session of the exchange, as the process that makes statements is: where sessions share the processor, another one would have half.
    this.#child = spawn(process.execPath, [join(import.meta.dirname, '..', 'proof', 'main.ts'), ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#lines = createInterface({ input: this.#child.stdout! })
    this.#ended = once(this.#child, 'exit').then(() => {
      throw new Error('The benchmark of statements has ended')
    })
    this.#ended.catch(() => undefined)
  }

  /** Resolves when the next statement is made. */
  async made(): Promise<void> {
    await Promise.race([once(this.#lines, 'line'), this.#ended])
  }

  /** Between two statements, processes open connections, which must not wait longer than they may. */
  async untilBegun(): Promise<void> {
    await Promise.race([sleep(begunMs), this.#ended])
  }

  /** Throws when there is nothing to pause. */
  pause(): void {
    if (!this.#signal('SIGSTOP')) throw new Error('The benchmark of statements has ended')
  }

  goOn(): void {
    this.#signal('SIGCONT')
  }

  [Symbol.dispose](): void {
    this.goOn()
    this.#signal('SIGTERM')
  }

  /** To the benchmark, and to the process that makes the statement. */
  #signal(signal: NodeJS.Signals): boolean {
    const { exitCode, pid } = this.#child
    if (exitCode !== null || pid === undefined) return false
    const makers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    for (const each of [pid, ...makers]) process.kill(each, signal)
    return true
  }
}

/** Until half a turn before the next full minute that is so far away. */
const untilTurn = (): Promise<void> => sleep(minuteMs - ((Date.now() + (seconds * 1_000) / 2) % minuteMs))

using made = new Statements()
say(`Making a database of ${rounded(customers)} customers and a first statement …`)
await made.made()
await made.untilBegun()
made.pause()
await withExchange(root, 'signed HTTP', async (exchange) => {
  const { ways, settle } = exchange
  const { drive } = ways[0]!
  await untilTurn()
  const half = (await keptUp(exchange, seconds)) / 2
  made.goOn()
  const found = { half: await turns('half', half), most: await turns('most', undefined) }
  const statementMs = await besideOrders(half)
  const ratios = { half: medianOfTurns(found.half), most: medianOfTurns(found.most) }
  say(
    `orders      ${(ratios.half * 100).toFixed(1)} % beside a statement at ${rounded(half)} a second, ${(ratios.most * 100).toFixed(1)} % of all that are answered`,
  )
  say(`statement   ${rounded(statementMs)} ms beside ${rounded(half)} orders and cancels a second (aim ${rounded(statementMaxMs)} ms)`)
  if (process.argv.includes('--json'))
    console.log(JSON.stringify({ name: 'beside', value: ratios.half, most: ratios.most, statementMs, half, customers, rounds: found }))
  if (ratios.half < ratioMin || ratios.most < ratioMin || statementMs > statementMaxMs) process.exitCode = 1

  /** Rates beside a statement against those alone. */
  async function turns(name: string, perSecond: number | undefined): Promise<readonly number[]> {
    const pairs: number[] = []
    for (let round = 0; round < rounds; round++) {
      const rates = { alone: 0, beside: 0 }
      for (const side of round % 2 === 0 ? (['alone', 'beside'] as const) : (['beside', 'alone'] as const)) {
        await untilTurn()
        if (side === 'alone') made.pause()
        rates[side] = (await drive(`${name}${round}${side}`, seconds, perSecond)).perSecond
        made.goOn()
        await settle(`${name}${round}${side}`)
      }
      say(`${name}, round ${round + 1}: ${rounded(rates.alone)}/s alone, ${rounded(rates.beside)}/s beside a statement`)
      pairs.push(rates.beside / rates.alone)
    }
    return pairs
  }

  /** Median of the times of three whole statements. */
  async function besideOrders(perSecond: number): Promise<number> {
    const times: number[] = []
    let isOver = false
    const orders = (async () => {
      for (let n = 0; !isOver; n++) {
        await drive(`long${n}`, seconds, perSecond)
        await settle(`long${n}`)
      }
    })()
    try {
      // The one that was paused does not count.
      await made.made()
      for (let n = 0; n < 3; n++) {
        const begun = performance.now()
        await made.made()
        times.push(performance.now() - begun)
      }
    } finally {
      isOver = true
      await orders
    }
    return median(times)
  }
})
