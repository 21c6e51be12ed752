import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../main/settings.ts'
import { request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { metrics } from '../../watch/catalogue.ts'
import { sample } from '../../watch/samples.ts'
import { Collectors } from '../metrics/collectors.ts'

const folder = join(root, 'deploy', 'watch')
const rules = readFileSync(join(folder, 'alerts.yml'), 'utf8')
const dashboards = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
const named = new Set([rules, ...dashboards].flatMap((text) => text.match(/\bcandor_[a-z0-9_]+/g) ?? []))

let exchange: TestExchange
let alice: TestUser
before(async () => {
  exchange = await startExchange({ seed: 'metrics', hasChains: true })
  alice = await exchange.user({ funds: { USDT: '100' } })
})
after(() => exchange[Symbol.asyncDispose]())

const scrape = async (): Promise<string> => (await fetch(`${exchange.url}/metrics`)).text()
const seriesOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.slice(0, line.lastIndexOf(' '))),
  )

test('WATCH-METRICS-001: every metric that a dashboard or an alert rule names is in the output of a running exchange', async () => {
  const { pool } = exchange.store
  // What happens now and then: a comparison of the treasury, a snapshot, work of the staff, a failed login, a refused order.
  await pool.query(`insert into treasury_beats (at, is_match) values (1, true) on conflict (id) do nothing`)
  await pool.query(
    `insert into treasury_balances (network, role, contract, balance, block, at) values ('ethereum', 'hot', 'native', 1, 1, 1) on conflict do nothing`,
  )
  await pool.query(
    `insert into snapshots (seq, core_version, state_hash, journal_hash, bytes) values (1, 1, sha256(''), sha256(''), 0) on conflict do nothing`,
  )
  // The embedded database, whose backups are watched, is where this exchange's data is not.
  mkdirSync(join(exchange.dataFolder, 'postgres'), { recursive: true })
  // Entries of the logs are counted from the first look on.
  await scrape()
  await pool.query(`insert into staff_log (at, ip, device, action) values (1, '', '', 'login-failed')`)
  await request(exchange.url, 'POST', '/auth/login', { channel: 'email', to: alice.email, password: 'wrong wrong wrong', lang: 'en' })
  const order = { clientId: 'large', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '60000', quantity: '1' }
  assert.notEqual((await alice.call('POST', '/spot/orders', order)).status, 200)
  let missing: readonly string[] = ['all']
  for (let tries = 0; tries < 200 && missing.length > 0; tries++) {
    const names = new Set([...seriesOf(await scrape())].map((series) => series.split('{', 1)[0]!))
    missing = [...named].filter((name) => !names.has(name))
    if (missing.length > 0) await sleep(500)
  }
  assert.deepEqual(missing, [])
  assert.ok(named.size > 50)
})

test('WATCH-METRICS-002: every alert rule names a runbook that docs/operate.md has', () => {
  const headings = readFileSync(join(root, 'docs', 'operate.md'), 'utf8').matchAll(/^#+ (\w+)$/gm)
  const anchors = new Set([...headings].map(([, name]) => name!.toLowerCase()))
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)
  const runbooks = [...rules.matchAll(/runbook: docs\/operate\.md#(\w+)/g)].map(([, anchor]) => anchor!)
  assert.deepEqual(
    runbooks,
    alerts.map((name) => name.toLowerCase()),
  )
  assert.deepEqual(
    runbooks.filter((anchor) => !anchors.has(anchor)),
    [],
  )
})

test('WATCH-METRICS-003: unknown paths, methods, symbols and signal addresses add no label', async () => {
  const before = await settled()
  for (const path of ['/api/v3/nothing', '/app/v1/nothing/x', '/nothing', '/hooks/v1/secret', '/api/v3/ticker/price?symbol=NOTHING'])
    for (const method of ['GET', 'POST', 'PROPFIND']) await fetch(`${exchange.url}${path}`, { method })
  const added = [...(await settled())].filter((series) => !before.has(series) && !/_total\{action=/.test(series))
  assert.deepEqual(added, [])
  const text = await scrape()
  for (const secret of [alice.uid, alice.email, 'NOTHING', 'secret']) assert.ok(!text.includes(secret), secret)
})

/** The series, once all groups and processes have told theirs. */
async function settled(): Promise<ReadonlySet<string>> {
  for (let last = -1; ; await sleep(300)) {
    const series = seriesOf(await scrape())
    if (series.size === last) return series
    last = series.size
  }
}

test('WATCH-METRICS-005: a group that cannot be read, or not within two seconds, is left out and says so, and the others stay', async () => {
  let [reads, now] = [0, 0]
  const faults: string[] = []
  const collectors = new Collectors(
    [
      { name: 'good', minMs: 100, read: async () => [sample('candor_disk_free_bytes', ++reads)] },
      { name: 'bad', minMs: 100, read: () => Promise.reject(new Error('no')) },
      { name: 'slow', minMs: 100, read: () => new Promise(() => undefined) },
    ],
    (name) => faults.push(name),
    () => now,
  )
  const up = (collector: string, value: number) => sample('candor_collector_up', value, { collector })
  const expected = (read: number) => [up('good', 1), sample('candor_disk_free_bytes', read), up('bad', 0), up('slow', 0)]
  assert.deepEqual(await collectors.samples(), expected(1))
  now = 50
  assert.deepEqual(await collectors.samples(), expected(1))
  now = 200
  assert.deepEqual(await collectors.samples(), expected(2))
  assert.deepEqual(faults, ['bad'])
})

test('WATCH-METRICS-007: each metric has a help text, and its unit or kind is in its name', () => {
  for (const [name, { type, help }] of Object.entries(metrics)) {
    assert.match(help, /^.{3,120}$/)
    assert.equal(name.endsWith('_total'), type === 'counter', name)
  }
})
