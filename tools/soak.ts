/**
 * `npm run soak -- [--minutes 120] [--rate half|N] [--json]`: the whole exchange under steady load, as under `npm start` but without
 * bots. Prints the memory of each process every minute, and at the end what grew: memory and handles in the second half, rows that wait
 * for vacuum, and the disk for each million orders. Fails above the limits.
 *
 * A run whose first half is too short to fill the core's memory of requests begins with refused requests that do so.
 *
 * The load: 32 programs send signed orders over HTTP, at N a second or at half of what the machine just kept up with. If the disk is too
 * small for that, the programs send fewer. 20 sockets follow the market, and every five seconds one of them leaves and comes back. Ten
 * readers ask for prices and candles.
 */
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type DurableExchange, keptUp, withExchange } from './bench/doors/exchange.ts'
import { rounded, say } from './bench/report.ts'
import { Refused } from '../server/refused.ts'
import { fill } from './soak/fill.ts'
import { readingIn } from './soak/readings.ts'
import { bytesPerMillion, type Reading, verdict } from './soak/verdict.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    rate: { type: 'string', default: 'half' },
    json: { type: 'boolean', default: false },
  },
})
const minutes = Number(values.minutes)
const fixedRate = values.rate === 'half' ? undefined : Number(values.rate)
if (!(minutes >= 1) || (fixedRate !== undefined && !(fixedRate > 0))) {
  process.stderr.write('npm run soak -- [--minutes 120] [--rate half|N] [--json]\n')
  process.exit(2)
}

const measureSeconds = 60
const readEveryMs = 10_000
/** Rows, log and snapshots. The rest of the disk is left to others. */
const [bytesPerOrder, sparedBytes] = [1_500, 8e9]
const socketCount = 20
const megabyte = 2 ** 20

await withExchange(join(import.meta.dirname, '..'), 'signed HTTP', async (exchange) => {
  const { url, ways, settle, link, users } = exchange
  const { drive } = ways[0]!
  const { rate, why } = await rateOf(exchange)
  say(`${rounded(rate)} orders and cancels a second for ${minutes} minutes${why}`)
  const filled = await fill(link, users, Math.floor((rate * minutes * 60) / 2))
  if (filled > 0) say(`${rounded(filled)} refused requests came first: the first half would not fill the core's memory of requests`)
  await settle('fill')
  const readings: Reading[] = []
  let [orders, refused] = [0, 0]
  const stop = new AbortController()
  const others = [follow(url, stop.signal), read(url, stop.signal), watch(url, stop.signal, () => orders, readings)]
  try {
    const endsMs = performance.now() + minutes * 60_000
    for (let minute = 1; performance.now() < endsMs; minute++) {
      const { perSecond, p99Ms, unavailable = 0 } = await drive(`m${minute}`, 60, rate)
      orders += Math.round(perSecond * 60)
      refused += unavailable
      // What rests would fill the places of its owners.
      await whenAvailable(() => settle(`m${minute}`))
      say(`minute ${minute}: ${rounded(perSecond)}/s, p99 ${p99Ms.toFixed(1)} ms; ${lineOf(readings.at(-1))}`)
    }
  } finally {
    stop.abort()
    await Promise.all(others)
  }
  say(`${refused} requests were answered with 503`)
  report(readings, orders)
})

/** Orders a second, and why. */
async function rateOf(exchange: DurableExchange): Promise<{ readonly rate: number; readonly why: string }> {
  if (fixedRate !== undefined) return { rate: fixedRate, why: '' }
  const most = await keptUp(exchange, measureSeconds)
  const { bavail, bsize } = await statfs(exchange.folder)
  const room = Math.floor(Math.max(0, bavail * bsize - sparedBytes) / bytesPerOrder / (minutes * 60))
  if (room < most / 2) return { rate: room, why: `: as many as the disk has room for, of ${rounded(most)} that the machine kept up with` }
  return { rate: most / 2, why: `: half of ${rounded(most)}` }
}

/** Orders may pause while the disk is busy with something else. */
async function whenAvailable(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (cause) {
      if (!(cause instanceof Refused) || tries === 60) throw cause
      await sleep(1_000)
    }
  }
}

function lineOf(reading: Reading | undefined): string {
  if (reading === undefined) return 'no reading yet'
  const mb = (bytes: number | undefined): number => Math.round((bytes ?? 0) / megabyte)
  const memory = Object.entries(reading.memory).map(
    ([name, bytes]) => `${name} ${mb(bytes)} (heap ${mb(reading.heap[name])}, arrays ${mb(reading.arrays[name])})`,
  )
  const handles = Object.entries(reading.handles).map(([name, count]) => `${name} ${count}`)
  const dead = Object.values(reading.tables).reduce((sum, { dead }) => sum + dead, 0)
  return `MB ${memory.join(', ')}; handles ${handles.join(', ')}; dead rows ${dead}; database ${Math.round(reading.databaseBytes / megabyte)} MB`
}

function report(readings: readonly Reading[], orders: number): void {
  const findings = verdict(readings)
  const bytes = bytesPerMillion(readings)
  say(`${rounded(orders)} orders and cancels in ${minutes} minutes`)
  for (const { what, value, limit, isGood } of findings) say(`${isGood ? 'good' : 'BAD '}  ${what}: ${value} (limit ${limit})`)
  say(`disk per million orders and cancels: ${bytes === undefined ? 'too few to tell' : `${Math.round(bytes / megabyte)} MB`}`)
  const isGood = findings.every((one) => one.isGood)
  if (values.json)
    process.stdout.write(`${JSON.stringify({ name: 'soak', isGood, minutes, orders, bytesPerMillion: bytes ?? null, findings })}\n`)
  process.exitCode = isGood ? 0 : 1
}

/** Reads the metrics every ten seconds. */
async function watch(url: string, signal: AbortSignal, orders: () => number, readings: Reading[]): Promise<void> {
  for (; !signal.aborted; await pause(readEveryMs, signal)) readings.push(readingIn(await (await fetch(`${url}/metrics`)).text(), orders()))
}

/** Sockets that follow the market; the oldest leaves every five seconds. */
async function follow(url: string, signal: AbortSignal): Promise<void> {
  const streams = 'btcusdt@trade/btcusdt@depth/btcusdt@kline_1m/ethusdt@miniTicker'
  const open = () => new WebSocket(`${url.replace('http', 'ws')}/stream?streams=${streams}`)
  const sockets = Array.from({ length: socketCount }, open)
  for (; !signal.aborted; await pause(5_000, signal)) {
    sockets.shift()?.close()
    sockets.push(open())
  }
  for (const socket of sockets) socket.close()
}

/** Ten readers of public pages, one request a second each. */
async function read(url: string, signal: AbortSignal): Promise<void> {
  const paths = [
    '/app/v1/tickers',
    '/api/v3/depth?symbol=BTCUSDT',
    '/api/v3/klines?symbol=BTCUSDT&interval=1m',
    '/app/v1/config',
    '/api/v3/trades?symbol=BTCUSDT',
  ]
  for (; !signal.aborted; await pause(1_000, signal))
    await Promise.all([...paths, ...paths].map(async (path) => (await fetch(`${url}${path}`)).arrayBuffer()))
}

function pause(ms: number, signal: AbortSignal): Promise<unknown> {
  return sleep(ms, undefined, { signal }).catch(() => undefined)
}
