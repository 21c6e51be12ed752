import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { ccxtOf, type Desk, startDesk, test, type Trader, until } from './desk.ts'

let desk: Desk
let trader: Trader
let ccxt: any
before(async () => {
  desk = await startDesk()
  trader = await desk.trader({ USDT: '10000', BTC: '1' })
  ccxt = await ccxtOf(desk, trader)
  await desk.quote('BTCUSDT', 'buy', '59990', '2')
  await desk.quote('BTCUSDT', 'sell', '60010', '2')
})
after(async () => {
  await ccxt?.close()
  await desk?.[Symbol.asyncDispose]()
})

test('API-CLIENT-028: ccxt lists coins, asks for a quote, converts at its amounts, and finds the conversion and its history', async () => {
  const coins = await ccxt.fetchConvertCurrencies()
  assert.deepEqual([Object.keys(coins).length, coins.BTC.precision, coins.USDT.precision], [13, 1e-8, 1e-6])

  const quote = await ccxt.fetchConvertQuote('USDT', 'BTC', 6001)
  const amounts = { fromCurrency: 'USDT', fromAmount: 6001, toCurrency: 'BTC', toAmount: 0.0999 }
  const amountsOf = ({ fromCurrency, fromAmount, toCurrency, toAmount }: any) => ({ fromCurrency, fromAmount, toCurrency, toAmount })
  assert.deepEqual(amountsOf(quote), amounts)
  const { id, info } = await ccxt.createConvertTrade(quote.id, 'USDT', 'BTC', 6001)
  assert.deepEqual([id, info.orderStatus], [quote.id, 'PROCESS'])
  const trade = await until('the conversion', async () => {
    const found = await ccxt.fetchConvertTrade(id)
    return found.info.orderStatus === 'PROCESS' ? undefined : found
  })
  assert.deepEqual([trade.id, trade.info.orderStatus, amountsOf(trade)], [id, 'SUCCESS', amounts])
  const { USDT, BTC } = await ccxt.fetchBalance()
  assert.deepEqual([USDT.free, USDT.used, BTC.free], [3999, 0, 1.0999])

  const back = await ccxt.fetchConvertQuote('BTC', 'USDT', 0.01)
  await ccxt.createConvertTrade(back.id, 'BTC', 'USDT', 0.01)
  const history = await ccxt.fetchConvertTradeHistory()
  assert.deepEqual(
    history.map((one: any) => [one.id, one.fromCurrency]),
    [
      [id, 'USDT'],
      [back.id, 'BTC'],
    ],
  )
  assert.deepEqual(amountsOf(history[0]), amounts)
  assert.equal(history[0].timestamp, trade.timestamp)
  assert.deepEqual(
    (await ccxt.fetchConvertTradeHistory(undefined, history[0].timestamp, 1)).map((one: any) => one.id),
    [id],
  )
})

test('API-CLIENT-028: refused conversions are errors for which ccxt has a class', async () => {
  const refused = (run: Promise<unknown>, name: string) => assert.rejects(run, { name })
  await refused(ccxt.fetchConvertQuote('BTC', 'USDT', 1.5), 'InsufficientFunds')
  await refused(ccxt.fetchConvertQuote('USDT', 'BTC', 1), 'BadRequest')
  await refused(ccxt.createConvertTrade('1', 'USDT', 'BTC'), 'BadRequest')
  await refused(ccxt.fetchConvertTrade('1'), 'OrderNotFound')
})
