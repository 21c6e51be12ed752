import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type { WireActivity } from '@candor/core/protocol/wire/activity.ts'
import type pg from 'pg'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { origins } from '../../origins.ts'
import { activityFile } from '../../app/user/activity-file.ts'
import { ActivityReader } from '../reader.ts'
import { ActivityWriter } from '../writer.ts'

let exchange: TestExchange
let alice: TestUser
before(async () => {
  exchange = await startExchange({ seed: 'activity', hasFeeds: false })
  alice = await exchange.user({ funds: { USDT: '1000' } })
})
after(() => exchange[Symbol.asyncDispose]())

const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '100', quantity: '0.1', timeInForce: 'GTC' }

async function entries(user: TestUser, query = ''): Promise<readonly WireActivity[]> {
  return (await user.call('GET', `/activity${query}`)).body.items
}

/** The entries, once one of this action is among them: they are written a moment after the answer. */
async function once(user: TestUser, action: string, query = ''): Promise<readonly WireActivity[]> {
  for (;;) {
    const found = await entries(user, query)
    if (found.some((entry) => entry.action === action)) return found
    await new Promise((done) => setTimeout(done, 20))
  }
}

test('USER-ACTIVITY-001: an order is listed with its session, network, device, market and command, and the login before it', async () => {
  const placed = await alice.call('POST', '/spot/orders', { clientId: 'a1', ...order })
  assert.equal(placed.status, 200, JSON.stringify(placed.body))
  const [own, login] = await once(alice, 'spot.place')
  assert.deepEqual([own!.kind, own!.symbol, own!.key, own!.isCurrent], ['order', 'BTCUSDT', null, true])
  assert.match(own!.ip, /127\.0\.0\.1/)
  assert.ok(own!.device.length > 0 && own!.seq! > 0 && own!.order !== null)
  assert.deepEqual([login!.action, login!.kind, login!.session], ['login', 'access', own!.session])
  const { rows } = await exchange.store.pool.query('select count(*) as n from activity where user_id = $1', [alice.id])
  assert.equal(Number(rows[0].n), 1)
})

test('USER-ACTIVITY-002: a refused or repeated request is no entry, and nobody sees those of others', async () => {
  const bob = await exchange.user({ funds: { USDT: '1000' } })
  await bob.call('POST', '/spot/orders', { clientId: 'b0', ...order, quantity: '1000' })
  for (let n = 0; n < 2; n++) await bob.call('POST', '/spot/orders', { clientId: 'b1', ...order })
  await bob.call('DELETE', '/spot/orders', { clientId: 'b2', symbol: 'BTCUSDT' })
  await once(bob, 'spot.place')
  const placed = (await entries(bob, '?kind=order')).filter(({ action }) => action === 'spot.place')
  assert.equal(placed.length, 1)
  assert.ok(!(await entries(alice)).some(({ seq }) => seq === placed[0]!.seq))
})

test('USER-ACTIVITY-003: a kind and days filter the list, and pages follow each other without gap or repetition', async () => {
  const carol = await exchange.user({ funds: { USDT: '1000' } })
  for (let n = 0; n < 60; n++) assert.equal((await carol.call('PATCH', '/me', { lang: n % 2 === 0 ? 'de' : 'en' })).status, 200)
  await carol.call('POST', '/spot/orders', { clientId: 'c1', ...order })
  await once(carol, 'spot.place')
  assert.deepEqual(
    (await entries(carol, '?kind=order')).map(({ action }) => action),
    ['spot.place'],
  )
  assert.deepEqual(await entries(carol, '?to=1000'), [])
  const first = (await carol.call('GET', '/activity?kind=change')).body
  const second = (await carol.call('GET', `/activity?kind=change&before=${first.next}`)).body
  assert.deepEqual([first.items.length, second.items.length, second.next], [50, 10, undefined])
  const all = [...first.items, ...second.items] as WireActivity[]
  assert.deepEqual(
    all.map(({ at }) => at),
    all.map(({ at }) => at).toSorted((a, b) => b - a),
  )
  for (const query of ['before=x', 'kind=none', 'from=-1', 'to=x'])
    assert.equal((await carol.call('GET', `/activity?${query}`)).status, 400, query)
})

test('USER-ACTIVITY-004: the list is a file as CSV or JSON, one at a time', async () => {
  const get = (format: string) => fetch(`${exchange.url}/app/v1/activity/file?format=${format}`, { headers: { cookie: alice.cookie } })
  await once(alice, 'spot.place')
  const csv = await get('csv')
  assert.deepEqual([csv.status, csv.headers.get('content-type')], [200, 'text/csv; charset=utf-8'])
  const lines = (await csv.text()).trimEnd().split('\r\n')
  const shown = await entries(alice)
  assert.equal(lines.length, shown.length + 1)
  assert.match(lines[1]!, /spot\.place,BTCUSDT/)
  const json = await get('json')
  assert.deepEqual(await json.json(), shown)
})

test('USER-ACTIVITY-004: a file that lacks older entries says so at its end, and a whole one does not', async () => {
  const erin = await exchange.user({ funds: { USDT: '1000' } })
  for (const lang of ['de', 'en']) await erin.call('PATCH', '/me', { lang })
  const shown = await entries(erin, '?kind=change')
  assert.equal(shown.length, 2)
  const { rows } = await exchange.store.pool.query<{ id: string }>('select id from accounts where core_user = $1', [erin.id])
  const asker = { account: rows[0]!.id, user: erin.id, session: shown[0]!.session! }
  const reader = new ActivityReader(exchange.store.pool, () => undefined)
  const file = async (format: 'csv' | 'json', max: number): Promise<string> =>
    (await Array.fromAsync(activityFile(reader, asker, { kind: 'change', format }, max))).join('')
  const cut = 'Cut: only the newest 1 entries are here. Choose days to get the others.'
  assert.deepEqual(JSON.parse(await file('json', 1)), [shown[0], { cut }])
  assert.deepEqual((await file('csv', 1)).split('\r\n').slice(2), [cut, ''])
  assert.deepEqual(JSON.parse(await file('json', 2)), shown)
  assert.equal((await file('csv', 2)).split('\r\n').length, 4)
})

test('USER-ACTIVITY-005: while the tables can’t be written, the newest origins wait, the oldest give way, and the operator is told', async () => {
  const dave = await exchange.user({ funds: { USDT: '1000' } })
  const account = await exchange.store.pool.query('select id from accounts where core_user = $1', [dave.id])
  const faults: string[] = []
  let isDown = true
  const query = exchange.store.pool.query.bind(exchange.store.pool)
  const pool = { query: async (...given: Parameters<typeof query>) => (isDown ? Promise.reject(new Error('down')) : query(...given)) }
  const told = Promise.withResolvers<void>()
  await using writer = new ActivityWriter({
    pool: pool as unknown as pg.Pool,
    onFault: (cause) => faults.push(String(cause)) && told.resolve(),
    everyMs: 1e6,
    keptMax: 10,
  })
  let at = 0
  const submit = writer.noting(async () => ({ seq: 1e9 + ++at, at, order: 0 }) as Outcome)
  const origin = {
    account: account.rows[0].id,
    user: dave.id,
    class: 'retail',
    session: randomUUID(),
    key: null,
    ip: '127.0.0.1',
    device: 'x',
  } as const
  const cancel = { type: 'spot.cancel', user: dave.id, market: 1 } as unknown as Command
  const send = (): Promise<Outcome> => origins.run(origin, () => submit(cancel, 0))
  for (let n = 0; n < 10; n++) await send()
  await assert.rejects(writer.flush(), /down/)
  assert.deepEqual(faults, [])
  await send()
  await told.promise
  assert.match(faults.join(), /were dropped/)
  isDown = false
  await writer.flush()
  const { rows } = await query('select seq from activity where user_id = $1 order by seq', [dave.id])
  assert.deepEqual(
    rows.map(({ seq }) => Number(seq) - 1e9),
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  )
})

test('CLUSTER-BUS-009: a repeat is an entry when its first answer was lost', async () => {
  const erin = await exchange.user({ funds: { USDT: '1000' } })
  const { rows } = await exchange.store.pool.query('select id from accounts where core_user = $1', [erin.id])
  await using writer = new ActivityWriter({ pool: exchange.store.pool, onFault: () => undefined, everyMs: 1e6 })
  const origin = {
    account: rows[0].id,
    user: erin.id,
    class: 'retail',
    session: randomUUID(),
    key: null,
    ip: '127.0.0.1',
    device: 'x',
  } as const
  const place = { type: 'spot.place', user: erin.id, market: 1 } as unknown as Command
  for (const [seq, isResent] of [
    [2e9, false],
    [2e9 + 1, true],
  ] as const) {
    const outcome = { seq, at: Date.now(), order: 7, isRepeat: true, isResent } as unknown as Outcome
    await origins.run(origin, () => writer.noting(() => Promise.resolve(outcome))(place, 0))
  }
  await writer.flush()
  const noted = await exchange.store.pool.query('select seq from activity where user_id = $1', [erin.id])
  assert.deepEqual(
    noted.rows.map(({ seq }) => Number(seq)),
    [2e9 + 1],
  )
})
