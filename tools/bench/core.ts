/**
 * `npm run bench -- core`: the full core (checks, holds, double entry, fees, idempotence, events) beside
 * `nodejs-order-book`, bare matching, on the same command file. Rates are commands per CPU-second, interleaved, medians.
 *
 *   --runs=5 --commands=2000000 --yardstick=200000 --json
 */
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { NaiveBook } from '../../core/book/test/naive-book.ts'
import { Exchange } from '../../core/exchange/exchange.ts'
import { encodeCommand } from '../../core/protocol/codec/command.ts'
import { decodeEvents } from '../../core/protocol/codec/event.ts'
import { Records } from '../../core/protocol/codec/records.ts'
import type { Command } from '../../core/protocol/command/index.ts'
import { AMEND, CANCEL, IMMEDIATE, LIMIT, makeWorkload, plainAt } from './core-workload.ts'
import type { Plain, Workload } from './core-workload.ts'

type Yardstick = {
  limit(order: object): { err: unknown }
  cancel(id: string): unknown
  modify(id: string, change: object): unknown
}
const { OrderBook } = createRequire(import.meta.url)('nodejs-order-book') as { OrderBook: new () => Yardstick }

// The core is many small functions: the compiler's usual budget ends before they are all in one.
setFlagsFromString('--max-inlined-bytecode-size=2000')
setFlagsFromString('--max-inlined-bytecode-size-cumulative=5000')
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const option = (name: string, otherwise: number): number => {
  const given = process.argv.find((word) => word.startsWith(`--${name}=`))
  return given === undefined ? otherwise : Number(given.slice(name.length + 3))
}
const isJson = process.argv.includes('--json')
const runs = option('runs', 5)
const commandCount = option('commands', 2_000_000)
const yardstickCount = Math.min(commandCount, option('yardstick', 200_000))
const checkedCount = Math.min(commandCount, 40_000)
const batch = 256
/** Of each side's commands, the first ones are not counted: the compiler is still at work. */
const warmUpShare = 0.2

const results = [1, 32].map((markets) => compare(markets))
const memory = measureMemory()
const worst = results.reduce((a, b) => (a.ratio < b.ratio ? a : b))
if (!isJson) process.stdout.write(`\n${memory.perOrder} bytes per resting order, ${memory.perRequest} per remembered request\n`)
process.stdout.write(
  `${JSON.stringify({ name: 'core', value: worst.value, yardstick: worst.yardstick, ratio: worst.ratio, results: [...results, memory] })}\n`,
)

function compare(markets: number): {
  markets: number
  value: number
  yardstick: number
  ratio: number
  p50Us: number
  p999Us: number
  p9999Us: number
  resting: number
} {
  const work = makeWorkload(42, commandCount, markets)
  check(work)
  const fast: number[] = []
  const slow: number[] = []
  for (let run = 0; run < runs; run++) {
    fast.push(timeCore(work))
    slow.push(timeYardstick(work.plain, markets))
  }
  const value = median(fast)
  const yardstick = median(slow)
  const { p50, p999, p9999 } = timeEach(work)
  const ratio = value / yardstick
  const result = {
    markets,
    value: Math.round(value),
    yardstick: Math.round(yardstick),
    ratio: Math.round(ratio * 10) / 10,
    p50Us: p50,
    p999Us: p999,
    p9999Us: p9999,
    resting: work.resting,
  }
  if (!isJson) {
    const million = (rate: number): string => `${(rate / 1e6).toFixed(2)} M`
    process.stdout.write(
      `${markets} market(s), ${commandCount} commands, ${work.resting} resting\n` +
        `  core               ${million(value)} commands per CPU-second (${fast.map(million).join(', ')})\n` +
        `  nodejs-order-book  ${million(yardstick)} (${slow.map(million).join(', ')})\n` +
        `  ratio              ${result.ratio}×\n` +
        `  one command        p50 ${p50} µs, p99.9 ${p999} µs, p99.99 ${p9999} µs\n`,
    )
  }
  return result
}

/** Commands per CPU-second of a fresh exchange, events written and thrown away batch by batch. */
function timeCore(work: Workload): number {
  const exchange = prepared(work)
  const events = new Records(1 << 16)
  const { data } = work.commands
  const { offsets } = work
  const warmUp = Math.floor(offsets.length * warmUpShare)
  collect()
  let before = process.cpuUsage()
  for (let n = 0; n < offsets.length; n++) {
    if (n === warmUp) before = process.cpuUsage()
    if (n % batch === 0) startBatch(exchange, work, n, events)
    exchange.execute(data, offsets[n]!, events)
  }
  return rate(offsets.length - warmUp, before)
}

/** What the engine does with each batch that arrives. */
function startBatch(exchange: Exchange, work: Workload, first: number, events: Records): void {
  events.clear()
  exchange.warm(work.commands.data, work.offsets[first]!, work.offsets[first + batch] ?? work.commands.length)
}

function timeYardstick(plain: Float64Array, markets: number): number {
  const books = Array.from({ length: markets + 1 }, () => new OrderBook())
  const names = Array.from({ length: yardstickCount }, (_, n) => `o${plain[n * 7 + 6]}`)
  const warmUp = Math.floor(yardstickCount * warmUpShare)
  collect()
  let before = process.cpuUsage()
  for (let n = 0; n < yardstickCount; n++) {
    if (n === warmUp) before = process.cpuUsage()
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
  return rate(yardstickCount - warmUp, before)
}

/** Microseconds that single commands take, the clock's own time included. */
function timeEach(work: Workload): { p50: number; p999: number; p9999: number } {
  const exchange = prepared(work)
  const events = new Records(1 << 16)
  const { data } = work.commands
  const { offsets } = work
  const took = new Float64Array(offsets.length)
  collect()
  for (let n = 0; n < offsets.length; n++) {
    if (n % batch === 0) startBatch(exchange, work, n, events)
    const before = performance.now()
    exchange.execute(data, offsets[n]!, events)
    took[n] = performance.now() - before
  }
  took.sort()
  const at = (share: number): number => Math.round(took[Math.floor(took.length * share)]! * 10_000) / 10
  return { p50: at(0.5), p999: at(0.999), p9999: at(0.9999) }
}

/** The core against an independent naive book on the first commands: same trades, volume and value. */
function check(work: Workload): void {
  const exchange = prepared(work)
  const events = new Records(1 << 16)
  const books = new Map<number, NaiveBook>()
  let trades = 0
  for (let n = 0; n < checkedCount; n++) {
    const command = plainAt(work.plain, n)
    events.clear()
    exchange.execute(work.commands.data, work.offsets[n]!, events)
    const mine = decodeEvents(events.data, 0, events.length).filter((event) => event.type === 'spot.traded')
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
  if (!isJson) process.stdout.write(`\n${trades} trades of the first ${checkedCount} commands are those of a naive book\n`)
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

function prepared(work: Workload): Exchange {
  const exchange = Exchange.create()
  const events = new Records(1 << 16)
  for (let at = 0; at < work.setup.length; at += work.setup.data[at]! & 0xfffff) {
    events.clear()
    exchange.execute(work.setup.data, at, events)
  }
  return exchange
}

/** Bytes of memory that each of half a million resting orders takes, and each remembered client id. */
function measureMemory(): { perOrder: number; perRequest: number } {
  const count = 2 ** 19
  const setup = makeWorkload(7, 0, 1)
  const measure = (isNamed: boolean): number => {
    const exchange = prepared(setup)
    const commands = new Records()
    const events = new Records()
    collect()
    const used = (): number => process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
    const before = used()
    for (let n = 0; n < count; n++) {
      commands.clear()
      events.clear()
      const order = {
        type: 'spot.place',
        user: 1 + (n % 10_000),
        clientId: isNamed ? `m${n}` : '',
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
    return (used() - before) / count
  }
  const perOrder = measure(false)
  return { perOrder: Math.round(perOrder), perRequest: Math.round(measure(true) - perOrder) }
}

function rate(count: number, before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return count / ((user + system) / 1e6)
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
