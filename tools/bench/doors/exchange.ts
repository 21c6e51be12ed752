/**
 * The whole exchange of this or another clone, as under `npm start` but without bots, with 32 programs that send signed orders:
 * over HTTP with one request in flight each, and over the WebSocket API with one and with 16.
 */
import type { Units } from '@candor/core/money/brand.ts'
import type { Market } from '@candor/core/protocol/market.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Link } from '../../../server/engine/link.ts'
import type { Settings } from '../../../server/main/settings.ts'
import type { Store } from '../../../server/store/open.ts'
import { type Dialect, driveHttp, signedDialect } from '../http-orders.ts'
import type { Tally } from '../orders.ts'
import { driveSocket, type SocketCaller } from '../socket-orders.ts'

/** One way to send orders. */
export type Way = {
  readonly name: string
  readonly floor: number
  readonly aim: number
  /** perSecond  at most, where the way can hold back */
  readonly drive: (mark: string, seconds: number, perSecond?: number) => Promise<Tally>
}

export type DurableExchange = {
  /** Data folder of the exchange and its PostgreSQL. */
  readonly folder: string
  readonly url: string
  readonly databaseUrl: string
  readonly link: Link
  readonly store: Store
  readonly ways: readonly Way[]
  readonly users: readonly UserId[]
  readonly market: MarketId
  /** Index price of the market. */
  readonly price: number
  /** Cancels all orders and waits until the tables are complete, so that no round pays for the one before. */
  readonly settle: (mark: string) => Promise<void>
}

/** Modules of a clone. An older clone has them under the same names. */
type Tree = {
  readonly roles: typeof import('../../../server/main/roles.ts')
  readonly supervisor: typeof import('../../../server/main/supervisor.ts')
  readonly embedded: typeof import('../../../server/store/embedded.ts')
  readonly open: typeof import('../../../server/store/open.ts')
}

/** Time for the compilers of three processes to optimize the code. */
const warmSeconds = 16
const callerCount = 32
/** About as many as the rounds write before PostgreSQL starts to recycle them by itself. */
const walFiles = 48
const symbol = 'BTCUSDT'

/** Runs `use` with the exchange of the clone in `root`, warmed up in the named ways, then stops it and deletes its data. */
export async function withExchange(root: string, only: string, use: (exchange: DurableExchange) => Promise<void>): Promise<void> {
  const tree = await loadTree(root)
  const folder = mkdtempSync(join(tmpdir(), 'candor-bench-'))
  const embedded = await tree.embedded.startEmbedded(folder)
  try {
    const settings = settingsOf(folder, embedded.url)
    await using running = await tree.supervisor.startTree(settings, () => undefined)
    await using link = await tree.roles.reachEngine(settings)
    await using store = await tree.open.openStore({ dataFolder: folder, databaseUrl: embedded.url })
    const callers = await openCallers(tree, running.url, settings, store, link)
    const ways = callers.ways.filter(({ name }) => name.includes(only))
    for (const { drive } of ways) await drive('warm', warmSeconds)
    await makeWalFiles(embedded.url)
    const settle = (mark: string) => clear(store, link, callers.users, mark)
    await use({ ...callers, ways, folder, url: running.url, databaseUrl: embedded.url, link, store, settle })
  } finally {
    await embedded.stop({ isForced: true })
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Orders a second that the machine keeps up with: the time counts until the tables have the last one, which for more than a few seconds can’t
 * be much later than the answers.
 *
 * seconds  of orders one after the other
 */
export async function keptUp({ ways, settle }: Pick<DurableExchange, 'ways' | 'settle'>, seconds: number): Promise<number> {
  await settle('before')
  const begunMs = performance.now()
  const { perSecond } = await ways[0]!.drive('most', seconds)
  await settle('most')
  return (perSecond * seconds * 1e3) / (performance.now() - begunMs)
}

async function loadTree(root: string): Promise<Tree> {
  const load = <T>(...path: string[]) => import(resolve(root, 'server', ...path)) as Promise<T>
  return {
    roles: await load<Tree['roles']>('main', 'roles.ts'),
    supervisor: await load<Tree['supervisor']>('main', 'supervisor.ts'),
    embedded: await load<Tree['embedded']>('store', 'embedded.ts'),
    open: await load<Tree['open']>('store', 'open.ts'),
  }
}

/** Has the name of a setting of older clones too. */
function settingsOf(dataFolder: string, databaseUrl: string): Settings & { readonly trustProxy: false } {
  return {
    mode: 'sandbox',
    host: '127.0.0.1',
    port: 0,
    dataFolder,
    databaseUrl,
    feed: 'simulated',
    hasBots: false,
    seed: '1',
    publicUrls: [],
    trustedProxies: [],
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

async function openCallers({ roles }: Tree, url: string, settings: Settings, store: Store, link: Link) {
  const ground = { settings, store, logger: roles.makeLogger(settings, 'bench') }
  await using identity = roles.makeIdentity(ground, link, { send: () => Promise.resolve() })
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
  const overHttp: Way['drive'] = (mark, time, perSecond) =>
    driveHttp(
      url,
      signed.map((dialect, i) => ({ entry: entry(`s${mark}`, i), dialect })),
      time,
      perSecond,
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
  return { ways, users, market: market.id, price }
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

async function clear(store: Store, link: Link, users: readonly UserId[], mark: string): Promise<void> {
  // Asking the engine for its head would make it write out its whole state, whose garbage the next turn would then collect.
  const outcomes = await Promise.all(
    users.map((user) => link.submit({ type: 'spot.cancelAll', user, clientId: `clear-${mark}`, market: 0 as MarketId })),
  )
  const seq = Math.max(...outcomes.map((outcome) => outcome.seq))
  for (;;) {
    const { rows } = await store.pool.query('select seq from projection')
    if ((rows[0]?.seq ?? 0) >= seq) return
    await sleep(50)
  }
}

/**
 * Creates files of the write-ahead log in advance. A server that has run for some minutes overwrites log files that it no longer
 * needs; a new server first writes each file as 16 MB of zeros while all commits wait. Neither side should pay for that.
 */
async function makeWalFiles(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  for (let file = 0; file < walFiles; file++) {
    await client.query("select pg_logical_emit_message(false, 'bench', 'x')")
    await client.query('select pg_switch_wal()')
  }
  await client.query('checkpoint')
  await client.end()
}
