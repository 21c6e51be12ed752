/**
 * Orders per second that are on the disk when they are acknowledged, beside TPC-B on the same PostgreSQL: the whole
 * exchange as `npm start` runs it (without bots), HTTP JSON, 32 logged-in customers with one request in flight each.
 * Then the same number of callers straight at the engine's link, to see what the gateway costs.
 *
 *   node tools/bench/durable.ts [--json] [--rounds N]
 */
import type { Units } from '@candor/core/money/brand.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Market } from '@candor/core/protocol/market.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Link } from '../../server/engine/link.ts'
import { makeIdentity, makeLogger, reachEngine } from '../../server/main/roles.ts'
import type { Settings } from '../../server/main/settings.ts'
import { startTree } from '../../server/main/supervisor.ts'
import { startEmbedded } from '../../server/store/embedded.ts'
import { openStore, type Store } from '../../server/store/open.ts'
import { type CpuSeconds, cpuBetween, cpuSeconds, cpuSum } from './cpu.ts'
import { type Caller, driveHttp } from './http-orders.ts'
import { median, numberAfter, rounded, say } from './report.ts'
import { prepareTpcB } from './tpcb.ts'

const rounds = numberAfter('--rounds', 5)
const seconds = 4
/** Until the compilers of three processes have seen enough. */
const warmSeconds = 12
const callerCount = 32
const symbol = 'BTCUSDT'
const folder = mkdtempSync(join(tmpdir(), 'candor-bench-'))

const embedded = await startEmbedded(folder)
try {
  const yardstick = await prepareTpcB(await makeDatabase('tpcb'))
  const settings = settingsOf(embedded.url)
  await using tree = await startTree(settings, () => undefined)
  await using link = await reachEngine(settings)
  await using store = await openStore({ dataFolder: folder, databaseUrl: embedded.url })
  const { callers, users, market, price } = await openCallers(tree.url, settings, store, link)
  await driveHttp(tree.url, callers('warm'), warmSeconds)

  const pairs: {
    readonly http: Measured
    readonly link: Measured
    readonly tpcb: Measured
    readonly p50Ms: number
    readonly p99Ms: number
  }[] = []
  for (let round = 1; round <= rounds; round++) {
    const tpcb = await measured(() => yardstick.run(seconds))
    let delays = { p50Ms: 0, p99Ms: 0 }
    const { seq: before } = await link.ask.head()
    const http = await measured(async () => {
      const { perSecond, ...rest } = await driveHttp(tree.url, callers(`r${round}`), seconds)
      delays = rest
      return perSecond
    })
    const perCommit = await commandsPerCommit(store, before)
    await settle(store, link, users, `h${round}`)
    const direct = await measured(() => driveLink(link, users, market, price, `l${round}`))
    await settle(store, link, users, `d${round}`)
    pairs.push({ http, link: direct, tpcb, ...delays })
    say(
      `round ${round}: HTTP ${rounded(http.perSecond)}/s (p50 ${delays.p50Ms.toFixed(2)} ms, p99 ${delays.p99Ms.toFixed(2)} ms), ` +
        `link ${rounded(direct.perSecond)}/s, TPC-B ${rounded(tpcb.perSecond)}/s, ratio ${(http.perSecond / tpcb.perSecond).toFixed(1)}`,
    )
    say(`  ${perCommit.toFixed(1)} commands per commit`)
    if (http.perCpuSecond > 0) say(`  µs of processor: an order ${microsOf(http)}; a TPC-B transaction ${microsOf(tpcb)}`)
  }
  const value = median(pairs.map(({ http }) => http.perSecond))
  const tps = median(pairs.map(({ tpcb }) => tpcb.perSecond))
  const ratio = median(pairs.map(({ http, tpcb }) => http.perSecond / tpcb.perSecond))
  const linkRatio = median(pairs.map(({ link, tpcb }) => link.perSecond / tpcb.perSecond))
  const cpuRatio = median(pairs.map(({ http, tpcb }) => http.perCpuSecond / tpcb.perCpuSecond))
  say(
    `durable orders over HTTP: median ${rounded(value)}/s, ${yardstick.name} ${rounded(tps)}/s, ratio ${ratio.toFixed(1)} (floor 4, aim 8)`,
  )
  say(`straight at the engine: ratio ${linkRatio.toFixed(1)}`)
  if (cpuRatio > 0)
    say(`over HTTP, per processor second of all that took part (for a machine that others use too): ratio ${cpuRatio.toFixed(1)}`)
  if (process.argv.includes('--json')) {
    const results = { pairs, linkRatio, cpuRatio }
    console.log(JSON.stringify({ name: 'durable', value, yardstick: tps, yardstickName: yardstick.name, ratio, results }))
  }
} finally {
  await embedded.stop({ isForced: true })
  rmSync(folder, { recursive: true, force: true })
}

type Measured = { readonly perSecond: number; readonly perCpuSecond: number; readonly cpu: CpuSeconds }

/** `perCpuSecond` is 0 where it can't be known. */
async function measured(drive: () => Promise<number>): Promise<Measured> {
  const before = cpuSeconds(folder)
  const perSecond = await drive()
  const after = cpuSeconds(folder)
  const cpu = before === undefined || after === undefined ? {} : cpuBetween(before, after)
  return { perSecond, perCpuSecond: before === undefined ? 0 : (perSecond * seconds) / cpuSum(cpu), cpu }
}

/** Microseconds of processor time that one took, all in all and by process. */
function microsOf({ perSecond, cpu }: Measured): string {
  const micros = (used: number) => Math.round((used / (perSecond * seconds)) * 1e6)
  const parts = Object.entries(cpu).map(([owner, used]) => `${owner} ${micros(used)}`)
  return `${micros(cpuSum(cpu))} (${parts.join(', ')})`
}

async function makeDatabase(name: string): Promise<string> {
  const client = new pg.Client(embedded.url)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(embedded.url)
  url.pathname = name
  return url.href
}

function settingsOf(databaseUrl: string): Settings {
  return {
    mode: 'sandbox',
    host: '127.0.0.1',
    port: 0,
    dataFolder: folder,
    databaseUrl,
    feed: 'simulated',
    hasBots: false,
    seed: '1',
    publicUrls: [],
    trustProxy: false,
    metricsToken: undefined,
    smtpUrl: undefined,
    smsUrl: undefined,
    mailFrom: undefined,
    phoneCountries: undefined,
    serverKey: undefined,
    logLevel: 'warn',
  }
}

async function openCallers(url: string, settings: Settings, store: Store, link: Link) {
  await using identity = makeIdentity({ settings, store, logger: makeLogger(settings, 'bench') }, link, { send: () => Promise.resolve() })
  const { assets, markets } = await link.ask.listing()
  const market = markets.find((one) => one.symbol === symbol) as Market
  const cookies: string[] = []
  const users: UserId[] = []
  for (let i = 0; i < callerCount; i++) {
    const email = `bench${i}@bench.example`
    const password = 'correct horse battery staple'
    const { user } = await identity.createUser({ email, password, class: 'bench' })
    users.push(user as UserId)
    for (const { symbol: name, id, scale } of assets.filter((asset) => ['BTC', 'USDT'].includes(asset.symbol))) {
      const amount = (10 ** scale * (name === 'BTC' ? 100 : 10_000_000)) as Units
      await link.submit({ type: 'funds.faucet', user: user as UserId, clientId: `bench-${name}`, asset: id, amount })
    }
    cookies.push(await logIn(url, email, password))
  }
  const price = await indexPrice(url)
  const callers = (mark: string): Caller[] => cookies.map((cookie, i) => ({ cookie, symbol, price, mark: `${mark}-${i}` }))
  return { callers, users, market: market.id, price }
}

async function logIn(url: string, to: string, password: string): Promise<string> {
  const response = await fetch(`${url}/app/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ channel: 'email', to, password, lang: 'en' }),
  })
  if (!response.ok) throw new Error(`login: ${response.status} ${await response.text()}`)
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
}

async function indexPrice(url: string): Promise<number> {
  for (;;) {
    const { tickers } = (await (await fetch(`${url}/app/v1/tickers`)).json()) as { tickers: Record<string, unknown>[] }
    const ticker = tickers.find((one) => one['symbol'] === symbol) ?? {}
    const price = Number(ticker['index'] ?? ticker['price'])
    if (price > 0) return price
    await sleep(100)
  }
}

/** The same orders without HTTP, session and JSON: one in flight per customer, through this process's link. */
async function driveLink(link: Link, users: readonly UserId[], market: MarketId, price: number, mark: string): Promise<number> {
  const until = performance.now() + seconds * 1000
  const counts = await Promise.all(
    users.map(async (user, caller) => {
      let count = 0
      const open: number[] = []
      while (performance.now() < until) {
        const clientId = `${mark}-${caller}-${count++}`
        if (open.length >= 50) {
          await link.submit({ type: 'spot.cancel', user, clientId, market, order: open.shift() as never, orderClientId: '' })
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

/** So that no round pays for the one before it: no orders are left, and the tables are complete. */
async function settle(store: Store, link: Link, users: readonly UserId[], mark: string): Promise<void> {
  await Promise.all(users.map((user) => link.submit({ type: 'spot.cancelAll', user, clientId: `clear-${mark}`, market: 0 as MarketId })))
  const { seq } = await link.ask.head()
  for (;;) {
    const { rows } = await store.pool.query('select seq from projection')
    if ((rows[0]?.seq ?? 0) >= seq) return
    await sleep(50)
  }
}
