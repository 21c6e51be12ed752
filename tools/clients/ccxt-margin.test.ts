import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { ccxtOf, type Desk, startDesk, test, type Trader, until } from './desk.ts'

let desk: Desk
let trader: Trader
let ccxt: any
const symbol = 'BTC/USDT'
const cross = { marginMode: 'cross' } as const
const isolated = { marginMode: 'isolated' } as const

before(async () => {
  desk = await startDesk()
  trader = await desk.trader({ USDT: '100000', BTC: '2' })
  ccxt = await ccxtOf(desk, trader)
  await ccxt.loadMarkets()
  await ccxt.transfer('USDT', 10_000, 'spot', 'cross')
  await ccxt.transfer('USDT', 10_000, 'spot', 'isolated', { symbol })
})
after(async () => {
  await ccxt?.close()
  await desk?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await desk.clear()
  await desk.quote('BTCUSDT', 'buy', '59990', '5')
  await desk.quote('BTCUSDT', 'sell', '60010', '5')
})

const near = (got: number, wanted: number): void => assert.ok(Math.abs(got - wanted) < 1e-6, `${got} is not ${wanted}`)
const crossBalance = () => ccxt.fetchBalance({ type: 'margin', ...cross })
/** The balance of all isolated pairs together; only one has money. */
const isolatedBalance = () => ccxt.fetchBalance({ type: 'margin', ...isolated })

test('API-CLIENT-030: ccxt moves money to cross and isolated margin accounts and back, and sees it there', async () => {
  assert.equal((await crossBalance()).USDT.free, 10_000)
  assert.equal((await isolatedBalance()).USDT.free, 10_000)
  await ccxt.transfer('USDT', 100, 'cross', 'spot')
  await ccxt.transfer('USDT', 50, 'isolated', 'spot', { symbol })
  assert.equal((await crossBalance()).USDT.free, 9_900)
  assert.equal((await isolatedBalance()).USDT.free, 9_950)
  const spot = await ccxt.fetchBalance({ type: 'spot' })
  near(spot.USDT.free, 100_000 - 20_000 + 150)
  const moved = await ccxt.fetchTransfers('USDT', undefined, undefined, { fromAccount: 'spot', toAccount: 'cross' })
  assert.deepEqual(
    moved.map(({ amount, status }: any) => [amount, status]),
    [[10_000, 'ok']],
  )
})

for (const [id, mode, balance] of [
  ['API-CLIENT-031', cross, crossBalance],
  ['API-CLIENT-032', isolated, isolatedBalance],
] as const) {
  const isCross = mode.marginMode === 'cross'
  const borrow = (code: string, amount: number) =>
    isCross ? ccxt.borrowCrossMargin(code, amount) : ccxt.borrowIsolatedMargin(symbol, code, amount)
  const repay = (code: string, amount: number) =>
    isCross ? ccxt.repayCrossMargin(code, amount) : ccxt.repayIsolatedMargin(symbol, code, amount)

  test(`${id}: ccxt borrows, trades and repays on the ${mode.marginMode} account`, async () => {
    const was = await balance()
    const loan = await borrow('USDT', 5_000)
    assert.ok(loan.id)
    const lent = await balance()
    near(lent.USDT.free - was.USDT.free, 5_000)
    assert.ok(lent.USDT.debt >= 5_000 && lent.USDT.debt < 5_010, String(lent.USDT.debt))
    const order = await ccxt.createOrder(symbol, 'market', 'buy', 0.1, undefined, mode)
    assert.deepEqual([order.status, order.filled, order.cost], ['closed', 0.1, 6_001])
    const bought = await balance()
    near(bought.USDT.free - lent.USDT.free, -6_001)
    near(bought.BTC.free - lent.BTC.free, 0.1 - 0.0001)
    const trades = await until('its trade', async () => {
      const mine = await ccxt.fetchMyTrades(symbol, undefined, undefined, mode)
      return mine.length > 0 && mine
    })
    assert.deepEqual([trades[0].order, trades[0].amount, trades[0].info.isIsolated], [order.id, 0.1, !isCross])

    const resting = await ccxt.createOrder(symbol, 'limit', 'sell', 0.05, 65_000, mode)
    assert.equal((await ccxt.fetchOrder(resting.id, symbol, mode)).status, 'open')
    const stop = await ccxt.createOrder(symbol, 'limit', 'sell', 0.02, 56_900, { ...mode, stopLossPrice: 57_000 })
    assert.equal((await ccxt.fetchOpenOrders(symbol, undefined, undefined, mode)).length, 2)
    assert.equal((await ccxt.fetchOpenOrders(symbol)).length, 0, 'they are not the spot account’s')
    assert.equal((await ccxt.cancelOrder(resting.id, symbol, mode)).status, 'canceled')
    await ccxt.cancelAllOrders(symbol, mode)
    const stopped = (await ccxt.fetchOrders(symbol, undefined, undefined, mode)).find((one: any) => one.id === stop.id)
    assert.equal(stopped.status, 'canceled')
    await assert.rejects(ccxt.cancelOrder(stop.id, symbol, mode), { name: 'OrderNotFound' })

    await ccxt.createOrder(symbol, 'market', 'sell', 0.09, undefined, mode)
    const owed = (await balance()).USDT
    await repay('USDT', 2_000)
    const left = (await balance()).USDT
    near(owed.free - left.free, 2_000)
    near(owed.debt - left.debt, 2_000)
    await repay('USDT', left.debt)
    near((await balance()).USDT.debt, 0)
    const interest = await ccxt.fetchBorrowInterest('USDT', isCross ? undefined : symbol)
    assert.ok(interest.length >= 1 && interest[0].interest > 0)
    await assert.rejects(borrow('USDT', 100_000_000), /-\d+/)
  })
}

test('API-CLIENT-033: one order of ccxt borrows the missing amount and another repays from its proceeds', async () => {
  const margin = { ...cross, sideEffectType: 'MARGIN_BUY' }
  const { USDT } = await crossBalance()
  const amount = Math.floor(((USDT.free + 3_000) / 60_010) * 1e5) / 1e5
  await ccxt.createOrder(symbol, 'market', 'buy', amount, undefined, margin)
  const owing = await crossBalance()
  assert.ok(owing.USDT.debt > 2_900 && owing.USDT.debt < 3_100, String(owing.USDT.debt))
  await ccxt.createOrder(symbol, 'market', 'sell', 0.1, undefined, { ...cross, sideEffectType: 'AUTO_REPAY' })
  assert.equal((await crossBalance()).USDT.debt, 0)
})

test('API-CLIENT-034: ccxt reads interest rates and the largest possible loan', async () => {
  const rate = await ccxt.fetchCrossBorrowRate('USDT')
  assert.ok(rate.rate > 0 && rate.currency === 'USDT')
  const most = await ccxt.sapiGetMarginMaxBorrowable({ asset: 'USDT' })
  assert.ok(Number(most.amount) > 0)
  const { amount } = await ccxt.sapiGetMarginMaxTransferable({ asset: 'USDT' })
  assert.ok(Number(amount) > 0)
  const history = await ccxt.sapiGetMarginInterestHistory({ asset: 'USDT' })
  assert.ok(history.rows.length >= 1 && Number(history.total) >= 1)
})
