/**
 * Orders per second that are on disk when they are acknowledged, compared with TPC-B on the same PostgreSQL. The whole exchange runs
 * as under `npm start`, without bots. 32 programs send signed orders: over HTTP with one request in flight each, and over the
 * WebSocket API with one and with 16. Then as many callers use the engine's link directly, which shows the cost of the gateway.
 *
 *   node tools/bench/durable.ts [--json] [--rounds N] [--only 'part of the name of a way']
 */
import type { Units } from '@candor/core/money/brand.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Market } from '@candor/core/protocol/market.ts'
import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import { generateKeyPairSync } from 'node:crypto'
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
import { type Dialect, driveHttp, signedDialect } from './http-orders.ts'
import type { Tally } from './orders.ts'
import { median, numberAfter, rounded, say } from './report.ts'
import { driveSocket, type SocketCaller } from './socket-orders.ts'
import { prepareTpcB } from './tpcb.ts'

const rounds = numberAfter('--rounds', 5)
const seconds = 4
/** Time for the compilers of three processes to optimize the code. */
const warmSeconds = 16
const callerCount = 32
/** About as many as the rounds write before PostgreSQL starts to recycle them by itself. */
const walFiles = 48
const symbol = 'BTCUSDT'
const folder = mkdtempSync(join(tmpdir(), 'candor-bench-'))

const embedded = await startEmbedded(folder)
try {
  const yardstick = await prepareTpcB(await makeDatabase('tpcb'))
  const settings = settingsOf(embedded.url)
  await using tree = await startTree(settings, () => undefined)
  await using link = await reachEngine(settings)
  await using store = await openStore({ dataFolder: folder, databaseUrl: embedded.url })
  const { ways, users, market, price } = await openCallers(tree.url, settings, store, link)
  for (const { drive } of ways) await drive('warm', warmSeconds)
  await makeWalFiles()

  const pairs: Pair[] = []
  for (let round = 1; round <= rounds; round++) {
    const tpcb = await measured(() => yardstick.run(seconds))
    say(`round ${round}: ${yardstick.name} ${rounded(tpcb.perSecond)}/s, µs of processor ${microsOf(tpcb)}`)
    const perWay: Record<string, Measured & Tally> = {}
    for (const { name, drive } of ways) {
      const { seq: before } = await link.ask.head()
      let tally = { perSecond: 0, p50Ms: 0, p99Ms: 0 }
      const way = await measured(async () => (tally = await drive(`r${round}`, seconds)).perSecond)
      const perCommit = await commandsPerCommit(store, before)
      await settle(store, link, users, `${name}${round}`.replaceAll(' ', '-'))
      perWay[name] = { ...tally, ...way }
      const delays = `p50 ${tally.p50Ms.toFixed(2)} ms, p99 ${tally.p99Ms.toFixed(2)} ms`
      say(
        `  ${name}: ${rounded(way.perSecond)}/s = ${(way.perSecond / tpcb.perSecond).toFixed(1)}× (${delays}, ${perCommit.toFixed(0)} a commit)`,
      )
      if (way.perCpuSecond > 0) say(`    µs of processor ${microsOf(way)}`)
    }
    const direct = await measured(() => driveLink(link, users, market, price, `l${round}`))
    await settle(store, link, users, `d${round}`)
    pairs.push({ ways: perWay, link: direct, tpcb })
  }
  const tps = median(pairs.map(({ tpcb }) => tpcb.perSecond))
  const linkRatio = median(pairs.map(({ link, tpcb }) => link.perSecond / tpcb.perSecond))
  const results: Record<string, { perSecond: number; ratio: number; cpuRatio: number }> = {}
  say(`medians, beside ${yardstick.name} with ${rounded(tps)}/s:`)
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
} finally {
  await embedded.stop({ isForced: true })
  rmSync(folder, { recursive: true, force: true })
}

type Pair = { readonly ways: Readonly<Record<string, Measured & Tally>>; readonly link: Measured; readonly tpcb: Measured }

/** One way to send orders. */
type Way = {
  readonly name: string
  readonly floor: number
  readonly aim: number
  readonly drive: (mark: string, seconds: number) => Promise<Tally>
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

/** Microseconds of processor time per operation, in total and by process. */
function microsOf({ perSecond, cpu }: Measured): string {
  const micros = (used: number) => Math.round((used / (perSecond * seconds)) * 1e6)
  const parts = Object.entries(cpu).map(([owner, used]) => `${owner} ${micros(used)}`)
  return `${micros(cpuSum(cpu))} (${parts.join(', ')})`
}

/**
 * Creates files of the write-ahead log in advance. A server that has run for some minutes overwrites log files that it no longer
 * needs; a new server first writes each file as 16 MB of zeros while all commits wait. Neither side should pay for that.
 */
async function makeWalFiles(): Promise<void> {
  const client = new pg.Client(embedded.url)
  await client.connect()
  for (let file = 0; file < walFiles; file++) {
    await client.query("select pg_logical_emit_message(false, 'bench', 'x')")
    await client.query('select pg_switch_wal()')
  }
  await client.query('checkpoint')
  await client.end()
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
    trustedProxies: [],
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
  const signed: Dialect[] = []
  const keys: Pick<SocketCaller, 'key' | 'privateKey'>[] = []
  const users: UserId[] = []
  for (let i = 0; i < callerCount; i++) {
    const email = `bench${i}@bench.example`
    const password = 'correct horse battery staple'
    const { user, account } = await identity.createUser({ email, password, class: 'bench' })
    users.push(user as UserId)
    for (const { symbol: name, id, scale } of assets.filter((asset) => ['BTC', 'USDT'].includes(asset.symbol))) {
      const amount = (10 ** scale * (name === 'BTC' ? 100 : 10_000_000)) as Units
      await link.submit({ type: 'funds.faucet', user: user as UserId, clientId: `bench-${name}`, asset: id, amount })
    }
    const holder = { account, visitor: { ip: '127.0.0.1', userAgent: 'bench', deviceKey: undefined } }
    const terms = { label: 'bench', scopes: ['read', 'trade'], ips: [] } as const
    const made = await identity.keys.grant(terms, holder)
    signed.push(signedDialect(made.key.key, made.secret as string, symbol))
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string
    keys.push({ key: (await identity.keys.grant({ ...terms, publicKey: pem }, holder)).key.key, privateKey })
  }
  const price = await indexPrice(url)
  const entry = (mark: string, i: number) => ({ price, mark: `${mark}-${i}` })
  const overHttp: Way['drive'] = (mark, time) =>
    driveHttp(
      url,
      signed.map((dialect, i) => ({ entry: entry(`s${mark}`, i), dialect })),
      time,
    )
  const overSocket = (inFlight: number): Way['drive'] => {
    return (mark, time) =>
      driveSocket(
        url,
        keys.map((one, i) => ({ ...one, symbol, entry: entry(`w${inFlight}${mark}`, i) })),
        inFlight,
        time,
      )
  }
  const ways: readonly Way[] = [
    { name: 'signed HTTP', floor: 4, aim: 8, drive: overHttp },
    { name: 'WebSocket, 1 in flight', floor: 4, aim: 8, drive: overSocket(1) },
    { name: 'WebSocket, 16 in flight', floor: 15, aim: 50, drive: overSocket(16) },
  ]
  const at = process.argv.indexOf('--only')
  const only = at < 0 ? '' : (process.argv[at + 1] as string)
  return { ways: ways.filter(({ name }) => name.includes(only)), users, market: market.id, price }
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

/** Cancels all orders and waits until the tables are complete, so that no round pays for the one before. */
async function settle(store: Store, link: Link, users: readonly UserId[], mark: string): Promise<void> {
  await Promise.all(users.map((user) => link.submit({ type: 'spot.cancelAll', user, clientId: `clear-${mark}`, market: 0 as MarketId })))
  const { seq } = await link.ask.head()
  for (;;) {
    const { rows } = await store.pool.query('select seq from projection')
    if ((rows[0]?.seq ?? 0) >= seq) return
    await sleep(50)
  }
}
