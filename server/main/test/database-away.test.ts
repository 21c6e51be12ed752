import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '../../journal/audit.ts'
import { startEmbedded } from '../../store/embedded.ts'
import { openStore } from '../../store/open.ts'
import { FaultyProxy } from '../../store/test/faulty-proxy.ts'
import { copyPrepared } from '../../store/test/prepared.ts'
import { readSettings } from '../settings.ts'
import { startTree } from '../supervisor.ts'
import { startLoad } from './order-load.ts'

/**
 * Answers for "nothing was done" or "the outcome is unknown": the only ones that an outage may give. Refused orders count against
 * the order rate as well (-1015).
 */
const notNow = new Set([-1001, -1006, -1015])

test('ENGINE-OUTAGE-005: killed, frozen, read-only and replaced: every process survives its database’s outage and continues with it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-away-'))
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  await using parts = new AsyncDisposableStack()
  parts.defer(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('mkdir', [first, second])
  copyPrepared(first)
  let database = await startEmbedded(first)
  parts.defer(() => database.stop({ isForced: true }))
  const { proxy, url } = await FaultyProxy.start(database.url)
  parts.use(proxy)
  const settings = {
    ...readSettings(
      {
        CANDOR_DATA: join(folder, 'data'),
        PORT: '0',
        CANDOR_FEED: 'simulated',
        CANDOR_SEED: '1',
        CANDOR_BOTS: 'off',
        CANDOR_TEST_CHAINS: 'off',
      },
      folder,
    ),
    databaseUrl: url,
  }
  const tree = parts.use(await startTree(settings, (line) => t.diagnostic(line)))
  const load = await (async () => {
    await using store = await openStore({ dataFolder: first, databaseUrl: database.url })
    return await startLoad(settings, store, [tree.url])
  })()
  parts.defer(() => load.end())
  await load.goesOn()
  const before = tree.pids()

  /** How long two orders take without an outage: a busy machine's own delay. */
  const startedAt = performance.now()
  for (let n = 0; n < 4; n++) await load.goesOn()
  const pace = (performance.now() - startedAt) / 2
  /** For each outage after which processes connect anew, the time from its end until all is in order. */
  const delays: number[] = []
  const back = async (fault: string, healedAt: number): Promise<void> => {
    await load.goesOn()
    t.diagnostic(`${fault}: orders acknowledged again after ${Math.round(performance.now() - healedAt)} ms`)
    const isWhole = async (): Promise<boolean> => (await fetch(`${tree.url}/healthz`)).status === 200
    while (!(await isWhole())) await sleep(20)
    const delay = performance.now() - healedAt
    t.diagnostic(`${fault}: all in order after ${Math.round(delay)} ms`)
    if (fault === 'killed' || fault === 'swapped') delays.push(delay)
    assert.deepEqual(tree.pids(), before, `${fault}: a process ended`)
    assert.equal((await fetch(`${tree.url}/app/v1/tickers`)).headers.get('x-candor-stale'), null, `${fault}: still stale`)
  }
  /** While the database is away, markets are shown from memory, and health names the missing part. */
  const showsWhatItHas = async (): Promise<void> => {
    while ((await fetch(`${tree.url}/healthz`)).status !== 503) await sleep(20)
    const ageOf = async (path: string): Promise<number> => {
      const answer = await fetch(tree.url + path)
      assert.equal(answer.status, 200, path)
      return Number(answer.headers.get('x-candor-stale') ?? 0)
    }
    // A commit may hang for two seconds before it counts as an outage.
    let age = 0
    while ((age = await ageOf('/app/v1/tickers')) === 0) await sleep(20)
    while ((await ageOf('/api/v3/ticker/price?symbol=BTCUSDT')) <= age) await sleep(100)
    assert.ok((await ageOf('/app/v1/markets/BTCUSDT/depth')) > 0)
    assert.deepEqual([await ageOf('/api/v3/time'), await ageOf('/app/v1/config')], [0, 0], 'these paths do not age')
  }

  // Every connection is cut in the middle of its work, again and again.
  for (let n = 0; n < 5; n++) {
    proxy.cut()
    await load.goesOn()
  }
  await back('cut', performance.now())

  // The server dies.
  proxy.refuse(true)
  process.kill(Number(readFileSync(join(first, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT')
  await showsWhatItHas()
  database = await startEmbedded(first)
  proxy.leadTo(Number(new URL(database.url).port))
  proxy.refuse(false)
  await back('killed', performance.now())

  // The server stops answering, and no connection ends.
  proxy.freeze(true)
  await showsWhatItHas()
  proxy.freeze(false)
  await back('frozen', performance.now())

  // The primary becomes a standby.
  await readOnly(true)
  await sleep(1_500)
  proxy.cut()
  while ((await fetch(`${tree.url}/healthz`)).status !== 503) await sleep(20)
  await readOnly(false)
  await back('read-only', performance.now())

  // Another server takes over with the same data.
  proxy.refuse(true)
  await database.stop({ isForced: true })
  execFileSync('cp', ['-Rp', join(first, 'postgres'), second])
  database = await startEmbedded(second)
  proxy.leadTo(Number(new URL(database.url).port))
  proxy.refuse(false)
  await back('swapped', performance.now())

  await load.end()
  t.diagnostic(`${load.acknowledged.length} orders acknowledged; refused meanwhile: ${JSON.stringify([...load.failures])}`)
  for (const what of load.failures.keys()) assert.ok(notNow.has(Number(what.split(' ')[1])), `an outage gave ${what}`)
  // An order that was not sent is refused as such, and only one that was under way has an unknown outcome.
  const count = (code: number): number => load.failures.get(`503 ${code}`) ?? 0
  assert.ok(count(-1001) > count(-1006), JSON.stringify([...load.failures]))
  assert.ok(Math.min(...delays) < 1_000 + pace, `${delays.map(Math.round)} ms, at a pace of ${Math.round(pace)} ms`)
  const known = await load.signed('GET', '/api/v3/order', { symbol: 'BTCUSDT', origClientOrderId: load.acknowledged[0]! })
  assert.equal(known.status, 200)
  {
    await using store = await openStore({ dataFolder: second, databaseUrl: database.url })
    const { problems } = await audit({ pool: store.pool, tapeKeptMs: 7 * 86_400_000 })
    assert.deepEqual(problems, [])
    const written = async (): Promise<number> => {
      const found = `select count(distinct client_id)::int as n from orders where client_id = any($1)`
      return (await store.pool.query<{ n: number }>(found, [load.acknowledged])).rows[0]!.n
    }
    // Every acknowledged order comes into the tables.
    while ((await written()) < load.acknowledged.length) await sleep(50)
  }

  async function readOnly(is: boolean): Promise<void> {
    await using store = await openStore({ dataFolder: first, databaseUrl: database.url, connections: 1 })
    const client = await store.pool.connect()
    await client.query('set default_transaction_read_only = off')
    await client.query(`alter system set default_transaction_read_only = ${is ? 'on' : 'off'}`)
    await client.query('select pg_reload_conf()')
    client.release()
  }
})
