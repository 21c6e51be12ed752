/**
 * One side of `core.ts` or `against.ts` in a process of its own, so that neither side collects the other's garbage or deoptimizes
 * its code. Like a server, it keeps one exchange for its whole life: it reads the commands, sends `ready`, and answers each `run`
 * with the commands per CPU-second of the next slice, garbage collection and compilation included. Growth and compilation in the
 * first slices happen once in a server's life.
 *
 *   core-side.ts core|yardstick MARKETS FOLDER SLICES [CLONE]
 */
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Exchange } from '../../core/exchange/exchange.ts'
import { lengthOf, Records } from '../../core/protocol/codec/records.ts'
import { AMEND, CANCEL, LIMIT, loadWorkload } from './core-workload.ts'
import type { Workload } from './core-workload.ts'

/** The commands of a side, read from a file. */
type Commands = Omit<Workload, 'resting'>

type Yardstick = {
  limit(order: object): { err: unknown }
  cancel(id: string): unknown
  modify(id: string, change: object): unknown
}

/** The modules of a clone that a side uses. */
type Tree = { readonly Exchange: typeof Exchange; readonly Records: typeof Records }

/** Requests of the parent process. */
export type Question = 'run' | 'tail'
/** Microseconds. */
export type Tail = { readonly p50: number; readonly p999: number; readonly p9999: number }
export type Answer = 'ready' | number | Tail

export const batch = 256
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

if (import.meta.main) {
  const [side, markets, folder, slices, clone] = process.argv.slice(2)
  const work = loadWorkload(folder!)
  const tree = await loadTree(resolve(clone ?? join(import.meta.dirname, '..', '..')))
  const life = side === 'core' ? coreLife(tree, work) : yardstickLife(work, Number(markets))
  const slice = Math.floor(work.offsets.length / Number(slices) / batch) * batch
  let from = 0
  const run = (): number => {
    const before = process.cpuUsage()
    life(from, from + slice)
    from += slice
    return rate(slice, before)
  }
  process.on('message', (question: Question) => process.send!(question === 'run' ? run() : timeEach(tree, work)))
  process.send!('ready' satisfies Answer)
}

/** Loads the core of this or another clone. Its V8 flags are set before any of it is compiled. */
async function loadTree(root: string): Promise<Tree> {
  const { compilerFlags } = (await import(join(root, 'core', 'compiler-flags.ts'))) as { compilerFlags: readonly string[] }
  for (const flag of compilerFlags) setFlagsFromString(flag)
  const exchange = (await import(join(root, 'core', 'exchange', 'exchange.ts'))) as Pick<Tree, 'Exchange'>
  const records = (await import(join(root, 'core', 'protocol', 'codec', 'records.ts'))) as Pick<Tree, 'Records'>
  return { Exchange: exchange.Exchange, Records: records.Records }
}

/** An exchange that executes commands as an engine does: in batches, from a small buffer. Its events are discarded. */
function coreLife(tree: Tree, work: Commands): (from: number, to: number) => void {
  const exchange = prepared(work, tree)
  const events = new tree.Records(1 << 16)
  const intake = new tree.Records(batch * 64)
  const { commands, offsets } = work
  return (from, to) => {
    for (let first = from; first < to; first += batch) {
      const end = Math.min(first + batch, to)
      const start = offsets[first]!
      intake.clear()
      events.clear()
      intake.append(commands.data, start, end < offsets.length ? offsets[end]! : commands.length)
      exchange.executeAll(intake.data, 0, intake.length, events)
    }
  }
}

function yardstickLife({ plain, offsets }: Commands, markets: number): (from: number, to: number) => void {
  const { OrderBook } = createRequire(import.meta.url)('nodejs-order-book') as { OrderBook: new () => Yardstick }
  const books = Array.from({ length: markets + 1 }, () => new OrderBook())
  const names = Array.from(offsets, (_, n) => `o${plain[n * 7 + 6]}`)
  return (from, to) => executeYardstick(books, names, plain, from, to)
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

/** Microseconds per single command, including the time to read the clock. */
function timeEach(tree: Tree, work: Commands): Tail {
  const exchange = prepared(work, tree)
  const events = new tree.Records(1 << 16)
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

/** An exchange with the workload's users, markets and funds. It reserves memory as an engine does, unless the clone is too old. */
export function prepared(work: Pick<Workload, 'setup'>, tree: Tree = { Exchange, Records }): Exchange {
  const exchange = tree.Exchange.create()
  if ('reserve' in exchange) exchange.reserve()
  const events = new tree.Records(1 << 16)
  for (let at = 0; at < work.setup.length; at += lengthOf(work.setup.data[at]!)) {
    events.clear()
    exchange.execute(work.setup.data, at, events)
  }
  return exchange
}

function rate(count: number, before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return count / ((user + system) / 1e6)
}
