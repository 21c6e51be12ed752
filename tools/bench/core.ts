/**
 * `npm run bench -- core`: compares the full core (checks, holds, double entry, fees, idempotence, events) with the bare matching of
 * `nodejs-order-book` on the same command file. Each side has its own process with the flags and environment of an engine. The sides
 * take turns, slice by slice. Rates are medians of commands per CPU-second; the first eight slices are not counted.
 *
 *   --runs=8 --commands=4000000 --json
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { coreEnvironment } from '../../core/compiler-flags.ts'
import { NaiveBook } from '../../core/book/test/naive-book.ts'
import { encodeCommand } from '../../core/protocol/codec/command.ts'
import { decodeEvents } from '../../core/protocol/codec/event.ts'
import { Records } from '../../core/protocol/codec/records.ts'
import type { Command } from '../../core/protocol/command/index.ts'
import { batch, prepared } from './core-side.ts'
import type { Question, Tail } from './core-side.ts'
import { AMEND, CANCEL, IMMEDIATE, makeWorkload, plainAt, saveWorkload } from './core-workload.ts'
import type { Plain, Workload } from './core-workload.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const option = (name: string, otherwise: number): number => {
  const given = process.argv.find((word) => word.startsWith(`--${name}=`))
  return given === undefined ? otherwise : Number(given.slice(name.length + 3))
}
const isJson = process.argv.includes('--json')
const runs = option('runs', 8)
const commandCount = option('commands', 4_000_000)
/** The first slices are not counted: see `against.ts`. */
const young = 8
const checkedCount = 40_000

/** The folder that the supervisor uses. A first process fills it, because stripping types at load slows typed arrays down. */
const compileCache = join(import.meta.dirname, '..', '..', '.cache', 'compile')

await fillCompileCache()
const results = [await compare(1), await compare(32)]
const memory = measureMemory()
const worst = results.reduce((a, b) => (a.ratio < b.ratio ? a : b))
if (!isJson) process.stdout.write(`\n${memory.perOrder} bytes per resting order\n`)
process.stdout.write(
  `${JSON.stringify({ name: 'core', value: worst.value, yardstick: worst.yardstick, ratio: worst.ratio, results: [...results, memory] })}\n`,
)

async function compare(markets: number): Promise<{
  markets: number
  value: number
  yardstick: number
  ratio: number
  p50Us: number
  p999Us: number
  p9999Us: number
  resting: number
}> {
  await using folder = await scratchFolder()
  const resting = prepare(folder.path, commandCount, markets)
  const core = await start('core', markets, folder.path)
  const other = await start('yardstick', markets, folder.path)
  const fast: number[] = []
  const slow: number[] = []
  for (let run = -young; run < runs; run++) {
    const mine = await ask<number>(core, 'run')
    const theirs = await ask<number>(other, 'run')
    if (run < 0) continue
    fast.push(mine)
    slow.push(theirs)
  }
  const { p50, p999, p9999 } = await ask<Tail>(core, 'tail')
  core.kill()
  other.kill()
  const value = median(fast)
  const yardstick = median(slow)
  const ratio = value / yardstick
  const result = {
    markets,
    value: Math.round(value),
    yardstick: Math.round(yardstick),
    ratio: Math.round(ratio * 10) / 10,
    p50Us: p50,
    p999Us: p999,
    p9999Us: p9999,
    resting,
  }
  if (!isJson) {
    const million = (rate: number): string => `${(rate / 1e6).toFixed(2)} M`
    process.stdout.write(
      `${markets} market(s), ${commandCount} commands, ${resting} resting at their end\n` +
        `  core               ${million(value)} commands per CPU-second (${fast.map(million).join(', ')})\n` +
        `  nodejs-order-book  ${million(yardstick)} (${slow.map(million).join(', ')})\n` +
        `  ratio              ${result.ratio}×\n` +
        `  one command        p50 ${p50} µs, p99.9 ${p999} µs, p99.99 ${p9999} µs\n`,
    )
  }
  return result
}

/** Writes the commands to a folder for both sides. Returns the number of orders that rest at the end. */
function prepare(folder: string, count: number, markets: number): number {
  const work = makeWorkload(42, count, markets)
  check(work)
  saveWorkload(folder, work)
  return work.resting
}

/** Starts a side in its process. Resolves when it has read its commands. */
async function start(side: 'core' | 'yardstick', markets: number, folder: string): Promise<ChildProcess> {
  const child = fork(new URL('core-side.ts', import.meta.url), [side, String(markets), folder, String(runs + young)], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...coreEnvironment },
  })
  child.once('exit', (code) => {
    if (code !== null && code !== 0) throw new Error(`the ${side} ended with ${code}`)
  })
  await once(child, 'message')
  return child
}

/** Fills the compile cache: a process that exits normally writes its compiled code there. */
async function fillCompileCache(): Promise<void> {
  await using folder = await scratchFolder()
  prepare(folder.path, (runs + young) * batch, 1)
  for (const side of ['core', 'yardstick'] as const) {
    const child = await start(side, 1, folder.path)
    await ask<number>(child, 'run')
    child.disconnect()
    await once(child, 'exit')
  }
}

/** A temporary folder for the commands, removed on disposal. */
async function scratchFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'candor-core-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

async function ask<T>(side: ChildProcess, question: Question): Promise<T> {
  side.send(question)
  const [answer] = (await once(side, 'message')) as [T]
  return answer
}

/** Checks the core against an independent naive book on the first commands: same trades, volume and value. */
function check(work: Workload): void {
  const count = Math.min(checkedCount, work.offsets.length)
  const exchange = prepared(work)
  const events = new Records(1 << 16)
  const books = new Map<number, NaiveBook>()
  let trades = 0
  for (let n = 0; n < count; n++) {
    const command = plainAt(work.plain, n)
    events.clear()
    exchange.execute(work.commands.data, work.offsets[n]!, events)
    const mine = decodeEvents(events.data, 0, events.length).filter((event) => event.type === 'traded')
    const book = books.get(command.market) ?? new NaiveBook()
    books.set(command.market, book)
    const theirs = executeNaive(book, command)
    const a = mine.map((trade) => `${trade.makerOrder} ${trade.price} ${trade.lots}`).join()
    const b = theirs.map((trade) => `${trade.maker} ${trade.price} ${trade.lots}`).join()
    if (a !== b) throw new Error(`command ${n} trades differently: ${a} instead of ${b}`)
    trades += mine.length
  }
  const { sums, violations } = exchange.trialBalance()
  if (sums.some((sum) => sum !== 0) || violations.length > 0) throw new Error('the ledger does not balance')
  if (!isJson) process.stdout.write(`\n${trades} trades in the first ${count} commands, the same as in a naive book\n`)
}

function executeNaive(book: NaiveBook, command: Plain): readonly { maker: number; price: number; lots: number }[] {
  const { kind, user, side, price, lots, order } = command
  const known = book.find(order)
  if (kind === CANCEL) {
    book.remove(order)
    return []
  }
  if (kind === AMEND && known !== undefined) {
    if (known.price === price) {
      book.shrink(order, lots)
      return []
    }
    book.remove(order)
  }
  const match = book.match(side, price, lots, Infinity, user, 0)
  if (match.left > 0 && kind !== IMMEDIATE && !match.isSelfStopped)
    book.rest({ id: order, user, side, price, left: match.left, display: 0 })
  return match.trades
}

/** Bytes of memory per resting order, with half a million of them. */
function measureMemory(): { perOrder: number } {
  const count = 2 ** 19
  const setup = makeWorkload(7, 0, 1)
  const exchange = prepared(setup)
  const commands = new Records()
  const events = new Records()
  collect()
  // Tables reserve address space before they use it, so only resident memory counts.
  const used = (): number => process.memoryUsage().rss
  const before = used()
  for (let n = 0; n < count; n++) {
    commands.clear()
    events.clear()
    const order = {
      type: 'spot.place',
      user: 1 + (n % 10_000),
      clientId: '',
      market: 1,
      side: 'buy',
      orderType: 'limit',
      timeInForce: 'GTC',
      price: 600_000 + (n % 5000),
      lots: 1,
      isPostOnly: false,
      selfTrade: 'expire-taker',
    }
    encodeCommand(order as Command, { seq: exchange.seq + 1, at: exchange.atMs, keyId: 1 }, commands)
    exchange.execute(commands.data, 0, events)
  }
  collect()
  if (exchange.orderCount !== count) throw new Error(`${exchange.orderCount} orders rest instead of ${count}`)
  return { perOrder: Math.round((used() - before) / count) }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
