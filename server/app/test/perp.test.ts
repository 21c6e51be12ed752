import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { awayFromMidnight } from '../../main/test/midnight.ts'
import { profit, transferPreview } from '../funds/schema.ts'
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
