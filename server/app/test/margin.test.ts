import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Ppm } from '@candor/core/money/brand.ts'
import { firstMarginTerms } from '@candor/core/risk/margin-terms.ts'
import type { WireMarginAccount } from '@candor/core/protocol/wire/margin.ts'
import { type RawData, WebSocket } from 'ws'
import { audit } from '../../journal/audit.ts'
import { request, startExchange, type TestExchange, type TestUser } from '../../main/test/exchange.ts'
import { claim, lendingPool, ratePoint } from '../lend/schema.ts'
import { loanRecord, marginAccount, marginLiquidation, marginTerms } from '../margin/schema.ts'

const hourMs = 3_600_000
const tenMinutes = 600_000

/** The exchange begins ten minutes after a full hour, and an hour passes when the test moves the clock. */
let shift = hourMs - (Date.now() % hourMs) + tenMinutes
const time = { wall: () => Date.now() + shift, steady: () => performance.now() + shift }

let exchange: TestExchange
before(async () => {
  exchange = await startExchange({ seed: 'margin', hasFeeds: false, time })
  await prices(60_000)
})
after(() => exchange[Symbol.asyncDispose]())

async function prices(btc: number): Promise<void> {
  const one = (market: number, price: number) => ({ market, price: price * 1e8, sources: 4, isGood: true })
  const { markets } = await exchange.link.ask.listing()
  const spot = markets.filter(({ perp, symbol }) => perp === undefined && symbol.endsWith('USDT'))
  await submit({ type: 'index.tick', prices: spot.map(({ id, symbol }) => one(id, symbol === 'BTCUSDT' ? btc : 100)) })
}

async function submit(command: object): Promise<void> {
  const { refusal } = await exchange.link.submit(command as Command)
  assert.equal(refusal, undefined)
}

async function trader(funds: Readonly<Record<string, string>>): Promise<TestUser> {
  return exchange.user({ funds, class: 'bench', isCertified: true })
}

/** Sends a request that must succeed. */
async function ok(user: TestUser, method: string, path: string, body?: unknown) {
  const answer = await user.call(method, path, body)
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function codeOf(user: TestUser, method: string, path: string, body?: unknown): Promise<string> {
  return (await user.call(method, path, body)).body.code
}

let ids = 0
const next = (): string => `c${++ids}`
const move = (user: TestUser, asset: string, amount: string, from: string, to: string, symbol?: string) =>
  ok(user, 'POST', '/transfer', { clientId: next(), asset, amount, from, to, ...(symbol === undefined ? {} : { symbol }) })

async function accountOf(user: TestUser, symbol?: string): Promise<WireMarginAccount> {
  const { accounts } = await ok(user, 'GET', `/margin/accounts${symbol === undefined ? '' : `?symbol=${symbol}`}`)
  for (const account of accounts) marginAccount.parse(account)
  return accounts.find((account: WireMarginAccount) => account.symbol === symbol)
}

async function spotOf(user: TestUser, asset: string): Promise<string> {
  const { accounts } = await ok(user, 'GET', '/balances')
  const spot = accounts.find(({ kind }: { kind: string }) => kind === 'spot')
  return spot.balances.find((balance: { asset: string }) => balance.asset === asset).available
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_400; tries++) {
    if (await isDone()) return
    await sleep(25)
  }
  throw new Error('what was waited for did not come')
}

/** Messages of the user's own stream from now on. */
async function listen(user: TestUser): Promise<{ readonly told: any[]; close(): void }> {
  const told: any[] = []
  const ws = new WebSocket(`${exchange.url.replace('http', 'ws')}/app/v1/stream`, { headers: { cookie: user.cookie } })
  let isSubscribed = false
  ws.on('message', (data: RawData) => {
    const message = JSON.parse(String(data))
    if (message.id === 1) isSubscribed = true
    else if (message.stream === 'user') told.push(message.data)
  })
  await new Promise((done, fail) => ws.once('open', done).once('error', fail))
  ws.send('{"method":"SUBSCRIBE","params":["user"],"id":1}')
  await until(async () => isSubscribed)
  return { told, close: () => ws.close() }
}

test('MARGIN-API-001: everybody sees terms and pools; a market shows whether it has Margin accounts', async () => {
  const { body: terms } = await request(exchange.url, 'GET', '/margin/terms')
  marginTerms.parse(terms)
  assert.deepEqual(terms.tiers[0], { loanMax: '100000', leverage: 10, liquidationLevel: '1.05' })
  assert.deepEqual([terms.isOpen, terms.crossCall, terms.rateZero, terms.reserve], [true, '1.16', '0.0005', '0.15'])
  const { body } = await request(exchange.url, 'GET', '/lend/pools')
  assert.equal(body.pools.length, 13)
  for (const pool of body.pools) {
    lendingPool.parse(pool)
    assert.ok(Number(pool.supplied) > 0, `there is ${pool.asset} to borrow on the first day`)
    assert.deepEqual([pool.borrowed, pool.utilization, pool.hourlyRate, pool.earnRate], ['0', '0', '0.0005', '0'])
  }
  const withMargin = async (): Promise<number> => {
    const { body: config } = await request(exchange.url, 'GET', '/config')
    return config.markets.filter(({ hasMargin }: { hasMargin: boolean }) => hasMargin).length
  }
  assert.equal(await withMargin(), 12)
  await submit({ type: 'margin.setTerms', terms: { ...firstMarginTerms(6, []), isOpen: false } })
  await until(async () => (await withMargin()) === 0)
  const user = await trader({ USDT: '10' })
  assert.equal(await codeOf(user, 'POST', '/lend/supply', { clientId: next(), asset: 'USDT', amount: '10' }), 'PRODUCT_CLOSED')
  await submit({ type: 'margin.setTerms', terms: firstMarginTerms(6, []) })
  await until(async () => (await withMargin()) === 12)
})

test('MARGIN-API-002: a loan from the transfer to the last repayment: borrowed, charged by the hour, queued, repaid and recorded', async () => {
  await submit({
    type: 'margin.setTerms',
    terms: { ...firstMarginTerms(6, []), weightPpm: 1_000_000 as Ppm, userSharePpm: 1_000_000 as Ppm },
  })
  const lender = await trader({ BTC: '2' })
  const borrower = await trader({ USDT: '5000000', BTC: '1' })
  const listened = await listen(borrower)

  const supply = { clientId: next(), asset: 'BTC', amount: '2' }
  const supplied = claim.parse(await ok(lender, 'POST', '/lend/supply', supply))
  const freshUntil = supplied.freshUntil ?? 0
  assert.ok(freshUntil % hourMs === 0 && freshUntil > 0)
  assert.deepEqual(supplied, { asset: 'BTC', claim: '2', earned: '0', queued: '0', liquid: '2', fresh: '2', freshUntil })
  assert.deepEqual(await ok(lender, 'POST', '/lend/supply', supply), supplied, 'a repeat lends nothing more')
  assert.deepEqual((await ok(lender, 'GET', '/lend/claims')).claims, [supplied])

  const into = '/transfer/preview?from=spot&to=margin-cross&asset=USDT&amount=5000000'
  assert.deepEqual((await ok(borrower, 'GET', into)).after, { level: null, liquidations: [] })
  await move(borrower, 'USDT', '5000000', 'spot', 'margin-cross')
  const loan = { clientId: next(), asset: 'BTC', amount: '15.2' }
  const lent = marginAccount.parse(await ok(borrower, 'POST', '/margin/borrow', loan))
  assert.deepEqual(await ok(borrower, 'POST', '/margin/borrow', loan), lent, 'a repeat borrows nothing more')
  const btc = lent.balances.find(({ asset }) => asset === 'BTC')!
  assert.deepEqual([lent.kind, lent.symbol, lent.state, btc.borrowed, btc.available], ['margin-cross', undefined, 'safe', '15.2', '15.2'])
  assert.ok(Number(btc.interest) > 0, 'the hour that has begun is charged')
  assert.equal(lent.level, '6.48')
  assert.equal(await codeOf(borrower, 'POST', '/margin/borrow', { clientId: next(), asset: 'BTC', amount: '0.2' }), 'POOL_EXHAUSTED')
  assert.equal(
    await codeOf(borrower, 'POST', '/margin/borrow', { clientId: next(), symbol: 'BTCUSDT', asset: 'ETH', amount: '1' }),
    'ASSET_NOT_IN_ACCOUNT',
  )
  const { accounts } = await ok(borrower, 'GET', '/balances')
  const cross = accounts.find(({ kind }: { kind: string }) => kind === 'margin-cross')
  assert.equal(cross.debtUsdt, lent.debtUsdt)

  const queued = claim.parse(await ok(lender, 'POST', '/lend/withdraw', { clientId: next(), asset: 'BTC', amount: '2' }))
  const paid = Number(await spotOf(lender, 'BTC'))
  assert.ok(Number(queued.queued) > 0.1 && paid > 1.5, JSON.stringify([queued, paid]))
  assert.equal((Number(queued.queued) + paid).toFixed(8), '2.00000000')
  assert.equal(queued.liquid, '0')

  shift += hourMs
  // The engine's timer runs by the machine's time: a command makes it look at the moved clock.
  await prices(60_000)
  const interestOf = async () => Number((await accountOf(borrower)).balances.find(({ asset }) => asset === 'BTC')!.interest)
  await until(async () => (await interestOf()) > Number(btc.interest))
  const [waiting] = (await ok(lender, 'GET', '/lend/claims')).claims
  assert.deepEqual([waiting.fresh, waiting.freshUntil, waiting.earned], ['0', null, '0'], 'an hour is shared when it is over')
  shift += hourMs
  await prices(60_000)
  await until(async () => Number((await ok(lender, 'GET', '/lend/claims')).claims[0].earned) > 0)
  const { body: rates } = await request(exchange.url, 'GET', '/lend/rates?asset=BTC')
  for (const point of rates.points) ratePoint.parse(point)
  assert.equal(rates.points.length, 3)
  assert.equal(rates.points[1].time - rates.points[0].time, hourMs)
  assert.ok(Number(rates.points[1].utilization) > 90 && Number(rates.points[1].hourlyRate) > 0.002)

  // Index prices keep the account safe: a transfer out must leave a level of two.
  const out = await ok(borrower, 'GET', '/transfer/preview?from=margin-cross&to=spot&asset=USDT&amount=1000000')
  assert.deepEqual([out.available, out.before.level, out.after.level], ['5000000', '6.48', '5.38'])
  assert.ok(Number(out.max) > 4_000_000 && Number(out.max) < 4_100_000, out.max)
  const beyond = { clientId: next(), asset: 'USDT', amount: '4100000', from: 'margin-cross', to: 'spot' }
  assert.equal(await codeOf(borrower, 'POST', '/transfer', beyond), 'AMOUNT_BOUND')
  await move(borrower, 'USDT', out.max, 'margin-cross', 'spot')
  assert.equal((await accountOf(borrower)).level, '2.00')

  await move(borrower, 'BTC', '0.1', 'spot', 'margin-cross')
  const clear = await ok(borrower, 'POST', '/margin/repay', { clientId: next(), asset: 'BTC', amount: 'all' })
  assert.deepEqual([clear.level, clear.debtUsdt], [null, '0'])
  assert.equal(await codeOf(borrower, 'POST', '/margin/repay', { clientId: next(), asset: 'BTC', amount: 'all' }), 'NOTHING_OWED')
  assert.equal(await spotOf(lender, 'BTC'), '2', 'the repayment paid the queue')
  const [rest] = (await ok(lender, 'GET', '/lend/claims')).claims
  assert.deepEqual([rest.queued, rest.claim], ['0', rest.earned], 'the earnings are left')
  const gone = await ok(lender, 'POST', '/lend/withdraw', { clientId: next(), asset: 'BTC', amount: rest.claim })
  assert.deepEqual(gone, { asset: 'BTC', claim: '0', earned: rest.earned, queued: '0', liquid: '0', fresh: '0', freshUntil: null })
  assert.deepEqual((await ok(lender, 'GET', '/lend/claims')).claims, [gone])
  assert.equal(await codeOf(lender, 'DELETE', `/lend/withdraw?asset=BTC&clientId=${next()}`), 'QUEUE_EMPTY')

  const { items } = await ok(borrower, 'GET', '/margin/loans?asset=BTC')
  for (const record of items) loanRecord.parse(record)
  assert.deepEqual(
    items.map(({ cause }: { cause: string }) => cause),
    ['repay', 'interest', 'interest', 'interest', 'borrow'],
  )
  assert.deepEqual((await ok(lender, 'GET', '/margin/loans')).items, [])
  assert.deepEqual((await ok(borrower, 'GET', '/margin/liquidations')).items, [])
  await until(async () => listened.told.filter(({ e }) => e === 'margin').length >= 3)
  assert.ok(listened.told.some(({ e, account }) => e === 'balance' && account === 'margin-cross'))
  listened.close()
})

test('MARGIN-API-003: messages about an isolated account name its market, and report when its level crosses a threshold', async () => {
  const user = await trader({ USDT: '10000' })
  const listened = await listen(user)
  assert.equal(await codeOf(user, 'GET', '/margin/accounts?symbol=BTCUSDTPERP'), 'MARKET_UNKNOWN')
  const empty = await accountOf(user, 'BTCUSDT')
  assert.deepEqual(
    [empty.kind, empty.symbol, empty.level, empty.liquidationPrice, empty.balances.map(({ asset }) => asset)],
    ['margin-isolated', 'BTCUSDT', null, null, ['USDT', 'BTC']],
  )
  await move(user, 'USDT', '6000', 'spot', 'margin-isolated', 'BTCUSDT')
  const loan = { clientId: next(), symbol: 'BTCUSDT', asset: 'BTC', amount: '0.5' }
  const account = await ok(user, 'POST', '/margin/borrow', loan)
  assert.deepEqual([account.symbol, account.level, account.state], ['BTCUSDT', '1.19', 'safe'])
  assert.ok(Number(account.liquidationPrice) === 0 || Number(account.liquidationPrice) > 60_000)
  await until(async () => listened.told.some(({ e, symbol }) => e === 'margin' && symbol === 'BTCUSDT'))
  const balance = listened.told.find(({ e, account: kind }) => e === 'balance' && kind === 'margin-isolated')
  assert.equal(balance.symbol, 'BTCUSDT')
  const states = () =>
    listened.told.filter(({ e, state }) => e === 'margin' && state !== undefined).map(({ symbol, state }) => [symbol, state])
  // Both sides of the account are BTC: at twice the price, its own 6,000 USDT are half as much of the debt.
  await prices(120_000)
  await until(async () => states().length === 1)
  assert.equal((await accountOf(user, 'BTCUSDT')).state, 'watch')
  await prices(60_000)
  await until(async () => states().length === 2)
  assert.deepEqual(states(), [
    ['BTCUSDT', 'watch'],
    ['BTCUSDT', 'safe'],
  ])
  listened.close()
})

test('MARGIN-API-004: an order of a Margin account is marked as such in the spot market, and is paid and borrowed for in that account', async () => {
  const user = await exchange.user({ funds: { USDT: '1000' }, isCertified: true })
  await move(user, 'USDT', '500', 'spot', 'margin-cross')
  const margin = { account: 'margin-cross', borrow: 'borrow' }
  const order = { clientId: next(), symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '50000', quantity: '0.016', margin }
  const placed = await ok(user, 'POST', '/spot/orders', order)
  assert.deepEqual(placed.order.margin, margin)
  const { orders } = await ok(user, 'GET', '/spot/orders/open')
  assert.deepEqual(orders, [placed.order])
  const usdt = (await accountOf(user)).balances.find(({ asset }) => asset === 'USDT')!
  assert.deepEqual([usdt.borrowed, usdt.held, usdt.available], ['300', '800', '0'])
  assert.equal(await spotOf(user, 'USDT'), '500')
  const cancelled = await ok(user, 'DELETE', `/spot/orders/${placed.order.id}?symbol=BTCUSDT`)
  assert.deepEqual(cancelled.margin, margin)
  const history = await ok(user, 'GET', '/spot/orders/history')
  assert.deepEqual(history.items, [cancelled])
  const { items } = await ok(user, 'GET', '/margin/loans')
  assert.deepEqual([items.at(-1).cause, items.at(-1).amount, items.at(-1).principal], ['auto-borrow', '300', '300'])
  for (const wrong of [{}, { account: 'spot', borrow: 'none' }, { account: 'margin-cross', borrow: 'maybe' }, { ...margin, more: 1 }]) {
    const { status } = await user.call('POST', '/spot/orders', { ...order, clientId: next(), margin: wrong })
    assert.equal(status, 400, JSON.stringify(wrong))
  }
})

test('MARGIN-API-007: an OCO of a Margin account borrows there, and cancel-all cancels only orders of the named account', async () => {
  const maker = await trader({ USDT: '100000', BTC: '1' })
  const trade = (user: TestUser, side: string) =>
    ok(user, 'POST', '/spot/orders', { clientId: next(), symbol: 'BTCUSDT', side, type: 'limit', price: '60000', quantity: '0.001' })
  const user = await exchange.user({ funds: { USDT: '2000' }, isCertified: true })
  await trade(maker, 'sell')
  await trade(user, 'buy')
  await move(user, 'USDT', '500', 'spot', 'margin-cross')
  const margin = { account: 'margin-cross', borrow: 'both' }
  const list = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.016', limitPrice: '59900', stopPrice: '60100', stopLimit: '60200', margin }
  const { orders } = await ok(user, 'POST', '/spot/orders/oco', { clientId: next(), ...list })
  assert.deepEqual(
    orders.map((order: { margin: unknown }) => order.margin),
    [margin, margin],
  )
  const usdt = (await accountOf(user)).balances.find(({ asset }) => asset === 'USDT')!
  assert.deepEqual([usdt.borrowed, usdt.held, usdt.available], ['463.2', '963.2', '0'])
  const own = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '59000', quantity: '0.001' }
  const { order } = await ok(user, 'POST', '/spot/orders', { clientId: next(), ...own })
  assert.deepEqual(await ok(user, 'DELETE', '/spot/orders?only=spot'), { cancelled: 1 })
  assert.equal((await ok(user, 'GET', `/spot/orders/${order.id}`)).order.status, 'cancelled')
  await ok(user, 'POST', '/spot/orders', { clientId: next(), ...own })
  assert.deepEqual(await ok(user, 'DELETE', '/spot/orders?only=margin&symbol=BTCUSDT'), { cancelled: 2 })
  const left = (await ok(user, 'GET', '/spot/orders/open')).orders
  assert.deepEqual(
    left.map((one: { margin?: unknown }) => one.margin),
    [undefined],
  )
  assert.deepEqual(await ok(user, 'DELETE', '/spot/orders'), { cancelled: 1 })
  assert.equal(await codeOf(user, 'DELETE', '/spot/orders?only=futures'), 'FIELD_INVALID')
  assert.equal(await codeOf(user, 'DELETE', '/perp/orders?only=spot'), 'FIELD_UNKNOWN')
})

test('MARGIN-API-008: a change with a trigger price moves a stop that sleeps, and a leg of an OCO, in the answer and in the lists', async () => {
  const user = await trader({ USDT: '10000' })
  await move(user, 'USDT', '2000', 'spot', 'margin-cross')
  const margin = { account: 'margin-cross', borrow: 'none' }
  const trigger = { kind: 'stop', price: '70000.0', direction: 'rises-to' }
  const stop = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '70000', quantity: '0.01', margin, trigger }
  const { order } = await ok(user, 'POST', '/spot/orders', { clientId: next(), ...stop })
  const path = `/spot/orders/${order.id}`
  const change = { clientId: next(), symbol: 'BTCUSDT', triggerPrice: '75000', price: '75100', quantity: '0.02' }
  const moved = await ok(user, 'PATCH', path, change)
  assert.deepEqual(
    [moved.order.trigger, moved.order.price, moved.order.quantity, moved.isRepeat],
    [{ ...trigger, price: '75000.0' }, '75100.0', '0.02000', false],
  )
  assert.equal((await ok(user, 'PATCH', path, change)).isRepeat, true)
  const held = (await accountOf(user)).balances.find(({ asset }) => asset === 'USDT')!.held
  assert.equal(held, '1502')
  const refuses = (more: object) => codeOf(user, 'PATCH', path, { clientId: next(), symbol: 'BTCUSDT', ...more })
  assert.equal(await refuses({ triggerPrice: '100' }), 'TRIGGER_IMMEDIATE')
  assert.equal(await refuses({ triggerPrice: '75000', price: '75100', quantity: '0.03' }), 'INSUFFICIENT_BALANCE')
  assert.equal(await refuses({ quantity: '0.03' }), 'ORDER_NOT_AMENDABLE')
  const legs = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.01', limitPrice: '50000', stopPrice: '70000', stopLimit: '70000' }
  const list = await ok(user, 'POST', '/spot/orders/oco', { clientId: next(), ...legs })
  const leg = list.orders.find(({ trigger: one }: { trigger?: unknown }) => one !== undefined)
  await ok(user, 'PATCH', `/spot/orders/${leg.id}`, { clientId: next(), symbol: 'BTCUSDT', triggerPrice: '71000', price: '71000' })
  const open = (await ok(user, 'GET', '/spot/orders/open')).orders
  const shown = open.find(({ id }: { id: string }) => id === leg.id)
  assert.deepEqual([shown.trigger.price, shown.price, shown.quantity], ['71000.0', '71000.0', '0.01000'])
  await ok(user, 'DELETE', '/spot/orders')
  const ended = (await ok(user, 'GET', `/spot/orders/${leg.id}`)).order
  assert.deepEqual([ended.trigger.price, ended.closeReason !== undefined], ['71000.0', true])
})

test('MARGIN-API-005: a liquidation is reported, its orders and steps are in the history, and the books still balance', async () => {
  const maker = await trader({ USDT: '1000000', BTC: '10' })
  const quote = (side: string, price: string, quantity: string) =>
    ok(maker, 'POST', '/spot/orders', { clientId: next(), symbol: 'BTCUSDT', side, type: 'limit', price, quantity })
  await quote('sell', '60000', '1')
  const user = await exchange.user({ funds: { USDT: '10000' }, isCertified: true })
  const listened = await listen(user)
  await move(user, 'USDT', '10000', 'spot', 'margin-isolated', 'BTCUSDT')
  const margin = { account: 'margin-isolated', borrow: 'borrow' }
  const order = { clientId: next(), symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '60000', quantity: '1', margin }
  const bought = await ok(user, 'POST', '/spot/orders', order)
  assert.equal(bought.order.status, 'filled')
  const account = await accountOf(user, 'BTCUSDT')
  const price = Number(account.liquidationPrice)
  // 50,000 borrowed, plus interest, times 1.05, for 0.999 BTC.
  assert.ok(price > 52_500 && price < 52_600, account.liquidationPrice!)
  assert.deepEqual([account.state, account.level], ['safe', '1.19'])

  await quote('buy', '52400', '2')
  await prices(Math.ceil(price))
  assert.equal((await accountOf(user, 'BTCUSDT')).state, 'watch')
  await prices(Math.floor(price))
  await until(async () => listened.told.some(({ e, state }) => e === 'margin' && state === 'liquidating'))
  await until(async () => (await accountOf(user, 'BTCUSDT')).state !== 'liquidating')
  const after = await accountOf(user, 'BTCUSDT')
  assert.ok(after.level === null || Number(after.level) >= 1.1, JSON.stringify(after))

  const { items } = await ok(user, 'GET', '/margin/liquidations')
  const step = items.map((one: unknown) => marginLiquidation.parse(one)).at(-1)
  assert.deepEqual([step.symbol, step.liquidationLevel, step.insured], ['BTCUSDT', '1.05', '0'])
  assert.ok(Number(step.level) <= 1.05 && Number(step.level) > 1.049 && Number(step.fee) > 0, JSON.stringify(step))
  const sold = await ok(user, 'GET', `/spot/orders/${step.orderId}`)
  assert.deepEqual([sold.order.side, sold.order.margin.account, sold.fills[0].price], ['sell', 'margin-isolated', '52400.0'])
  const { items: loans } = await ok(user, 'GET', '/margin/loans?symbol=BTCUSDT')
  assert.equal(loans[0].cause, 'liquidation')
  listened.close()

  const found = await audit({ pool: exchange.store.pool })
  assert.deepEqual([found.ok, found.problems], [true, []])
})
