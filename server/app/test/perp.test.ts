import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { awayFromMidnight } from '../../main/test/midnight.ts'
import { profit, transferPreview } from '../funds/schema.ts'
import { algo } from '../algo/schema.ts'
import { mark, perpAccount } from '../perp/schema.ts'

const symbol = 'ETHUSDTPERP'
let exchange: TestExchange
let alice: TestUser
let bob: TestUser

before(async () => {
  // Profits and practice funds count by UTC day.
  await awayFromMidnight()
  exchange = await startExchange({ hasFeeds: false })
  const prices = [1, 2].map((market) => ({ market, price: market === 1 ? 6e12 : 3e11, sources: 4, isGood: true }))
  await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
  ;[alice, bob] = [await trader(), await trader()]
})
after(() => exchange[Symbol.asyncDispose]())

async function trader(): Promise<TestUser> {
  const user = await exchange.user({ funds: { USDT: '10000' }, isCertified: true, class: 'bench' })
  await ok(user, 'POST', '/transfer', { clientId: 'in', asset: 'USDT', from: 'spot', to: 'perp', amount: '5000' })
  await ok(user, 'POST', '/perp/margin-mode', { symbol, mode: 'cross' })
  await ok(user, 'POST', '/perp/leverage', { symbol, leverage: 5 })
  return user
}

async function ok(user: TestUser, method: string, path: string, body?: object): Promise<any> {
  const answer = await user.call(method, path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

const order = (clientId: string, more: object) => ({ clientId, symbol, type: 'limit', price: '3000', quantity: '1', ...more })

test('PERP-API-001: everybody sees mark, index and funding of each Futures market that has a price', async () => {
  const { body } = await request(exchange.url, 'GET', '/perp/prices')
  assert.deepEqual(
    body.marks.map((one: any) => [one.symbol, one.mark, one.index, one.fundingRate, one.isIndexGood, one.phase]),
    [
      ['BTCUSDTPERP', '60000.0', '60000', '0.0100', true, 'open'],
      ['ETHUSDTPERP', '3000.00', '3000', '0.0100', true, 'open'],
    ],
  )
  for (const one of body.marks) mark.parse(one)
  const ticker = (await request(exchange.url, 'GET', '/tickers')).body.tickers.find((one: any) => one.symbol === symbol)
  assert.deepEqual([ticker.price, ticker.index, ticker.volume], ['3000.00', '3000', '0'], 'before its first trade the index is its price')
})

test('PERP-API-002: orders, positions and settings of Futures have routes of their own, which refuse spot markets, and the other way round', async () => {
  await ok(alice, 'POST', '/perp/orders', order('a1', { side: 'sell' }))
  const { order: placed, fills } = await ok(bob, 'POST', '/perp/orders', order('b1', { side: 'buy' }))
  assert.deepEqual([placed.status, fills.length, fills[0].feeAsset], ['filled', 1, 'USDT'])
  assert.equal((await ok(bob, 'POST', '/perp/orders', order('b1', { side: 'buy' }))).isRepeat, true)
  const account = perpAccount.parse(await ok(bob, 'GET', '/perp/account'))
  assert.deepEqual(
    account.positions.map(({ side, quantity, mode, leverage, value }) => [side, quantity, mode, leverage, value]),
    [['buy', '1.0000', 'cross', 5, '3000']],
  )
  const resting = await ok(bob, 'POST', '/perp/orders', order('b2', { side: 'sell', price: '3100', reduceOnly: true }))
  assert.deepEqual([resting.order.perp.reduceOnly, resting.order.status], [true, 'open'])
  const changed = await ok(bob, 'PATCH', `/perp/orders/${resting.order.id}`, { clientId: 'b3', symbol, price: '3200' })
  assert.equal(changed.order.price, '3200.00')
  assert.deepEqual((await ok(bob, 'GET', '/spot/orders/open')).orders, [])
  assert.equal((await ok(bob, 'GET', '/perp/orders/open')).orders.length, 1)
  assert.deepEqual(await ok(bob, 'DELETE', '/spot/orders'), { cancelled: 0 })
  assert.deepEqual(await ok(bob, 'DELETE', '/perp/orders'), { cancelled: 1 })
  const refused = async (method: string, path: string, body?: object) => (await bob.call(method, path, body)).body.code
  assert.equal(await refused('POST', '/spot/orders', order('x1', { side: 'buy' })), 'MARKET_UNKNOWN')
  assert.equal(await refused('POST', '/perp/orders', order('x2', { side: 'buy', symbol: 'ETHUSDT' })), 'MARKET_UNKNOWN')
  assert.equal(await refused('POST', '/perp/orders', { ...order('x3', { side: 'sell', closing: true }) }), 'ORDER_TYPE_INVALID')
  assert.equal(await refused('POST', '/perp/hedge-mode', { hedge: true }), 'POSITION_OPEN')
  assert.equal(await refused('POST', '/perp/margin', { clientId: 'x4', symbol, amount: '5' }), 'MARGIN_NOT_ISOLATED')
  assert.equal(await refused('GET', '/perp/liquidations/99999'), 'POSITION_UNKNOWN')
})

test('PERP-API-003: an order carries its take profit and stop loss, and its fill gives them to the position', async () => {
  const carol = await trader()
  const dave = await trader()
  const exits = { takeProfit: { price: '3300', by: 'last' }, stopLoss: { price: '2800', by: 'mark' } }
  const { order: resting } = await ok(carol, 'POST', '/perp/orders', order('c1', { side: 'buy', price: '2990', exits }))
  assert.deepEqual(resting.perp.exits, { takeProfit: { price: '3300.00', by: 'last' }, stopLoss: { price: '2800.00', by: 'mark' } })
  assert.deepEqual((await ok(carol, 'GET', '/perp/orders/open')).orders.length, 1)
  await ok(dave, 'POST', '/perp/orders', order('d1', { side: 'sell', price: '2990', quantity: '0.4' }))
  const { orders } = await ok(carol, 'GET', '/perp/orders/open')
  const closing = orders.filter((one: any) => one.perp.closing)
  assert.deepEqual(
    closing.map((one: any) => [one.trigger.price, one.trigger.direction, one.perp.triggerBy, one.listId === resting.id, one.side]).sort(),
    [
      ['2800.00', 'falls-to', 'mark', true, 'sell'],
      ['3300.00', 'rises-to', 'last', true, 'sell'],
    ],
  )
  assert.deepEqual((await ok(carol, 'GET', `/perp/orders/${resting.id}`)).order.perp.exits, resting.perp.exits)
  const refused = async (body: object) => (await carol.call('POST', '/perp/orders', order('c2', body))).body
  assert.equal((await refused({ side: 'buy', exits: { ...exits, stopLoss: { price: '3000', by: 'last' } } })).code, 'TRIGGER_IMMEDIATE')
  assert.equal((await refused({ side: 'buy', exits: {} })).field, 'exits.takeProfit')
  const none = await refused({ side: 'buy', exits: { takeProfit: { price: '3300.001', by: 'last' } } })
  assert.deepEqual([none.code, none.field], ['TOO_MANY_DIGITS', 'exits.takeProfit.price'])
})

test('PERP-API-005: a change with a trigger price moves an exit that sleeps, in the answer and in the lists', async () => {
  const [erin, frank] = [await trader(), await trader()]
  await ok(frank, 'POST', '/perp/orders', order('f1', { side: 'sell', price: '3010', quantity: '0.4' }))
  await ok(erin, 'POST', '/perp/orders', order('e1', { side: 'buy', price: '3010', quantity: '0.4' }))
  const part = { side: 'sell', price: '3290', quantity: '0.1', reduceOnly: true, triggerBy: 'mark' }
  const trigger = { kind: 'stop', price: '3300', direction: 'rises-to' }
  const { order: exit } = await ok(erin, 'POST', '/perp/orders', order('e2', { ...part, trigger }))
  assert.deepEqual([exit.status, exit.trigger.price, exit.quantity], ['pending', '3300.00', '0.1000'])
  const path = `/perp/orders/${exit.id}`
  const change = { clientId: 'e3', symbol, triggerPrice: '3250', price: '3240', quantity: '0.2' }
  const { order: moved, isRepeat } = await ok(erin, 'PATCH', path, change)
  assert.deepEqual([moved.trigger, moved.price, moved.quantity, isRepeat], [{ ...trigger, price: '3250.00' }, '3240.00', '0.2000', false])
  assert.equal((await ok(erin, 'PATCH', path, change)).isRepeat, true)
  const listed = (await ok(erin, 'GET', '/perp/orders/open')).orders.find(({ id }: { id: string }) => id === exit.id)
  assert.deepEqual([listed.trigger, listed.status], [moved.trigger, 'pending'])
  let tries = 0
  const refused = async (more: object) => (await erin.call('PATCH', path, { clientId: `e4-${tries++}`, symbol, ...more })).body.code
  assert.equal(await refused({ triggerPrice: '2900' }), 'TRIGGER_IMMEDIATE')
  assert.equal(await refused({ quantity: '0.3' }), 'ORDER_NOT_AMENDABLE')
  assert.equal(await refused({}), 'FIELD_MISSING')
  assert.deepEqual((await frank.call('PATCH', path, change)).body.code, 'ORDER_UNKNOWN')
  await ok(erin, 'DELETE', `${path}?symbol=${symbol}`)
  const ended = (await ok(erin, 'GET', path)).order
  assert.deepEqual([ended.trigger, ended.closeReason], [moved.trigger, 'cancelled'])
})

test('PERP-API-004: candles of a Futures market are those of its trades, its mark or its index', async () => {
  const get = async (query: string) => request(exchange.url, 'GET', `/markets/${symbol}/candles?interval=1m&${query}`)
  const [index] = (await get('price=index')).body.candles
  assert.deepEqual(index.slice(1, 8).map(Number), [3000, 3000, 3000, 3000, 0, 0, 0])
  assert.equal((await get('price=mark')).body.candles.length, 1)
  assert.ok((await get('')).body.candles.length > 0)
  assert.equal((await request(exchange.url, 'GET', '/markets/ETHUSDT/candles?interval=1m&price=mark')).body.code, 'MARKET_UNKNOWN')
  assert.equal((await request(exchange.url, 'GET', `/markets/${symbol}/candles?interval=1s&price=mark`)).body.field, 'interval')
})

test('FUNDS-PREVIEW-001: the preview of a transfer shows the most that may leave and the liquidation prices before and after, and the transfer does exactly that', async () => {
  const query = 'from=perp&to=spot&asset=USDT&amount=2000'
  const preview = transferPreview.parse(await ok(bob, 'GET', `/transfer/preview?${query}`))
  const [before, after] = [preview.before, preview.after].map(
    ({ liquidations }) => liquidations.find((one) => one.symbol === symbol)?.price,
  )
  const shown = async () => (await ok(bob, 'GET', '/perp/account')).positions[0].liquidationPrice
  assert.equal(before ?? null, await shown())
  assert.ok(Number(after ?? 0) > Number(before ?? 0))
  const account = await ok(bob, 'GET', '/perp/account')
  assert.deepEqual([preview.available, preview.max], [account.available, account.transferable])
  await ok(bob, 'POST', '/transfer', { clientId: 'out', asset: 'USDT', from: 'perp', to: 'spot', amount: '2000' })
  assert.equal(await shown(), after)
  const refused = async (path: string) => (await bob.call('GET', path)).body
  assert.equal((await refused('/transfer/preview?from=spot&to=spot&asset=USDT&amount=1')).code, 'ACCOUNT_SAME')
  const isolated = await refused('/transfer/preview?from=spot&to=margin-isolated&asset=USDT&amount=1')
  assert.deepEqual([isolated.code, isolated.field], ['FIELD_MISSING', 'symbol'])
  const too = await bob.call('POST', '/transfer', { clientId: 't2', asset: 'USDT', from: 'perp', to: 'spot', amount: '4000' })
  assert.equal(too.body.code, 'INSUFFICIENT_BALANCE')
})

test('FUNDS-PROFIT-004: balances count every account with open profit, and profits by day end with today', async () => {
  await exchange.link.submit(commandOf({ type: 'index.tick', prices: [{ market: 2, price: 3.1e11, sources: 4, isGood: true }] }))
  const balances = await ok(bob, 'GET', '/balances')
  const perp = balances.accounts.find((one: any) => one.kind === 'perp')
  assert.equal(perp.unrealisedUsdt, '100')
  // 10,000 came from outside: more than that is profit, less is fees.
  assert.equal(balances.todayProfitUsdt, String(Number(balances.totalUsdt) - 10_000))
  const { days } = profit.parse(await ok(bob, 'GET', '/profit?days=7'))
  assert.equal(days.length, 7)
  const today = days.at(-1)
  assert.deepEqual(
    [today?.day, today?.totalUsdt, today?.profitUsdt],
    [new Date().toISOString().slice(0, 10), balances.totalUsdt, balances.todayProfitUsdt],
  )
  assert.ok(days.slice(0, -1).every(({ totalUsdt, profitUsdt }) => totalUsdt === '0' && profitUsdt === '0'))
  for (const query of ['', '?days=0', '?days=366', '?days=x']) assert.equal((await bob.call('GET', `/profit${query}`)).status, 400, query)
})

test('ALGO-API-001: TWAP and scaled orders are placed, listed, ended and kept with what they executed, and their orders name them', async () => {
  const [carol, dave] = [await trader(), await trader()]
  await ok(carol, 'POST', '/perp/orders', { ...order('c1', { side: 'sell' }), quantity: '3', price: '3010' })
  const twap = { symbol, side: 'buy', quantity: '1', parts: 10, plan: { kind: 'twap', seconds: 300, worst: '3015' } }
  const placed = algo.parse(await ok(dave, 'POST', '/algo/orders', { clientId: 'd1', ...twap }))
  assert.deepEqual(
    [placed.kind, placed.quantity, placed.parts, placed.every, placed.partsLeft, placed.worst, placed.reduceOnly],
    ['twap', '1.0000', 10, 30, 9, '3015.00', false],
  )
  assert.deepEqual([placed.executed, placed.executedQuote, placed.average, placed.missed], ['0.1', '301', '3010', 0])
  assert.ok(placed.nextAt! - placed.placedAt === 30_000 && placed.end === undefined)
  assert.equal((await ok(dave, 'POST', '/algo/orders', { clientId: 'd1', ...twap })).id, placed.id, 'a repeat')
  const part = (await ok(dave, 'GET', '/perp/orders/history')).items[0]
  assert.deepEqual([part.algoId, part.executed, part.clientId], [placed.id, '0.1000', ''])

  const plan = { kind: 'scaled', from: '2901', to: '2994', shape: 'rising' }
  const ladder = algo.parse(await ok(dave, 'POST', '/algo/orders', { clientId: 'd2', symbol, side: 'buy', quantity: '1', parts: 4, plan }))
  assert.deepEqual([ladder.from, ladder.to, ladder.shape, ladder.partsLeft], ['2901.00', '2994.00', 'rising', 0])
  const open = (await ok(dave, 'GET', '/perp/orders/open')).orders
  assert.deepEqual(
    open.map(({ price, quantity, algoId }: any) => [price, quantity, algoId]),
    [
      ['2994.00', '0.4000', ladder.id],
      ['2963.00', '0.3000', ladder.id],
      ['2932.00', '0.2000', ladder.id],
      ['2901.00', '0.1000', ladder.id],
    ],
  )
  assert.deepEqual(
    (await ok(dave, 'GET', '/algo/orders')).orders.map(({ id }: any) => id),
    [ladder.id, placed.id],
  )
  await ok(carol, 'POST', '/perp/orders', { ...order('c2', { side: 'sell' }), quantity: '0.4', price: '2994' })
  const ended = algo.parse(await ok(dave, 'DELETE', `/algo/orders/${ladder.id}`))
  assert.deepEqual([ended.end, ended.executed, ended.executedQuote, ended.average], ['cancelled', '0.4', '1197.6', '2994'])
  assert.deepEqual((await ok(dave, 'GET', '/perp/orders/open')).orders, [])
  assert.equal((await ok(dave, 'DELETE', `/algo/orders/${placed.id}`)).end, 'cancelled')
  assert.deepEqual((await ok(dave, 'GET', '/algo/orders')).orders, [])
  const { items, next } = await ok(dave, 'GET', '/algo/orders/history?limit=1')
  assert.deepEqual([items[0].id, (await ok(dave, 'GET', `/algo/orders/history?before=${next}`)).items.length], [ladder.id, 1])

  const refused = async (user: TestUser, method: string, path: string, body?: object) => (await user.call(method, path, body)).body
  assert.equal((await refused(dave, 'DELETE', `/algo/orders/${placed.id}`)).code, 'ALGO_UNKNOWN')
  assert.equal((await refused(carol, 'GET', `/algo/orders/${placed.id}`)).code, 'ALGO_UNKNOWN')
  let tries = 0
  const wrong = (more: object) => refused(dave, 'POST', '/algo/orders', { clientId: `wrong-${++tries}`, ...twap, ...more })
  assert.equal((await wrong({ parts: 31 })).code, 'ALGO_SCHEDULE_INVALID')
  assert.equal((await wrong({ plan: { ...plan, to: '3020' } })).code, 'ALGO_WOULD_TRADE')
  assert.deepEqual([(await wrong({ plan: { kind: 'twap', seconds: 300, worst: '3010.001' } })).code], ['TOO_MANY_DIGITS'])
  assert.equal((await wrong({ symbol: 'ETHUSDT', reduceOnly: true })).code, 'ORDER_TYPE_INVALID')
})
