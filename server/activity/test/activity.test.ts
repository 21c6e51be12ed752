import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { WireActivity } from '@candor/core/protocol/wire/activity.ts'
import { startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'

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
