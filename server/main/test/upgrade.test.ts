import assert from 'node:assert/strict'
import { test } from 'node:test'
import { audit } from '../../journal/audit.ts'
import { coreVersion } from '../../journal/row.ts'
import { upgradePlace } from '../../journal/upgrade.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { startInProcess } from '../exchange.ts'
import { makeLogger, reachStore } from '../roles.ts'
import { startEngine } from '../role/engine.ts'
import { logIn, request } from './exchange.ts'
import { oldData, oldDataNames, toldBy } from './old-data.ts'

type Row = Readonly<Record<string, unknown>>

/** Left by a build whose rows this one never replays. */
const oldest = 'data-core-4'
const password = 'correct horse battery staple'

/** Time continues from the stop of the earlier build: interest and funding of the years between are not tested here. */
function timeFrom(at: number) {
  const offset = at + 1_000 - Date.now()
  return { wall: () => Date.now() + offset, steady: () => performance.now() }
}

const pick = (rows: readonly Row[], ...names: readonly string[]): readonly Row[] =>
  rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])))

for (const name of oldDataNames)
  test(`ENGINE-UPGRADE-002: ${name} of a released version is taken over: its customer logs in, finds everything, and continues to trade`, async () => {
    using settings = oldData(name)
    const told = toldBy(name)
    const idOf = (clientId: string) => told['/spot/orders/open'].orders.find((one: Row) => one['clientId'] === clientId).id
    const { email = 'alice@before.example' } = told
    let stoppedAt: number
    {
      await using store = await reachStore(settings)
      stoppedAt = (await store.pool.query('select at_ms from projection')).rows[0].at_ms
    }
    {
      await using exchange = await startInProcess(settings, { hasHistory: false, time: timeFrom(stoppedAt), patience: { lagMs: 30_000 } })
      const { url, link, store } = exchange
      assert.equal(exchange.ground.settings.mode, 'sandbox')
      const cookie = await logIn(url, email, password)
      const call = async (method: string, path: string, body?: unknown) => {
        const answer = await request(url, method, path, body, cookie)
        assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
        return answer.body
      }
      assert.equal((await call('GET', '/me')).uid, told['/me'].uid)
      // Values that move with the mark, and the running stake, are left out.
      for (const { kind, balances } of told['/balances'].accounts) {
        if (kind !== 'spot' && kind !== 'margin-cross' && kind !== 'lend') continue
        const mine = (await call('GET', '/balances')).accounts.find((one: Row) => one['kind'] === kind)
        assert.deepEqual(mine.balances, balances, kind)
      }
      for (const product of ['spot', 'perp']) {
        const path = `/${product}/orders/open`
        assert.deepEqual((await call('GET', path)).orders, told[path].orders, path)
        const history = `/${product}/orders/history`
        assert.deepEqual(
          pick((await call('GET', history)).items, 'id', 'status', 'executedQuote'),
          pick(told[history].items, 'id', 'status', 'executedQuote'),
        )
      }
      const shape = ['symbol', 'side', 'quantity', 'openPrice'] as const
      const { positions } = await call('GET', '/perp/account')
      assert.deepEqual(pick(positions, ...shape), pick(told['/perp/account'].positions, ...shape))
      assert.equal(positions.length, 2)
      assert.deepEqual((await call('GET', '/lend/claims')).claims?.length, told['/lend/claims'].claims?.length)

      const sold = await call('POST', '/spot/orders', {
        clientId: 'new',
        symbol: 'ETHUSDT',
        side: 'sell',
        type: 'limit',
        price: '2700',
        quantity: '0.1',
        timeInForce: 'GTC',
      })
      assert.equal(sold.order.status, 'open')
      await call('DELETE', `/spot/orders/${idOf('s3b')}?symbol=BTCUSDT`)
      // The same client id as before the upgrade is still the same order.
      const again = await request(
        url,
        'POST',
        '/spot/orders',
        { clientId: 's2b', symbol: 'ETHUSDT', side: 'sell', type: 'limit', price: '2900', quantity: '0.5', timeInForce: 'GTC' },
        cookie,
      )
      assert.deepEqual([again.body.isRepeat, again.body.order.id], [true, idOf('s2b')])

      const head = await link.ask.head()
      assert.ok(head.seq > ((await upgradePlace(store.pool)) ?? 0))
    }
    await using store = await reachStore(settings)
    const report = await audit({ pool: store.pool, tapeKeptMs: 7 * 86_400_000 })
    assert.deepEqual(report.problems, [])
    assert.equal(report.from, report.upgradedAt)
    assert.equal(report.upgradedAt, (await upgradePlace(store.pool)) ?? 0)
    const { rows } = await store.pool.query('select distinct core_version as version from journal order by 1')
    assert.deepEqual(
      rows.map(({ version }) => version),
      [...new Set([Number(name.slice('data-core-'.length)), coreVersion])],
    )
    // The next start continues from its own snapshot, and from the upgrade's if that one is lost.
    await store.pool.query('delete from snapshots where core_version = $1', [coreVersion])
    await using engine = await startEngine({ settings, store, logger: makeLogger(settings, 'test') }, () => undefined, {
      time: timeFrom(stoppedAt + 60_000),
    })
    assert.equal((await engine.link.ask.head()).seq >= report.seq, true)
  })

test('ENGINE-UPGRADE-003: a tail that the previous build did not close by a clean stop is refused by name, before anything is changed', async () => {
  using settings = oldData(oldest)
  await using store = await reachStore(settings)
  const { pool } = store
  const migrations = async () => (await pool.query('select count(*)::int as n from migrations')).rows[0].n as number
  const before = await migrations()
  const refused = async () => {
    for (const begin of [
      async () => (await startInProcess(settings, { hasHistory: false, hasFeeds: false }))[Symbol.asyncDispose](),
      async () => (await startEngine({ settings, store, logger: makeLogger(settings, 'test') }, () => undefined))[Symbol.asyncDispose](),
      async () => (await startProjector({ store }))[Symbol.asyncDispose](),
    ]) {
      await assert.rejects(begin, (error: Error) => {
        assert.equal(error.name, 'NotClosed')
        assert.match(error.message, /did not close this data.*Start that build once, stop it/)
        return true
      })
    }
    assert.equal(await migrations(), before)
  }
  await pool.query('update projection set seq = seq - 1')
  await refused()
  await pool.query('update projection set seq = seq + 1')
  await pool.query('delete from snapshots')
  await refused()
  await pool.query(`update journal set core_version = 3`)
  await assert.rejects(startProjector({ store }), /takes over versions 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and/)
})
