import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ok, refused, SignalWorld, terms } from './world.ts'

let world: SignalWorld
before(async () => {
  world = await SignalWorld.start()
})
after(() => world[Symbol.asyncDispose]())

const unknown = { status: 404, body: { ok: false, code: 'NOT_FOUND' } } as const
const told = (code: string, status = 400) => ({ status, body: { ok: false, code } })
const buy = { symbol: 'ETHUSDT', side: 'buy', quantity: '0.01' }

/**
 * How many connections wait for rows of keys or their addresses. The rest of the exchange goes on meanwhile, and may wait for its own locks.
 * A transaction would see the statements of its first look again, so the pool asks.
 */
async function waiting(): Promise<number> {
  const { rows } = await world.desk.exchange.store.pool.query(
    `select count(*)::int as n from pg_stat_activity
     where wait_event_type = 'Lock' and datname = current_database() and query ~ 'key_signals|api_keys'`,
  )
  return rows[0].n
}

test('SIGNAL-ADDRESS-001: an unknown address, one that is off, an old one and that of a deleted key have the same answer, and place nothing', async () => {
  const { send, change, user, id, path, program } = await world.trader()
  const forged = `${path.slice(0, -2)}${path.endsWith('AA') ? 'BB' : 'AA'}`
  for (const one of [forged, '/hooks/v1/', '/hooks/v1/x', '/hooks/', `${path}/x`, `/hooks/v1/${'A'.repeat(5_000)}`, '/hooks/v1/%2e%2e'])
    assert.deepEqual(await world.send(one, buy), unknown, one)
  await change({ isOn: false, password: undefined })
  assert.deepEqual(await send(buy), unknown)
  await change({ isOn: true })
  assert.deepEqual(await send(buy), ok)
  const renewed = await user.call('POST', `/keys/${id}/signal`, { terms, password: user.password })
  assert.deepEqual(await send({ ...buy, id: 'old' }), unknown)
  assert.deepEqual(await world.send(renewed.body.path, { ...buy, id: 'new' }), ok)
  assert.equal((await program.done('GET', '/api/v3/allOrders', { symbol: 'ETHUSDT' })).length, 2)
  assert.equal((await user.call('DELETE', `/keys/${id}`)).status, 204)
  assert.deepEqual(await world.send(renewed.body.path, { ...buy, id: 'gone' }), unknown)
  assert.equal((await user.call('GET', `/keys/${id}/signal`)).status, 404)
  const { pool } = world.desk.exchange.store
  assert.deepEqual(
    (await pool.query('select from key_signals where account = (select id from accounts where uid = $1)', [user.uid])).rows,
    [],
  )
})

test('SIGNAL-ADDRESS-002: every method but POST, a compressed body, another type and a body above 2,048 bytes are refused', async () => {
  const { path, send, log } = await world.trader()
  for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) assert.equal((await fetch(world.url + path, { method })).status, 405, method)
  assert.deepEqual(await send(buy, { 'content-type': 'application/x-www-form-urlencoded' }), told('MEDIA_TYPE_UNSUPPORTED', 415))
  assert.deepEqual(await send(buy, { 'content-encoding': 'gzip' }), told('MEDIA_TYPE_UNSUPPORTED', 415))
  assert.deepEqual(await send(' '.repeat(2_049)), told('BODY_TOO_LARGE'))
  const stream = new Response(new Uint8Array(100_000)).body
  const chunked = await fetch(world.url + path, { method: 'POST', body: stream, duplex: 'half' } as RequestInit)
  assert.equal(chunked.status, 400)
  assert.deepEqual(await log(), [])
})

test('SIGNAL-ADDRESS-003: strange JSON is refused, places nothing and stands in the log as it came', async () => {
  const { send, log, program } = await world.trader()
  const texts = [
    ...['', 'buy', '[]', 'null', '1', '"x"', '{"symbol":"ETHUSDT"', '{'.repeat(500), '[['.repeat(500)],
    ...[
      '{"symbol":"ETHUSDT","side":"buy","quantity":"0.01","quantity":"9"}',
      '{"__proto__":{"side":"buy"},"symbol":"ETHUSDT","quantity":"1"}',
    ],
    ...['{"symbol":"ETHUSDT","side":"buy","quantity":1e-9}', '{"symbol":"ETHUSDT","side":"buy","quantity":1e21}'],
    ...['{"symbol":"ETHUSDT","side":"buy","quantity":NaN}', '{"symbol":"ETHUSDT","side":"buy","quantity":"-1"}'],
    ...['{"symbol":"ETHUSDT","side":"buy","quantity":"0"}', '{"symbol":"ETHUSDT","side":"buy","quantity":"１"}'],
    ...['{"symbol":"ETHUSDT","side":"buy","quantity":{"toString":"1"}}', '{"symbol":"ETHUSDT","side":"buy","quantity":true}'],
    ...[
      '{"symbol":"ETHUSDT","side":"buy","quantity":"0.01","quote":"10"}',
      '{"symbol":"ETHUSDT","side":"buy","quantity":"0.01","price":"1"}',
    ],
    ...[
      '{"symbol":"ETHUSDT","side":"buy","quantity":"0.01","type":"stop"}',
      '{"symbol":"ETHUSDT","side":"buy","quantity":"0.01","leverage":"100"}',
    ],
    ...['{"symbol":"ETHUSDT","side":"withdraw","quantity":"0.01"}', '{"symbol":"ETHUSDT","side":"buy","quantity":"0.01","id":"a\\u0000b"}'],
    '<script>alert(1)</script>',
  ]
  for (const text of texts) {
    const { status, body } = await send(text)
    assert.ok(status === 400 && body.ok === false, `${text.slice(0, 60)}: ${status} ${JSON.stringify(body)}`)
  }
  assert.deepEqual((await send(new Uint8Array([0x7b, 0xff, 0x7d]))).status, 400)
  assert.deepEqual(await program.done('GET', '/api/v3/allOrders', { symbol: 'ETHUSDT' }), [])
  const calls = await log()
  assert.deepEqual(
    calls.map(({ text }) => text),
    texts.toReversed(),
  )
  assert.ok(calls.every(({ end }) => end !== 'placed'))
})

test('SIGNAL-ADDRESS-004: the secret is in no log line and no table, and the answer tells nothing about the account', async () => {
  const { path, send, user } = await world.trader({ maxQuote: '1000000' })
  assert.deepEqual(await send({ ...buy, quantity: '300' }), refused)
  const secret = path.slice('/hooks/v1/'.length)
  const { pool } = world.desk.exchange.store
  for (const table of ['key_signals', 'key_signal_calls', 'audit_log']) {
    const { rows } = await pool.query(`select row_to_json(x)::text as text from ${table} x`)
    assert.ok(rows.every(({ text }: { text: string }) => !text.includes(secret)))
  }
  assert.ok(!JSON.stringify((await user.call('GET', '/keys')).body).includes(secret))
})

test('SIGNAL-RIGHTS-001: an address has the rights of its key: without the right to trade and after its end alerts are refused, and the sender’s own list holds', async () => {
  const { send, user, id, log } = await world.trader()
  assert.deepEqual(await send({ ...buy, id: 'a' }), ok)
  assert.equal((await user.call('PATCH', `/keys/${id}`, { scopes: ['read'] })).status, 200)
  assert.deepEqual(await send({ ...buy, id: 'b' }), refused)
  const again = { scopes: ['read', 'trade'], password: user.password }
  assert.equal((await user.call('PATCH', `/keys/${id}`, again)).status, 200)
  // The key's own list is of its programs.
  assert.equal((await user.call('PATCH', `/keys/${id}`, { ips: ['192.0.2.1'] })).status, 200)
  assert.deepEqual(await send({ ...buy, id: 'c' }), ok)
  const { pool } = world.desk.exchange.store
  await pool.query('update api_keys set expires_at = 1 where id = $1', [id])
  assert.deepEqual(await send({ ...buy, id: 'd' }), refused)
  assert.deepEqual(
    (await log()).map(({ end }) => end),
    ['SIGNAL_KEY', 'placed', 'SIGNAL_KEY', 'placed'],
  )
  const bound = await world.signalled(user, { ips: ['192.0.2.0/24'] })
  assert.deepEqual(await bound.send(buy), refused)
  assert.equal((await bound.log())[0]?.end, 'SIGNAL_SENDER')
})

test('SIGNAL-RIGHTS-002: only the owner makes an address, with the password and for a key that may trade; nobody else sees or changes it', async () => {
  const { id, user } = await world.trader()
  const bob = await world.desk.exchange.user()
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['POST', '', { terms, password: bob.password }],
    ['PATCH', '', { isOn: false }],
    ['POST', '/try', { terms, text: '{}' }],
  ] as const)
    assert.equal((await bob.call(method, `/keys/${id}/signal${path}`, body)).body.code, 'NOT_FOUND', method + path)
  assert.equal((await user.call('POST', `/keys/${id}/signal`, { terms, password: 'not this one' })).body.code, 'CREDENTIALS_WRONG')
  for (const change of [{ isOn: true }, { terms }])
    assert.equal((await user.call('PATCH', `/keys/${id}/signal`, change)).body.code, 'FIELD_MISSING')
  for (const wrong of [
    ...[{ symbols: [] }, { symbols: ['NONE'] }, { maxQuote: '0' }, { maxQuote: '1000001' }, { perMinute: 61 }, { perDay: 0 }],
    ...[{ ips: ['everywhere'] }, { maxAgeSeconds: 0 }, { template: { symbol: '__proto__ x', action: 'a', buy: [], sell: [], close: [] } }],
  ]) {
    const answer = await user.call('POST', `/keys/${id}/signal`, { terms: { ...terms, ...wrong }, password: user.password })
    assert.equal(answer.status, 400, JSON.stringify(wrong))
  }
  const made = await user.call('POST', '/keys', { label: 'reader', scopes: ['read'], ips: [], password: user.password })
  const refusal = await user.call('POST', `/keys/${made.body.key.id}/signal`, { terms, password: user.password })
  assert.equal(refusal.body.code, 'SIGNAL_KEY')
})

test('SIGNAL-LIMIT-001: no order is larger than the limit at the prices of the moment: by quantity, by amount, or with a limit price far away', async () => {
  const { send, program, log } = await world.trader({ maxQuote: '30' })
  for (const [alert, answer] of [
    [{ ...buy, quantity: '0.0101' }, refused],
    [{ ...buy, quantity: '0.01' }, ok],
    [{ symbol: 'ETHUSDT', side: 'buy', quote: '30.01' }, refused],
    [{ symbol: 'BTCUSDT', side: 'sell', quantity: '0.001' }, refused],
    [{ symbol: 'BTCUSDT', side: 'sell', quantity: '0.0011', type: 'limit', price: '27000' }, refused],
    [{ symbol: 'ETHUSDT', side: 'buy', quantity: '0.1', type: 'limit', price: '299' }, refused],
    [{ symbol: 'ETHUSDT', side: 'buy', quantity: '0.01', type: 'limit', price: '3001' }, refused],
    [{ symbol: 'ETHUSDT.P', side: 'buy', quantity: '0.011' }, refused],
    [{ symbol: 'ETHUSDT.P', side: 'buy', quantity: '999999999999999' }, refused],
    [{ symbol: 'ETHUSDT.P', side: 'sell', quote: '29.99' }, ok],
  ] as const)
    assert.deepEqual(await send(alert), answer, JSON.stringify(alert))
  const ends = (await log()).map(({ end }) => end)
  assert.deepEqual(
    ends.filter((end) => end !== 'placed'),
    ['QUANTITY_TOO_LARGE', ...Array.from({ length: 7 }, () => 'SIGNAL_SIZE')],
  )
  const [future] = await program.done('GET', '/fapi/v1/allOrders', { symbol: 'ETHUSDT' })
  assert.ok(Number(future.origQty) * 3_000 <= 30)
})

test('SIGNAL-LIMIT-001: a sale for an amount sells no more than that is worth at the highest price, however low the bids are', async () => {
  const { send, program } = await world.trader({ maxQuote: '10000' })
  assert.deepEqual(await send({ symbol: 'BTCUSDT', side: 'sell', quote: '10000' }), ok)
  const [sale] = await program.done('GET', '/api/v3/allOrders', { symbol: 'BTCUSDT' })
  // At the bid of 59,990, 10,000 USDT would be 0.16669.
  assert.deepEqual([sale.status, sale.executedQty], ['FILLED', '0.16666'])
})

test('SIGNAL-LIMIT-002: a market outside the list is refused, also when the alert names its exchange', async () => {
  const { send, log } = await world.trader({ symbols: ['ETHUSDT'] })
  for (const symbol of ['BTCUSDT', 'CANDOR:BTCUSDT', 'ETHUSDT.P', 'ETHUSDTPERP', 'NONE'])
    assert.deepEqual(await send({ symbol, side: 'buy', quantity: '0.001' }), refused, symbol)
  assert.deepEqual(await send({ ...buy, symbol: 'candor:ethusdt' }), ok)
  assert.deepEqual(new Set((await log()).map(({ end }) => end)), new Set(['placed', 'SIGNAL_SYMBOL']))
})

test('SIGNAL-LIMIT-003: calls at the same moment never exceed the orders of a minute or of a UTC day', async () => {
  for (const limits of [{ perDay: 3 }, { perMinute: 3 }]) {
    const { send, program } = await world.trader(limits)
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => send({ ...buy, id: `race-${n}` })))
    const orders = (await program.done('GET', '/api/v3/allOrders', { symbol: 'ETHUSDT' })).length
    assert.equal(answers.filter(({ status }) => status === 200).length, orders)
    // A minute may end between two of them.
    assert.ok(orders >= 3 && orders <= ('perDay' in limits ? 3 : 6), `${orders}`)
  }
})

test('SIGNAL-LIMIT-004: an alert whose time is older than the limit, or more than a minute ahead, is refused', async () => {
  const { send, log } = await world.trader({ maxAgeSeconds: 30 })
  const now = Date.now()
  for (const time of [now - 31_000, now + 90_000, 1_000_000_000, new Date(now - 40_000).toISOString(), '2024-05-01T00:00:00Z'])
    assert.deepEqual(await send({ ...buy, time }), refused, String(time))
  assert.deepEqual(await send({ ...buy, time: 'yesterday' }), told('FIELD_INVALID'))
  assert.deepEqual(await send({ ...buy, time: now }), ok)
  assert.equal((await log()).filter(({ end }) => end === 'SIGNAL_LATE').length, 5)
})

test('SIGNAL-LIMIT-005: of a flood, 120 calls per minute are looked at and logged, and the log of a key has no more than 1,000 calls', async () => {
  const { send, id } = await world.trader({ perMinute: 1 })
  const sent = await Promise.all(Array.from({ length: 200 }, (_, n) => send({ ...buy, id: `flood-${n}` })))
  assert.ok(sent.filter(({ status }) => status === 200).length <= 2)
  const { pool } = world.desk.exchange.store
  const count = async (key: string): Promise<number> => {
    const { rows } = await pool.query('select c.id from key_signal_calls c join api_keys k on k.number = c.key where k.id = $1', [key])
    return rows.length
  }
  // A minute may end between two of them.
  const logged = await count(id)
  assert.ok(logged >= 61 && logged < 200, `${logged}`)

  const old = await world.trader()
  await pool.query(
    `insert into key_signal_calls (key, at, ip, text, result)
     select number, 0, 'x', 'old', 'SIGNAL_LIMIT' from api_keys, generate_series(1, 1200) where id = $1`,
    [old.id],
  )
  assert.deepEqual(await old.send(buy), ok)
  assert.equal(await count(old.id), 1_000)
  const page = await old.log()
  assert.deepEqual([page.length, page[0]?.end], [50, 'placed'])
  const { body } = await old.user.call('GET', `/keys/${old.id}/signal?before=${page.at(-1)?.id}`)
  assert.equal(body.calls.length, 50)
  assert.ok(Number(body.calls[0].id) < Number(page.at(-1)?.id))
})

test('SIGNAL-LIMIT-008: calls of one account that wait for a row keep no connection to the database from others', async () => {
  const { send, id } = await world.trader()
  const bob = await world.desk.exchange.user()
  const { pool } = world.desk.exchange.store
  const holder = await pool.connect()
  const calls: Promise<unknown>[] = []
  try {
    await holder.query('begin')
    await holder.query('select from key_signals where key = (select number from api_keys where id = $1) for update', [id])
    for (let n = 0; n < 20; n++) calls.push(send({ ...buy, id: `wait-${n}` }))
    while ((await waiting()) === 0);
    for (let n = 0; n < 5; n++) assert.equal((await bob.call('GET', '/keys')).status, 200)
    assert.equal(await waiting(), 1)
  } finally {
    await holder.query('commit')
    holder.release()
  }
  assert.deepEqual(
    await Promise.all(calls),
    Array.from({ length: 20 }, () => ok),
  )
})

test('SIGNAL-RIGHTS-004: alerts that come meanwhile can’t keep the owner from switching the address off or deleting the key', async () => {
  const { pool } = world.desk.exchange.store
  for (const statement of [
    'update key_signals set is_on = false where key = (select number from api_keys where id = $1)',
    'delete from key_signals where key = (select number from api_keys where id = $1)',
  ]) {
    const { send, id } = await world.trader()
    const owner = await pool.connect()
    try {
      // As each change of a key or its address begins.
      await owner.query('begin')
      await owner.query('select from api_keys where id = $1 for update', [id])
      const calls = Promise.all([send({ ...buy, id: 'a' }), send({ ...buy, id: 'b' })])
      while ((await waiting()) === 0);
      await owner.query(`set local lock_timeout = '200ms'`)
      await owner.query(statement, [id])
      await owner.query('commit')
      assert.deepEqual(await calls, [unknown, unknown])
    } finally {
      await owner.query('rollback')
      owner.release()
    }
  }
})

test('SIGNAL-LIMIT-009: terms that were narrowed while an alert was on its way hold for it', async () => {
  for (const [change, status, end] of [
    [{ terms: { ...terms, maxQuote: '10' } }, 422, 'SIGNAL_SIZE'],
    [{ terms: { ...terms, ips: ['192.0.2.1'] } }, 422, 'SIGNAL_SENDER'],
    [{ terms: { ...terms, perMinute: 59 } }, 200, 'placed'],
    [{ isOn: false }, 404, undefined],
  ] as const) {
    const trader = await world.trader()
    const { program, log } = trader
    const text = JSON.stringify(buy)
    const headers = { 'content-type': 'text/plain', 'content-length': text.length }
    const slow = request(world.url + trader.path, { method: 'POST', headers })
    const answered = new Promise<number | undefined>((resolve, reject) => {
      slow.on('response', (response) => resolve(response.resume().statusCode))
      slow.on('error', reject)
    })
    slow.write(text.slice(0, 5))
    // The address has been found by then.
    await sleep(200)
    await trader.change(change)
    slow.end(text.slice(5))
    assert.equal(await answered, status)
    assert.deepEqual(
      (await log()).map((call) => call.end),
      end === undefined ? [] : [end],
    )
    assert.equal((await program.done('GET', '/api/v3/allOrders', { symbol: 'ETHUSDT' })).length, status === 200 ? 1 : 0)
  }
})
