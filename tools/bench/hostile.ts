/**
 * The cost of hostile traffic for everybody else: signed orders per second while 200 hostile clients of one /64 network send
 * harmful requests, compared with a control run in which the same connections are refused at accept. An order without an answer, or
 * with a refusal, ends the benchmark with an error. The exchange has hours of tape and thousands of accounts with orders. The load of
 * other programs on the machine, the hostile clients among them, is measured too, and each rate is divided by the processors that
 * were left. Both runs start with compiled code: before the first round, orders and attacks run together. Each attack begins half a
 * second before its orders, with the allowances of a network at rest, and lasts as long as they do.
 *
 *   node tools/bench/hostile.ts [--json] [--rounds N]
 *   node tools/bench/hostile.ts --each   instead, each trick alone: its answers and the processor seconds that it takes
 */
import type { Units } from '@candor/core/money/brand.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Link } from '../../server/engine/link.ts'
import { makeIdentity, makeLogger, reachEngine, reachStore } from '../../server/main/roles.ts'
import { readSettings, type Settings } from '../../server/main/settings.ts'
import { startTree } from '../../server/main/supervisor.ts'
import type { Store } from '../../server/store/open.ts'
import { cpuBetween, cpuSeconds, cpuSum } from './cpu.ts'
import { fillAccounts, fillTape } from './hostile/exchange.ts'
import type { Arms } from './hostile/clients.ts'
import { type Dialect, driveHttp, signedDialect } from './http-orders.ts'
import { median, numberAfter, rounded, say } from './report.ts'

const rounds = numberAfter('--rounds', 5)
const seconds = 15
const warmRuns = 2
const callerCount = 16
const symbol = 'BTCUSDT'
/** Share of the rate that must remain. */
const aim = 0.8
const hostileAccounts = 10
const password = 'correct horse battery staple'
const folder = mkdtempSync(join(tmpdir(), 'candor-bench-'))

try {
  const settings: Settings = {
    ...readSettings({ CANDOR_DATA: folder, PORT: '0', CANDOR_FEED: 'simulated', CANDOR_SEED: '1', CANDOR_BOTS: 'off' }, folder),
    // The clients claim their network in a header.
    trustedProxies: ['127.0.0.1'],
    logLevel: 'error',
  }
  await using tree = await startTree(settings, () => undefined)
  await using link = await reachEngine(settings)
  await using store = await reachStore(settings)
  const { dialects: callers, users } = await openCallers(settings, store, link)
  const price = await indexPrice(tree.url)
  const filling = { link, store, url: tree.url }
  await fillAccounts(filling, symbol, price)
  const arms = { ...(await openHostile(settings, store, link, tree.url)), hour: await fillTape(filling) }
  const drive = (mark: string, time: number) =>
    driveHttp(
      tree.url,
      callers.map((dialect, i) => ({ entry: { price, mark: `${mark}-${i}` }, dialect })),
      time,
    )
  if (process.argv.includes('--each')) await eachTrick(tree.url, arms)
  else await compare(tree.url, arms, drive, (mark) => clear(link, users, mark))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

type Drive = (mark: string, time: number) => ReturnType<typeof driveHttp>

/** Runs the orders beside the attack and beside the refused attack in turns, and reports the rate that stays. */
async function compare(url: string, arms: Arms, drive: Drive, tidy: (mark: string) => Promise<void>): Promise<void> {
  using refusing = await startRefusing()
  for (let n = 0; n < warmRuns; n++) {
    await Promise.all([drive(`warm${n}`, seconds), attackOn(url, arms)])
    await tidy(`warm${n}`)
  }

  const pairs: { readonly ratio: number; readonly hostile: number; readonly control: number }[] = []
  for (let round = 1; round <= rounds; round++) {
    // The two take turns at running first.
    const run = async (which: 'hostile' | 'control') => {
      const attack = attackOn(which === 'hostile' ? url : refusing.url, arms)
      await sleep(500)
      const others = othersBusy()
      const before = cpuSeconds(folder) ?? {}
      const tally = await drive(`${which}${round}`, seconds)
      await tidy(`${which}${round}`)
      const answers = await attack
      const used = cpuBetween(before, cpuSeconds(folder) ?? {})
      const left = Math.max(0.1, availableParallelism() - others())
      return { ...tally, answers, used, left, byLeft: tally.perSecond / left }
    }
    const [first, second] = round % 2 === 0 ? (['hostile', 'control'] as const) : (['control', 'hostile'] as const)
    const runs = { [first]: await run(first), [second]: await run(second) } as Record<
      'hostile' | 'control',
      Awaited<ReturnType<typeof run>>
    >
    const { hostile, control } = runs
    const ratio = hostile.byLeft / control.byLeft
    pairs.push({ ratio, hostile: hostile.perSecond, control: control.perSecond })
    say(
      `round ${round}: ${rounded(hostile.perSecond)}/s (p99 ${hostile.p99Ms.toFixed(1)} ms) beside ${rounded(control.perSecond)}/s (p99 ${control.p99Ms.toFixed(1)} ms), processors left ${hostile.left.toFixed(2)} and ${control.left.toFixed(2)}: ${ratio.toFixed(2)}`,
    )
    say(`  answers to the hostile clients: ${JSON.stringify(hostile.answers)}`)
    say(`  the attack takes ${(100 * attackShare(hostile, control)).toFixed(0)} % of the gateway's one processor`)
    say(`  processor seconds: ${usedText(hostile.used)}; in the control run: ${usedText(control.used)}`)
  }
  const ratio = median(pairs.map((pair) => pair.ratio))
  const value = median(pairs.map((pair) => pair.hostile))
  say(`median: ${(100 * ratio).toFixed(0)} % of the rate stays (aim ${100 * aim} %); every order got its answer`)
  if (process.argv.includes('--json'))
    console.log(JSON.stringify({ name: 'hostile', value, yardstick: median(pairs.map((pair) => pair.control)), ratio, results: pairs }))
  if (ratio < aim) process.exitCode = 1
}

async function eachTrick(url: string, arms: Arms): Promise<void> {
  for (const trick of Array(Number(await outputOf([]))).keys()) {
    const before = cpuSeconds(folder) ?? {}
    const answers = await attackOn(url, arms, [String(trick)])
    say(`trick ${trick}: ${usedText(cpuBetween(before, cpuSeconds(folder) ?? {}))}; ${JSON.stringify(answers)}`)
    // The limits of a network fill up again.
    await sleep(5_000)
  }
}

type Run = { readonly perSecond: number; readonly used: Readonly<Record<string, number>> }

/** Share of the gateway's one thread used by the attack: its time in the hostile run less what the orders cost in the control run. */
function attackShare(hostile: Run, control: Run): number {
  const perOrder = (control.used['gateway'] ?? 0) / (control.perSecond * seconds)
  return ((hostile.used['gateway'] ?? 0) - hostile.perSecond * seconds * perOrder) / (seconds + 1)
}

function usedText(used: Readonly<Record<string, number>>): string {
  return Object.entries(used)
    .map(([who, time]) => `${who} ${time.toFixed(1)}`)
    .join(', ')
}

/** Runs the hostile clients in a process of their own. Resolves with the number of answers by status. */
async function attackOn(url: string, arms: Arms, trick: readonly string[] = []): Promise<Record<string, number>> {
  return JSON.parse(await outputOf([url, String(seconds + 1), ...trick], arms)) as Record<string, number>
}

function outputOf(args: readonly string[], arms?: Arms): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'hostile', 'clients.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...(arms && { CANDOR_HOSTILE_ARMS: JSON.stringify(arms) }) },
  })
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(text))
  })
}

/** A server that closes every connection at once. */
async function startRefusing(): Promise<Disposable & { readonly url: string }> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() }
}

/** Cancels the orders that the last run left open, so that the next run does not pay for them. */
async function clear(link: Link, users: readonly UserId[], mark: string): Promise<void> {
  await Promise.all(users.map((user) => link.submit({ type: 'spot.cancelAll', user, clientId: `clear-${mark}`, market: 0 as MarketId })))
}

type Callers = { readonly dialects: readonly Dialect[]; readonly users: readonly UserId[] }

async function openCallers(settings: Settings, store: Store, link: Link): Promise<Callers> {
  await using identity = makeIdentity({ settings, store, logger: makeLogger(settings, 'bench') }, link, { send: () => Promise.resolve() })
  const { assets } = await link.ask.listing()
  const dialects: Dialect[] = []
  const users: UserId[] = []
  for (let i = 0; i < 5; i++) await identity.createUser({ email: `victim${i}@bench.example`, password })
  for (let i = 0; i < callerCount; i++) {
    const { user, account } = await identity.createUser({ email: `bench${i}@bench.example`, password, class: 'bench' })
    users.push(user as UserId)
    for (const { symbol: name, id, scale } of assets.filter((asset) => ['BTC', 'USDT'].includes(asset.symbol))) {
      const amount = (10 ** scale * (name === 'BTC' ? 100 : 10_000_000)) as Units
      await link.submit({ type: 'funds.faucet', user: user as UserId, clientId: `bench-${name}`, asset: id, amount })
    }
    const holder = { account, visitor: { ip: '127.0.0.1', userAgent: 'bench', deviceKey: undefined } }
    const made = await identity.keys.grant({ label: 'bench', scopes: ['read', 'trade'], ips: [] }, holder)
    dialects.push(signedDialect(made.key.key, made.secret as string, symbol, 60_000))
  }
  return { dialects, users }
}

/** Creates customers in the hostile network, each with a login, a key and a webhook that never answers. */
async function openHostile(settings: Settings, store: Store, link: Link, url: string): Promise<Omit<Arms, 'hour'>> {
  await using identity = makeIdentity({ settings, store, logger: makeLogger(settings, 'bench') }, link, { send: () => Promise.resolve() })
  const arms = { cookies: [] as string[], keys: [] as string[], webhooks: [] as string[] }
  for (let i = 0; i < hostileAccounts; i++) {
    const to = `hostile${i}@bench.example`
    const { account } = await identity.createUser({ email: to, password })
    const login = await post(`${url}/app/v1/auth/login`, { channel: 'email', to, password, lang: 'en' })
    const session = login.headers.getSetCookie().map((line) => line.split(';', 1)[0]!)
    const cookie = session.find((one) => one.startsWith('candor='))!
    const hook = await post(`${url}/app/v1/webhooks`, { url: 'https://127.0.0.1:1/hook', kinds: ['spot.fill'], password }, { cookie })
    const holder = { account, visitor: { ip: '127.0.0.1', userAgent: 'bench', deviceKey: undefined } }
    const { key } = await identity.keys.grant({ label: 'bench', scopes: ['read', 'trade'], ips: [] }, holder)
    arms.cookies.push(cookie)
    arms.keys.push(key.key)
    arms.webhooks.push(((await hook.json()) as { webhook: { id: string } }).webhook.id)
  }
  return arms
}

async function post(url: string, body: object, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...more },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`)
  return answer
}

/** Starts to measure how many processors the other programs on this machine keep busy, including the hostile clients. */
function othersBusy(): () => number {
  const busy = (): number => cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1_000
  // Without /proc the load of others is unknown and counts as none.
  const own = (): number => cpuSum({ ...(cpuSeconds(folder) ?? { all: busy() }), children: 0 })
  const before = { at: performance.now(), busy: busy(), own: own() }
  return () => {
    const seconds = (performance.now() - before.at) / 1_000
    return Math.max(0, (busy() - before.busy - (own() - before.own)) / seconds)
  }
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
