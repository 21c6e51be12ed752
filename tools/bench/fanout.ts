/**
 * Messages sent to sockets per CPU-second: our fan-out compared with a naive loop of `ws.send(JSON.stringify(…))`, with the same
 * messages and sockets, in turns. `--sockets N` (default 10,000), `--rounds N` (default 5), `--json`.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Connection } from '@candor/server/sockets/connection.ts'
import { Fanout } from '@candor/server/sockets/fanout.ts'
import { makeUpgrade } from '@candor/server/sockets/upgrade.ts'

const { values } = parseArgs({
  options: {
    sockets: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const wantedSockets = Number(values.sockets)
const rounds = Number(values.rounds)
const clientsPerProcess = 5_000
const markets = [
  'btcusdt',
  'ethusdt',
  'bnbusdt',
  'solusdt',
  'xrpusdt',
  'trxusdt',
  'dogeusdt',
  'adausdt',
  'avaxusdt',
  'linkusdt',
  'dotusdt',
  'ltcusdt',
]
const kinds = ['trade', 'aggTrade', 'depth', 'bookTicker', 'kline_1s', 'kline_1m', 'ticker', 'miniTicker'] as const
const ticks = { ours: 12, naive: 3 }

const connections: Connection[] = []
const fanout = new Fanout((channel) => !/@(trade|aggTrade|depth)$/.test(channel))
const server = createServer()
server.on(
  'upgrade',
  makeUpgrade(
    () => () => ({
      open: (ws, raw) => {
        const connection = new Connection(ws, raw, 1_000)
        const market = markets[connections.length % markets.length]
        connections.push(connection)
        fanout.listen(
          connection,
          kinds.map((kind) => `${market}@${kind}`),
        )
      },
    }),
    { isOwn: () => true },
  ),
)
server.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))

const children: ChildProcess[] = []
const shares: number[] = []
for (let left = wantedSockets; left > 0; left -= clientsPerProcess) {
  const share = Math.min(left, clientsPerProcess)
  const child = fork(fileURLToPath(new URL('./fanout-clients.ts', import.meta.url)), [
    String((server.address() as AddressInfo).port),
    String(share),
  ])
  children.push(child)
  shares.push(share)
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', () => reject(new Error('the clients could not connect: is the limit of open files high enough?')))
  })
}
/** The process of each client: the processes connected their clients one after the other. */
const processOf = shares.flatMap((share, i) => Array<number>(share).fill(i))
const sent = shares.map(() => 0)

/** The message of one stream in one tick, like real messages in size and shape. */
function payload(market: string, kind: string, tick: number): object {
  const s = market.toUpperCase()
  const price = (67_000 + (tick % 97)).toFixed(1)
  const E = 1_790_000_000_000 + tick * 100
  const levels = (n: number) => Array.from({ length: n }, (_, i) => [(67_000 - i).toFixed(1), `0.0${1_000 + i}`])
  switch (kind) {
    case 'trade':
      return { e: 'trade', E, s, t: tick, p: price, q: '0.01250', T: E, m: tick % 2 === 0, M: true }
    case 'aggTrade':
      return { e: 'aggTrade', E, s, a: tick, p: price, q: '0.01250', f: tick, l: tick, T: E, m: true, M: true }
    case 'depth':
      return { e: 'depthUpdate', E, s, U: tick * 8, u: tick * 8 + 7, b: levels(4), a: levels(4) }
    case 'bookTicker':
      return { u: tick, s, b: price, B: '0.51000', a: price, A: '0.72000' }
    case 'ticker':
      return {
        e: '24hrTicker',
        E,
        s,
        p: '120.5',
        P: '0.18',
        w: price,
        x: price,
        c: price,
        Q: '0.01250',
        b: price,
        B: '0.51000',
        a: price,
        A: '0.72000',
        o: price,
        h: price,
        l: price,
        v: '1200.5',
        q: '80000000.1',
        O: E,
        C: E,
        F: 1,
        L: tick,
        n: tick,
      }
    case 'miniTicker':
      return { e: '24hrMiniTicker', E, s, c: price, o: price, h: price, l: price, v: '1200.5', q: '80000000.1' }
    default:
      return {
        e: 'kline',
        E,
        s,
        k: {
          t: E,
          T: E,
          s,
          i: kind.slice(6),
          f: -1,
          L: -1,
          o: price,
          c: price,
          h: price,
          l: price,
          v: '1.2',
          n: 12,
          x: false,
          q: '80000.1',
          B: '0',
        },
      }
  }
}

const frameHead = (length: number) => (length < 126 ? 2 : length < 65_536 ? 4 : 10)

/** Counts the bytes of a tick on the wire. Runs outside the measured time. */
function count(tick: number): void {
  const bytes = new Map<string, number>()
  for (const market of markets) {
    let sum = 0
    for (const kind of kinds) {
      const length = Buffer.byteLength(JSON.stringify(payload(market, kind, tick)))
      sum += length + frameHead(length)
    }
    bytes.set(market, sum)
  }
  connections.forEach((_, i) => (sent[processOf[i]!]! += bytes.get(markets[i % markets.length]!)!))
}

async function delivered(): Promise<void> {
  await Promise.all(
    children.map(
      (child, i) =>
        new Promise<void>((resolve) => {
          child.once('message', () => resolve())
          child.send({ bytes: sent[i] })
        }),
    ),
  )
}

function oursTick(tick: number): void {
  for (const market of markets) for (const kind of kinds) fanout.publish(`${market}@${kind}`, JSON.stringify(payload(market, kind, tick)))
  fanout.flush()
}

function naiveTick(tick: number): void {
  const payloads = new Map(markets.map((market) => [market, kinds.map((kind) => payload(market, kind, tick))]))
  connections.forEach(({ ws }, i) => {
    for (const one of payloads.get(markets[i % markets.length]!)!) ws.send(JSON.stringify(one))
  })
}

let tick = 0
async function measure(run: (tick: number) => void, times: number): Promise<number> {
  const from = tick
  const before = process.cpuUsage()
  for (; tick < from + times; tick++) {
    run(tick)
    await new Promise((resolve) => setImmediate(resolve))
    // Real ticks are 100 ms apart, and no client here is slow: so the next tick waits until this one is sent.
    while (connections.some((connection) => connection.isSlow)) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const used = process.cpuUsage(before)
  for (let one = from; one < tick; one++) count(one)
  await delivered()
  return (connections.length * kinds.length * times) / ((used.user + used.system) / 1e6)
}

await measure(oursTick, 2)
await measure(naiveTick, 1)
const ours: number[] = []
const naive: number[] = []
for (let round = 0; round < rounds; round++) {
  ours.push(await measure(oursTick, ticks.ours))
  naive.push(await measure(naiveTick, ticks.naive))
}
const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!
const value = Math.round(median(ours))
const yardstick = Math.round(median(naive))
const ratio = Number((value / yardstick).toFixed(2))

process.stdout.write(`fan-out to ${connections.length} sockets, ${kinds.length} messages each per tick, ${rounds} rounds, medians\n`)
process.stdout.write(`  ours   ${value.toLocaleString('en')} messages per CPU-second\n`)
process.stdout.write(`  naive  ${yardstick.toLocaleString('en')} messages per CPU-second: ws.send(JSON.stringify(…)) in a loop\n`)
process.stdout.write(`  ratio  ${ratio} (floor 4, aim 8)\n`)
if (values.json) {
  const results = {
    sockets: connections.length,
    messagesPerSocketAndTick: kinds.length,
    ours: ours.map(Math.round),
    naive: naive.map(Math.round),
  }
  process.stdout.write(`${JSON.stringify({ name: 'fanout', value, yardstick, ratio, unit: 'messages per CPU-second', results })}\n`)
}
for (const child of children) child.disconnect()
server.close()
process.exit(0)
