/**
 * Orders per second that are on disk when they are acknowledged, compared with TPC-B on the same PostgreSQL. The whole exchange runs
 * as under `npm start`, without bots. 32 programs send signed orders: over HTTP with one request in flight each, and over the
 * WebSocket API with one and with 16. Then as many callers use the engine's link directly, which shows the cost of the gateway.
 *
 *   node tools/bench/durable.ts [--json] [--rounds N] [--only 'part of the name of a way to send']
 */
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import { join } from 'node:path'
import pg from 'pg'
import type { Link } from '../../server/engine/link.ts'
import type { Store } from '../../server/store/open.ts'
import { type CpuSeconds, cpuBetween, cpuSeconds, cpuSum } from './cpu.ts'
import { type DurableExchange, withExchange } from './doors/exchange.ts'
import type { Tally } from './orders.ts'
import { median, numberAfter, rounded, say } from './report.ts'
import { prepareTpcB } from './tpcb.ts'

const rounds = numberAfter('--rounds', 5)
const seconds = 4
const only = process.argv.indexOf('--only')
const root = join(import.meta.dirname, '..', '..')

await withExchange(root, only < 0 ? '' : process.argv[only + 1]!, compare)

async function compare({ ways, users, market, price, link, store, folder, databaseUrl, settle }: DurableExchange): Promise<void> {
  const yardstick = await prepareTpcB(await makeDatabase(databaseUrl, 'tpcb'))

  const pairs: Pair[] = []
  for (let round = 1; round <= rounds; round++) {
    const tpcb = await measured(folder, () => yardstick.run(seconds))
    say(`round ${round}: ${yardstick.name} ${rounded(tpcb.perSecond)}/s, µs of processor ${microsOf(tpcb)}`)
    const perWay: Record<string, Measured & Tally> = {}
    for (const { name, drive } of ways) {
      const { seq: before } = await link.ask.head()
      let tally = { perSecond: 0, p50Ms: 0, p99Ms: 0 }
      const way = await measured(folder, async () => (tally = await drive(`r${round}`, seconds)).perSecond)
      const perCommit = await commandsPerCommit(store, before)
      await settle(`${name}${round}`.replaceAll(' ', '-'))
      perWay[name] = { ...tally, ...way }
      const delays = `p50 ${tally.p50Ms.toFixed(2)} ms, p99 ${tally.p99Ms.toFixed(2)} ms`
      say(
        `  ${name}: ${rounded(way.perSecond)}/s = ${(way.perSecond / tpcb.perSecond).toFixed(1)}× (${delays}, ${perCommit.toFixed(0)} a commit)`,
      )
      if (way.perCpuSecond > 0) say(`    µs of processor ${microsOf(way)}`)
    }
    const direct = await measured(folder, () => driveLink(link, users, market, price, `l${round}`))
    await settle(`d${round}`)
    pairs.push({ ways: perWay, link: direct, tpcb })
  }
  const tps = median(pairs.map(({ tpcb }) => tpcb.perSecond))
  const linkRatio = median(pairs.map(({ link, tpcb }) => link.perSecond / tpcb.perSecond))
  const results: Record<string, { perSecond: number; ratio: number; cpuRatio: number }> = {}
  say(`medians, next to ${yardstick.name} with ${rounded(tps)}/s:`)
  for (const { name, floor, aim } of ways) {
    const of = (pick: (pair: Pair) => number) => median(pairs.map(pick))
    const perSecond = of(({ ways }) => ways[name]!.perSecond)
    const ratio = of(({ ways, tpcb }) => ways[name]!.perSecond / tpcb.perSecond)
    const cpuRatio = of(({ ways, tpcb }) => ways[name]!.perCpuSecond / tpcb.perCpuSecond)
    results[name] = { perSecond, ratio, cpuRatio }
    // Per processor second of all processes involved: meaningful on a shared machine too.
    const byCpu = cpuRatio > 0 ? `, ${cpuRatio.toFixed(1)}× per processor second` : ''
    say(`  ${name}: ${rounded(perSecond)}/s, ${ratio.toFixed(1)}× (floor ${floor}, aim ${aim})${byCpu}`)
  }
  say(`  directly at the engine: ${linkRatio.toFixed(1)}×`)
  const { perSecond: value, ratio } = Object.values(results)[0]!
  if (process.argv.includes('--json')) {
    const all = { pairs, linkRatio, ways: results }
    console.log(JSON.stringify({ name: 'durable', value, yardstick: tps, yardstickName: yardstick.name, ratio, results: all }))
  }
}

type Pair = { readonly ways: Readonly<Record<string, Measured & Tally>>; readonly link: Measured; readonly tpcb: Measured }

type Measured = { readonly perSecond: number; readonly perCpuSecond: number; readonly cpu: CpuSeconds }

/** `perCpuSecond` is 0 where it can't be measured. */
async function measured(folder: string, drive: () => Promise<number>): Promise<Measured> {
  const before = cpuSeconds(folder)
  const perSecond = await drive()
  const after = cpuSeconds(folder)
  const cpu = before === undefined || after === undefined ? {} : cpuBetween(before, after)
  return { perSecond, perCpuSecond: before === undefined ? 0 : (perSecond * seconds) / cpuSum(cpu), cpu }
}

/** Microseconds of processor time per operation, in total and by process. */
function microsOf({ perSecond, cpu }: Measured): string {
  const micros = (used: number) => Math.round((used / (perSecond * seconds)) * 1e6)
  const parts = Object.entries(cpu).map(([owner, used]) => `${owner} ${micros(used)}`)
  return `${micros(cpuSum(cpu))} (${parts.join(', ')})`
}

async function makeDatabase(server: string, name: string): Promise<string> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(server)
  url.pathname = name
  return url.href
}

/** Sends the same orders without HTTP, session and JSON: one in flight per customer, through this process's link. */
async function driveLink(link: Link, users: readonly UserId[], market: MarketId, price: number, mark: string): Promise<number> {
  const until = performance.now() + seconds * 1000
  const counts = await Promise.all(
    users.map(async (user, caller) => {
      let count = 0
      const open: number[] = []
      while (performance.now() < until) {
        const clientId = `${mark}-${caller}-${count++}`
        if (open.length >= 50) {
          await link.submit({ type: 'spot.cancel', user, clientId, market, order: open.shift() as OrderId, orderClientId: '' })
          continue
        }
        const away = ((count * 7919) % 100) / 100_000
        const isBuy = count % 2 === 0
        const ticks = Math.round(price * 10 * (isBuy ? 1 - away + 0.0002 : 1 + away - 0.0002))
        const command = {
          type: 'spot.place',
          user,
          clientId,
          market,
          side: isBuy ? 'buy' : 'sell',
          orderType: 'limit',
          timeInForce: 'GTC',
          price: ticks,
          lots: 100,
          isPostOnly: false,
          selfTrade: 'expire-taker',
        } as unknown as Command
        const outcome = await link.submit(command)
        if (outcome.refusal) throw new Error(`the engine refused: ${outcome.refusal}`)
        open.push(outcome.order)
      }
      return count
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0) / seconds
}

async function commandsPerCommit(store: Store, after: number): Promise<number> {
  const { rows } = await store.pool.query('select avg(n)::float8 as n from journal where seq > $1', [after])
  return rows[0].n
}
