/**
 * One side of `core.ts` in a process of its own, so that neither side meets the other's garbage or makes its compiled code
 * forget what it knows. Reads the commands, says `ready`, and answers each `run` with commands per CPU-second, its own
 * collector and compiler included. What happens before the first counted run happens once in a server's life.
 */
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { compilerFlags } from '../../core/compiler-flags.ts'
import { Exchange } from '../../core/exchange/exchange.ts'
import { Records } from '../../core/protocol/codec/records.ts'
import { AMEND, CANCEL, LIMIT, loadWorkload } from './core-workload.ts'
import type { Workload } from './core-workload.ts'

/** The commands of a side, as they come from a file. */
type Commands = Omit<Workload, 'resting'>

type Yardstick = {
  limit(order: object): { err: unknown }
  cancel(id: string): unknown
  modify(id: string, change: object): unknown
}

/** What the parent asks of a side. */
export type Question = 'run' | 'tail'
/** Microseconds. */
export type Tail = { readonly p50: number; readonly p999: number; readonly p9999: number }
export type Answer = 'ready' | number | Tail

export const batch = 256
/** Of each run's commands, the first ones are not counted: the book is still filling. */
const warmUpShare = 0.2

for (const flag of compilerFlags) setFlagsFromString(flag)
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

if (import.meta.main) {
  const [side, markets, folder] = process.argv.slice(2)
  const work = loadWorkload(folder!)
  const run = side === 'core' ? () => timeCore(work) : () => timeYardstick(work, Number(markets))
  process.on('message', (question: Question) => process.send!(question === 'run' ? run() : timeEach(work)))
  process.send!('ready' satisfies Answer)
}

/** Commands per CPU-second of a fresh exchange, which come as to an engine: a batch in a small buffer. Its events are thrown away. */
function timeCore(work: Commands): number {
  const exchange = prepared(work)
  const events = new Records(1 << 16)
  const warmUp = Math.floor((work.offsets.length * warmUpShare) / batch) * batch
  collect()
  execute(exchange, work, events, 0, warmUp)
  const before = process.cpuUsage()
  execute(exchange, work, events, warmUp, work.offsets.length)
  return rate(work.offsets.length - warmUp, before)
}

function execute(exchange: Exchange, work: Commands, events: Records, from: number, to: number): void {
  const { commands, offsets } = work
  const intake = new Records(batch * 64)
  for (let first = from; first < to; first += batch) {
    const end = Math.min(first + batch, to)
    const start = offsets[first]!
    intake.clear()
    events.clear()
    intake.append(commands.data, start, end < offsets.length ? offsets[end]! : commands.length)
    exchange.executeAll(intake.data, 0, intake.length, events)
  }
}

function timeYardstick({ plain, offsets }: Commands, markets: number): number {
  const { OrderBook } = createRequire(import.meta.url)('nodejs-order-book') as { OrderBook: new () => Yardstick }
  const books = Array.from({ length: markets + 1 }, () => new OrderBook())
  const names = Array.from(offsets, (_, n) => `o${plain[n * 7 + 6]}`)
  const warmUp = Math.floor((offsets.length * warmUpShare) / batch) * batch
  collect()
  executeYardstick(books, names, plain, 0, warmUp)
  const before = process.cpuUsage()
  executeYardstick(books, names, plain, warmUp, offsets.length)
  return rate(offsets.length - warmUp, before)
}

function executeYardstick(books: readonly Yardstick[], names: readonly string[], plain: Float64Array, from: number, to: number): void {
  for (let n = from; n < to; n++) {
    const at = n * 7
    const kind = plain[at]!
    const book = books[plain[at + 1]!]!
    const id = names[n]!
    if (kind === CANCEL) book.cancel(id)
    else if (kind === AMEND) book.modify(id, { price: plain[at + 4]!, size: plain[at + 5]! })
    else {
      const side = plain[at + 3] === 0 ? 'buy' : 'sell'
      book.limit({ side, id, size: plain[at + 5]!, price: plain[at + 4]!, timeInForce: kind === LIMIT ? 'GTC' : 'IOC' })
    }
  }
}

/** Microseconds that single commands take, the clock's own time included. */
function timeEach(work: Commands): Tail {
  const exchange = prepared(work)
  const events = new Records(1 << 16)
  const { data } = work.commands
  const { offsets } = work
  const took = new Float64Array(offsets.length)
  collect()
  for (let n = 0; n < offsets.length; n++) {
    if (n % batch === 0) events.clear()
    const before = performance.now()
    exchange.execute(data, offsets[n]!, events)
    took[n] = performance.now() - before
  }
  took.sort()
  const at = (share: number): number => Math.round(took[Math.floor(took.length * share)]! * 10_000) / 10
  return { p50: at(0.5), p999: at(0.999), p9999: at(0.9999) }
}

/** An exchange with the workload's users, markets and funds. */
export function prepared(work: Pick<Workload, 'setup'>): Exchange {
  const exchange = Exchange.create()
  const events = new Records(1 << 16)
  for (let at = 0; at < work.setup.length; at += work.setup.data[at]! & 0xfffff) {
    events.clear()
    exchange.execute(work.setup.data, at, events)
  }
  return exchange
}

function rate(count: number, before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return count / ((user + system) / 1e6)
}
