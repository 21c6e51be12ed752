import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeDays, short, uid } from './made-day.ts'

const madeDay = madeDays()
const second = 1_000
const minute = 60 * second

test('CONSOLE-SURVEIL-003: a scripted spoof is flagged, layered or not, and ordinary cancels and a two-sided maker are not', async () => {
  const made = await madeDay()
  await made.accounts([1, 2, 3, 4, 5, 9])
  for (let at = 0; at < 60; at++) await made.orders({ user: 9, side: 'buy', at: at * minute, life: minute, executed: 1 })
  for (let move = 0; move < 4; move++) {
    const at = move * 10 * minute
    // 1 shows one large bid while its small offer fills; 2 shows bids on three levels.
    await made.orders({ user: 1, side: 'buy', at, life: 4 * second, quantity: 50 })
    for (const price of [99, 98, 97]) await made.orders({ user: 2, side: 'buy', at, life: 5 * second, quantity: 30, price })
    // 3 cancels large orders after minutes, and 4 quickly, but nothing of the other side fills.
    await made.orders(
      { user: 3, side: 'buy', at, life: 5 * minute, quantity: 50 },
      { user: 4, side: 'buy', at, life: 3 * second, quantity: 50 },
    )
    // 5 quotes both sides alike: when a part of its offer fills, it cancels its bid to follow the price.
    const [bid, offer] = await made.orders(
      { user: 5, side: 'buy', at, life: 4 * second, quantity: 50 },
      { user: 5, side: 'sell', at, life: 4 * second, quantity: 50, executed: 1, status: 'cancelled' },
    )
    assert.ok(bid! < offer!)
    for (const user of [1, 2, 3, 5]) {
      const [sold] = user === 5 ? [offer!] : await made.orders({ user, side: 'sell', at: at + second, life: second, executed: 1 })
      await made.trades({ buyer: 9, seller: user, minute: at / minute + 2 / 60, orders: [sold!, 1] })
    }
  }
  const found = await made.findings()
  assert.deepEqual(found.map(short).toSorted(), [`layering ${uid(2)} BTCUSDT`, `spoofing ${uid(1)} BTCUSDT`])
  const spoof = found.find(({ kind }) => kind === 'spoofing')!
  assert.match(spoof.text, /^4 times, 100000001 placed large orders of BTCUSDT on one side, had orders of the other side filled meanwhile/)
  assert.deepEqual(spoof.measures[0], { name: 'Moves', seen: '4', limit: 'at least 3' })
  assert.equal(spoof.orders.length, 8)
  assert.match(found.find(({ kind }) => kind === 'layering')!.text, /on up to 3 price levels/)
})

test('CONSOLE-SURVEIL-006: a spoof that two linked accounts share is one finding about both, and none if nothing links them', async () => {
  const made = await madeDay()
  await made.accounts([1, 2, 3, 4, 5, 6, 9])
  await made.login(1, 'one browser')
  await made.login(2, 'one browser')
  await made.login(5, 'another browser')
  await made.login(6, 'another browser')
  for (let at = 0; at < 60; at++) await made.orders({ user: 9, side: 'buy', at: at * minute, life: minute, executed: 1 })
  const sell = async (user: number, at: number): Promise<void> => {
    const [sold] = await made.orders({ user, side: 'sell', at, life: second, executed: 1 })
    await made.trades({ buyer: 9, seller: user, minute: (at + second) / minute, orders: [sold!, 1] })
  }
  for (let move = 0; move < 4; move++) {
    const at = move * 10 * minute
    // 1 shows large bids while 2 sells, and 3 while 4 does, whom nothing links. 5 and 6 change places, twice each.
    await made.orders(
      { user: 1, side: 'buy', at, life: 4 * second, quantity: 50 },
      { user: 3, side: 'buy', at, life: 4 * second, quantity: 50 },
    )
    const [shows, sells] = move % 2 === 0 ? [5, 6] : [6, 5]
    await made.orders({ user: shows, side: 'buy', at, life: 4 * second, quantity: 50 })
    for (const user of [2, 4, sells]) await sell(user, at + second)
  }
  const found = (await made.findings()).filter(({ kind }) => kind !== 'linked')
  assert.deepEqual(found.map(short).toSorted(), [`spoofing ${uid(1)} ${uid(2)} BTCUSDT`, `spoofing ${uid(5)} ${uid(6)} BTCUSDT`])
  const shared = found.find(({ parties }) => parties[0]!.uid === uid(1))!
  assert.match(shared.text, /^4 times, 100000001 and 100000002, which may belong to one person, together placed large orders of BTCUSDT/)
  assert.match(shared.text, / 100000001 and 100000002: logged in with the same browser, 2 logins\.$/)
  assert.ok(shared.measures.some(({ name, seen }) => name === 'Accounts' && seen === '2'))
})

test('CONSOLE-SURVEIL-006: an account that spoofs alone is a finding of its own, also when it is linked to another', async () => {
  const made = await madeDay()
  await made.accounts([1, 2, 9])
  await made.login(1, 'one browser')
  await made.login(2, 'one browser')
  for (let at = 0; at < 60; at++) await made.orders({ user: 9, side: 'buy', at: at * minute, life: minute, executed: 1 })
  for (let move = 0; move < 3; move++) {
    const at = move * 10 * minute
    await made.orders({ user: 1, side: 'buy', at, life: 4 * second, quantity: 50 })
    const [sold] = await made.orders({ user: 1, side: 'sell', at: at + second, life: second, executed: 1 })
    await made.trades({ buyer: 9, seller: 1, minute: at / minute + 2 / 60, orders: [sold!, 1] })
    // Large sales of 2 beside the move make it no smaller.
    const [large] = await made.orders({ user: 2, side: 'sell', at: at + second, life: second, quantity: 40, executed: 40 })
    await made.trades({ buyer: 9, seller: 2, minute: at / minute + 2 / 60, quantity: 40, orders: [large!, 1] })
  }
  const found = (await made.findings()).filter(({ kind }) => kind !== 'linked')
  assert.deepEqual(found.map(short), [`spoofing ${uid(1)} BTCUSDT`])
})

test('CONSOLE-SURVEIL-004: an account that cancels nearly all of many orders is flagged, and the report counts prevented self-trades', async () => {
  const made = await madeDay()
  await made.accounts([1, 2])
  await made.run(
    `insert into orders (id, user_id, client_id, market, side, type, time_in_force, status, price, quantity, executed, executed_quote, post_only, placed_at_ms, updated_at_ms, prevented)
     select n, 1 + n % 2, '', 'BTCUSDT', 'buy', 'limit', 'GTC', 'cancelled', 100, 1, case when n % 2 = 1 and n % 20 = 1 then 1 else 0 end, 0, false,
       $1::bigint + n * 1000, $1::bigint + n * 1000 + 60000, case when n <= 3 then 1 end
     from generate_series(1, 1200) n`,
    Date.UTC(2026, 0, 15),
  )
  const found = await made.findings()
  assert.deepEqual(found.map(short), [`cancels ${uid(1)} BTCUSDT`])
  assert.match(found[0]!.text, /placed 600 orders of BTCUSDT and cancelled 600 of them without any fill, 100%\./)
  const [report] = await made.desk.days()
  assert.deepEqual(report!.examined, { trades: 0, orders: 1200, contracts: 0, accounts: 0, prevented: 3, atLimit: [] })
})

test('CONSOLE-SURVEIL-003: neither a fill of one lot, nor many more large orders, hides a spoof', async () => {
  const made = await madeDay()
  await made.accounts([1, 2, 9])
  for (let at = 0; at < 20; at++) await made.orders({ user: 9, side: 'buy', at: at * minute, life: minute, executed: 1 })
  // 5,500 large bids by each of 1 and 2, of which nothing fills and beside which nothing else does.
  await made.run(
    `insert into orders (id, user_id, client_id, market, side, type, time_in_force, status, price, quantity, executed, executed_quote, post_only, placed_at_ms, updated_at_ms)
     select 1000 + n, 1 + n % 2, '', 'BTCUSDT', 'buy', 'limit', 'GTC', 'cancelled', 90, 50, 0, 0, false, $1::bigint + n * 100, $1::bigint + n * 100 + 1000
     from generate_series(1, 11000) n`,
    Date.UTC(2026, 0, 15),
  )
  for (let move = 0; move < 3; move++) {
    const at = (60 + move * 10) * minute
    await made.orders({ user: 1, side: 'buy', at, life: 4 * second, quantity: 50, executed: 1, status: 'cancelled' })
    const [sold] = await made.orders({ user: 1, side: 'sell', at: at + second, life: second, executed: 1 })
    await made.trades({ buyer: 9, seller: 1, minute: at / minute + 2 / 60, orders: [sold!, 1] })
  }
  const found = await made.findings()
  assert.ok(found.map(short).includes(`spoofing ${uid(1)} BTCUSDT`))
  assert.ok(!found.map(short).includes(`spoofing ${uid(2)} BTCUSDT`))
})
