import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '../settings.ts'
import type { Link } from '../../engine/link.ts'
import type { Patience } from '../../gateway/options.ts'
import type { Argon } from '../../identity/argon.ts'
import type { TimeSource } from '../../engine/sequencer.ts'
import type { Store } from '../../store/open.ts'
import { cheapArgon } from '../../identity/test/cheap-argon.ts'
import { copyPrepared } from '../../store/test/prepared.ts'
import { certify } from '../certified.ts'
import { makeIdentity } from '../roles.ts'
import { type InProcess, startInProcess } from '../exchange.ts'
import { prepareBots } from '../bots.ts'
import { type Chains, startChains } from './chains.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Units } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { root } from '../settings.ts'

export type TestExchangeOptions = {
  /** Seed of the simulated market; the same seed gives the same prices. Default '1'. */
  readonly seed?: string
  /** Default 'simulated'. */
  readonly feed?: Settings['feed']
  /** Liquidity bots in a process of their own: books, trades and candles fill within a few seconds. Default false. */
  readonly bots?: boolean
  /** Whether charts get reference history, which takes some seconds. Default false. */
  readonly hasHistory?: boolean
  readonly settings?: Partial<Settings>
  /** Test chains, a signer, and what reads and pays. Default false. */
  readonly hasChains?: boolean
  /** False: the test sets index prices by commands. Default true. */
  readonly hasFeeds?: boolean
  /** Whether the follower makes statements of liabilities by itself. Default false. */
  readonly hasStatements?: boolean
  readonly time?: TimeSource
  readonly patience?: Patience
  /** Default: at its lowest cost. */
  readonly argon?: Argon
}

export type TestExchange = AsyncDisposable & {
  /** URL of the gateway, e.g. http://127.0.0.1:40123 */
  readonly url: string
  readonly link: Link
  readonly store: Store
  readonly dataFolder: string
  /** With `hasChains`. */
  readonly chains: Chains | undefined
  /** A logged-in user. `funds`: from the faucet, e.g. { USDT: '1000' }, without the daily limit of the app's faucet. */
  /** Stops the bots: their orders stay, and no further ones come. */
  quiet(): void
  user(options?: {
    readonly isCertified?: boolean
    readonly funds?: Readonly<Record<string, string>>
    readonly class?: 'retail' | 'maker' | 'bench'
  }): Promise<TestUser>
}

export type TestUser = {
  readonly email: string
  readonly password: string
  readonly uid: string
  /** The user's number in the core. */
  readonly id: UserId
  /** Value of the `cookie` header of requests and handshakes. */
  readonly cookie: string
  /** A request of this user: `call('POST', '/spot/orders', body)`, below /app/v1. */
  call(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: any; readonly headers: Headers }>
}

/**
 * A whole exchange for a test: real engine, journal, embedded PostgreSQL, projector, simulated prices and gateway, in this
 * process, on a free port and a temporary folder that is removed at the end.
 *
 *   await using exchange = await startExchange({ seed: '1' })
 *   const alice = await exchange.user({ funds: { USDT: '1000' } })
 *   const { status, body } = await alice.call('GET', '/balances')
 *
 * For a browser, use `exchange.url`; sent codes are at `exchange.url + '/inbox.json?to=' + address`.
 */
export async function startExchange(options: TestExchangeOptions = {}): Promise<TestExchange> {
  await using parts = new AsyncDisposableStack()
  const dataFolder = mkdtempSync(join(tmpdir(), 'candor-'))
  parts.defer(() => rmSync(dataFolder, { recursive: true, force: true }))
  copyPrepared(options.settings?.dataFolder ?? dataFolder)
  const chains = options.hasChains ? parts.use(await startChains(dataFolder)) : undefined
  const settings: Settings = {
    mode: 'sandbox',
    host: '127.0.0.1',
    port: 0,
    dataFolder,
    databaseUrl: undefined,
    feed: options.feed ?? 'simulated',
    hasBots: false,
    seed: options.seed ?? '1',
    publicUrls: [],
    trustedProxies: [],
    metricsToken: undefined,
    serverKey: undefined,
    smtpUrl: undefined,
    smsUrl: undefined,
    mailFrom: undefined,
    phoneCountries: undefined,
    logLevel: process.env['CANDOR_LOG'] ?? 'silent',
    ...(chains === undefined ? {} : { chainsFolder: chains.folder }),
    ...options.settings,
  }
  const { argon = cheapArgon() } = options
  const running = parts.use(
    await startInProcess(settings, {
      hasHistory: options.hasHistory ?? false,
      // Gigabytes at once make the collector of garbage go through everything at each start.
      reservesTables: false,
      ...(options.hasFeeds === undefined ? {} : { hasFeeds: options.hasFeeds }),
      ...(options.hasStatements === undefined ? {} : { hasStatements: options.hasStatements }),
      ...(options.time === undefined ? {} : { time: options.time }),
      // Readers wait long enough for lagging tables even on the slowest machine.
      patience: { lagMs: 30_000, ...options.patience },
      argon,
    }),
  )
  const { url, link, store, ground } = running
  let quiet = (): void => undefined
  if (options.bots) {
    const credentials = await prepareBots(ground, link)
    const child = spawn(process.execPath, [join(root, 'simulator', 'bots', 'main.ts')], {
      env: { ...process.env, CANDOR_URL: url, CANDOR_BOT_CREDENTIALS: JSON.stringify(credentials), CANDOR_SEED: settings.seed },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    parts.defer(() => endChild(child))
    quiet = () => void child.kill('SIGSTOP')
  }
  const owned = parts.move()
  let users = 0
  return {
    ...{ url, link, store, dataFolder, chains, quiet },
    user: (given) => makeUser(running, argon, `user${++users}@test.example`, given),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function makeUser(
  { url, link, ground }: InProcess,
  argon: Argon,
  email: string,
  { funds = {}, class: userClass = 'retail', isCertified = false }: Parameters<TestExchange['user']>[0] = {},
): Promise<TestUser> {
  const password = 'correct horse battery staple'
  // Of its own for each user: one that stays would take messages that the gateway's is to send.
  await using identity = makeIdentity(ground, link, { send: () => Promise.resolve() }, argon)
  const created = await identity.createUser({ email, password, class: userClass, country: 'DE' })
  if (isCertified) await certify(link.submit, identity, created.account, created.user as UserId)
  const { assets } = await link.ask.listing()
  for (const [symbol, amount] of Object.entries(funds)) {
    const asset = assets.find((one) => one.symbol === symbol)!
    const units = Math.round(Number(amount) * 10 ** asset.scale) as Units
    const outcome = await link.submit({
      type: 'funds.faucet',
      user: created.user as UserId,
      clientId: `test-${symbol}`,
      asset: asset.id,
      amount: units,
    })
    if (outcome.refusal) throw new Error(`funds of ${symbol}: ${outcome.refusal}`)
  }
  const cookie = await logIn(url, email, password)
  const call: TestUser['call'] = (method, path, body) => request(url, method, path, body, cookie)
  return { email, password, uid: created.uid, id: created.user as UserId, cookie, call }
}

/** One request below /app/v1, sent as a program would: without a browser's Origin. */
export async function request(url: string, method: string, path: string, body?: unknown, cookie?: string) {
  const response = await fetch(`${url}/app/v1${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(cookie ? { cookie } : {}) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: bodyOf(response, await response.text()), headers: response.headers }
}

/** Index price of a spot market: the first one comes a moment after the start. */
export async function indexOf(url: string, symbol = 'BTCUSDT'): Promise<number> {
  for (; ; await sleep(20)) {
    const { tickers } = (await request(url, 'GET', '/tickers')).body
    const index = Number(tickers.find((one: { symbol: string }) => one.symbol === symbol)?.index ?? 0)
    if (index > 0) return index
  }
}

/** Lines of JSON are a list. */
function bodyOf({ headers }: Response, text: string): any {
  if (text === '') return undefined
  const isLines = headers.get('content-type')?.startsWith('application/x-ndjson') === true
  return isLines
    ? text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : JSON.parse(text)
}

export async function logIn(url: string, email: string, password: string): Promise<string> {
  const response = await fetch(`${url}/app/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ channel: 'email', to: email, password, lang: 'en' }),
  })
  if (!response.ok) throw new Error(`login: ${response.status} ${await response.text()}`)
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  // A stopped process ends only when it goes on.
  child.kill('SIGCONT')
  await ended
}
