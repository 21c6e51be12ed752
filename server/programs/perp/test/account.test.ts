import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limitOrder, type PerpDesk, refused, startPerpDesk, type Trader } from './desk.ts'

const order = '/fapi/v1/order'
const symbol = 'ETHUSDT'
let desk: PerpDesk
let alice: Trader
let bob: Trader

before(async () => {
  desk = await startPerpDesk()
  ;[alice, bob] = [await desk.trader(), await desk.trader()]
})
after(() => desk[Symbol.asyncDispose]())

const sum = (rows: readonly any[], name: string): number => rows.reduce((total, row) => total + Number(row[name]), 0)
const near = (one: number, other: number) => assert.ok(Math.abs(one - other) < 1e-6, `${one} is not ${other}`)

test('API-PERP-020: leverage and margin type are set by market and read back; a setting that is already set, or in use, has its code', async () => {
  const config = async () => (await alice.done('GET', '/fapi/v1/symbolConfig', { symbol }))[0]
  assert.deepEqual([(await config()).leverage, (await config()).marginType], [1, 'ISOLATED'])
  await refused(alice, 'POST', '/fapi/v1/marginType', { symbol, marginType: 'ISOLATED' }, -4046, 'No need to change margin type.')
  assert.deepEqual(await alice.done('POST', '/fapi/v1/marginType', { symbol, marginType: 'CROSSED' }), { code: 200, msg: 'success' })
  const brackets = (await alice.done('GET', '/fapi/v1/leverageBracket', { symbol }))[0].brackets
  const leverage = brackets[0].initialLeverage
  const set = await alice.done('POST', '/fapi/v1/leverage', { symbol, leverage })
  assert.deepEqual(set, { leverage, maxNotionalValue: String(brackets[0].notionalCap), symbol })
  assert.deepEqual(await config(), {
    symbol,
    marginType: 'CROSSED',
    isAutoAddMargin: false,
    leverage,
    maxNotionalValue: set.maxNotionalValue,
  })
  await refused(alice, 'POST', '/fapi/v1/leverage', { symbol, leverage: 1_000 }, -4028, 'Leverage 1000 is not valid')
  await alice.done('POST', '/fapi/v1/leverage', { symbol, leverage: 5 })
  const resting = await alice.done('POST', order, limitOrder('BUY', '2900', '0.1'))
  const open = 'Margin type cannot be changed if there exists open orders.'
  await refused(alice, 'POST', '/fapi/v1/marginType', { symbol, marginType: 'ISOLATED' }, -4047, open)
  await refused(alice, 'POST', '/fapi/v1/positionSide/dual', { dualSidePosition: 'true' }, -4067)
  await alice.done('DELETE', order, { symbol, orderId: resting.orderId })
  const all = await alice.done('GET', '/fapi/v1/leverageBracket')
  assert.equal(all.length, (await alice.done('GET', '/fapi/v1/exchangeInfo')).symbols.length)
  for (const { brackets: each } of all) {
    assert.equal(each[0].notionalFloor, 0)
    for (let at = 1; at < each.length; at++) {
      assert.equal(each[at].notionalFloor, each[at - 1].notionalCap)
      assert.ok(each[at].initialLeverage <= each[at - 1].initialLeverage && each[at].maintMarginRatio >= each[at - 1].maintMarginRatio)
    }
  }
  const rate = await alice.done('GET', '/fapi/v1/commissionRate', { symbol })
  assert.deepEqual(Object.keys(rate), ['symbol', 'makerCommissionRate', 'takerCommissionRate'])
  assert.deepEqual(await alice.done('GET', '/fapi/v1/multiAssetsMargin'), { multiAssetsMargin: false })
  assert.equal((await alice.done('POST', '/fapi/v1/multiAssetsMargin', { multiAssetsMargin: 'false' })).code, 200)
  await refused(alice, 'POST', '/fapi/v1/multiAssetsMargin', { multiAssetsMargin: 'true' }, -1020)
  const { feeTier, dualSidePosition, canTrade } = await alice.done('GET', '/fapi/v1/accountConfig')
  assert.deepEqual([feeTier, dualSidePosition, canTrade], [0, false, true])
})

test('API-PERP-021: account, balance and positions agree with each other, with the mark and with the trades', async () => {
  await bob.done('POST', '/fapi/v1/marginType', { symbol, marginType: 'CROSSED' })
  await bob.done('POST', '/fapi/v1/leverage', { symbol, leverage: 10 })
  await bob.done('POST', order, limitOrder('SELL', '3000', '1'))
  await alice.done('POST', order, limitOrder('BUY', '3000', '1'))
  await alice.done('POST', order, limitOrder('BUY', '2900', '0.5'))
  await desk.index({ ETH: 3_050 })
  const [position] = await alice.done('GET', '/fapi/v3/positionRisk')
  const mark = Number((await alice.done('GET', '/fapi/v1/premiumIndex', { symbol })).markPrice)
  const rate = Number((await alice.done('GET', '/fapi/v1/commissionRate', { symbol })).takerCommissionRate)
  assert.deepEqual(
    [position.symbol, position.positionSide, position.positionAmt, position.entryPrice, position.isolatedMargin, position.isolatedWallet],
    [symbol, 'BOTH', '1.0000', '3000', '0', '0'],
  )
  assert.deepEqual([position.marginAsset, position.positionInitialMargin, Number(position.markPrice)], ['USDT', '600', mark])
  near(Number(position.openOrderInitialMargin), (0.5 * 2_900) / 5 + 0.5 * 2_900 * rate)
  assert.deepEqual([position.bidNotional, position.askNotional], ['1450', '0'])
  assert.ok(position.adl >= 0 && position.adl <= 4 && position.updateTime > 0)
  near(Number(position.unRealizedProfit), mark - 3_000)
  near(Number(position.notional), mark)
  near(Number(position.breakEvenPrice), 3_000 * (1 + rate))
  for (const version of ['v2', 'v3']) {
    const account = await alice.done('GET', `/fapi/${version}/account`)
    const [asset] = account.assets
    assert.equal(account.assets.length, 1)
    assert.ok(asset.updateTime > 0)
    near(Number(asset.walletBalance), 10_000 - 3_000 * rate)
    near(Number(asset.marginBalance), Number(asset.walletBalance) + mark - 3_000)
    near(Number(asset.initialMargin), Number(asset.positionInitialMargin) + Number(asset.openOrderInitialMargin))
    near(Number(asset.availableBalance), Number(asset.walletBalance) - Number(asset.initialMargin))
    near(Number(asset.openOrderInitialMargin), (0.5 * 2_900) / 5 + 0.5 * 2_900 * rate)
    assert.equal(account.totalWalletBalance, asset.walletBalance)
    const [balance] = await alice.done('GET', `/fapi/${version}/balance`)
    assert.deepEqual(
      [balance.asset, balance.balance, balance.availableBalance, balance.crossUnPnl],
      ['USDT', asset.walletBalance, asset.availableBalance, position.unRealizedProfit],
    )
    assert.ok(balance.updateTime > 0)
    const mine = account.positions.find((one: any) => one.symbol === symbol)
    assert.deepEqual([mine.positionAmt, mine.unrealizedProfit], ['1.0000', position.unRealizedProfit])
    assert.equal(mine.initialMargin, asset.initialMargin, 'held for position and orders only')
    if (version === 'v3') assert.equal(account.positions.length, 1)
    else assert.deepEqual([mine.leverage, mine.isolated, mine.entryPrice], ['5', false, '3000'])
  }
  const [risk] = await alice.done('GET', '/fapi/v2/positionRisk', { symbol })
  assert.deepEqual(
    [risk.leverage, risk.marginType, risk.positionAmt, risk.liquidationPrice],
    ['5', 'cross', '1.0000', position.liquidationPrice],
  )
  const every = await alice.done('GET', '/fapi/v2/positionRisk')
  assert.equal(every.length, (await alice.done('GET', '/fapi/v1/exchangeInfo')).symbols.length)
  const [short] = await bob.done('GET', '/fapi/v3/positionRisk')
  assert.deepEqual([short.positionAmt, short.entryPrice], ['-1.0000', '3000'])
  near(Number(short.notional), -mark)
  near(Number(short.unRealizedProfit), 3_000 - mark)
  assert.ok(Number(short.liquidationPrice) > mark)
  assert.equal((await alice.done('GET', '/fapi/v1/adlQuantile'))[0].symbol, symbol)
  await refused(alice, 'POST', '/fapi/v1/marginType', { symbol, marginType: 'ISOLATED' }, -4048)
  await refused(alice, 'POST', '/fapi/v1/positionMargin', { symbol, amount: '10', type: 1 }, -4055)
  await alice.done('DELETE', '/fapi/v1/allOpenOrders', { symbol })
})

test('API-PERP-022: trades carry realised profit and fees; with transfers and funding they add up to the balance, and so does the income', async () => {
  await desk.index({ ETH: 3_000 })
  await bob.done('POST', order, limitOrder('BUY', '3010', '0.2'))
  await bob.done('POST', order, limitOrder('BUY', '3005', '0.3'))
  const closing = await alice.done('POST', order, { symbol, side: 'SELL', type: 'MARKET', quantity: '0.5' })
  const trades = await alice.done('GET', '/fapi/v1/userTrades', { symbol })
  assert.deepEqual(
    trades.map((one: any) => [one.side, one.price, one.qty, one.realizedPnl, one.quoteQty, one.maker, one.positionSide]),
    [
      ['BUY', '3000.00', '1.0000', '0', '3000', false, 'BOTH'],
      ['SELL', '3010.00', '0.2000', '2', '602', false, 'BOTH'],
      ['SELL', '3005.00', '0.3000', '1.5', '901.5', false, 'BOTH'],
    ],
  )
  const ofOrder = await alice.done('GET', '/fapi/v1/userTrades', { symbol, orderId: closing.orderId })
  assert.deepEqual(ofOrder, trades.slice(1))
  assert.deepEqual(await alice.done('GET', '/fapi/v1/userTrades', { symbol, fromId: trades[1].id, limit: 1 }), [trades[1]])
  assert.deepEqual(await alice.done('GET', '/fapi/v1/userTrades', { symbol, limit: 1 }), [trades[2]])
  assert.deepEqual(await alice.done('GET', '/fapi/v1/userTrades', { symbol, startTime: 1, limit: 1 }), [trades[0]])
  const makers = await bob.done('GET', '/fapi/v1/userTrades', { symbol })
  assert.deepEqual(
    makers.map((one: any) => [one.id, one.maker, one.realizedPnl, one.buyer]),
    [
      [trades[0].id, true, '0', false],
      [trades[1].id, true, '-2', true],
      [trades[2].id, true, '-1.5', true],
    ],
  )
  for (const [trader, rows] of [
    [alice, trades],
    [bob, makers],
  ] as const) {
    const wallet = Number((await trader.done('GET', '/fapi/v2/balance'))[0].balance)
    near(wallet, 10_000 + sum(rows, 'realizedPnl') - sum(rows, 'commission'))
    const income = await trader.done('GET', '/fapi/v1/income')
    near(wallet, sum(income, 'income'))
    assert.equal(new Set(income.map(({ tranId, incomeType }: any) => `${tranId}-${incomeType}`)).size, income.length)
    const commissions = await trader.done('GET', '/fapi/v1/income', { incomeType: 'COMMISSION', symbol })
    near(sum(commissions, 'income'), -sum(rows, 'commission'))
    assert.deepEqual([commissions[0].tradeId, commissions[0].symbol, commissions[0].asset], [String(trades[0].id), symbol, 'USDT'])
    const paged = await trader.done('GET', '/fapi/v1/income', { limit: 2, page: 2 })
    assert.deepEqual(paged, income.slice(-4, -2))
    assert.deepEqual(
      (await trader.done('GET', '/fapi/v1/income', { incomeType: 'TRANSFER' })).map(({ income: amount }: any) => amount),
      ['10000'],
    )
  }
  await refused(alice, 'GET', '/fapi/v1/userTrades', { symbol, fromId: 1, startTime: 1 }, -1128)
})

test('API-PERP-023: margin is added to an isolated position and removed again, as far as its initial margin allows', async () => {
  const [carol, dave] = [await desk.trader(), await desk.trader()]
  for (const trader of [carol, dave]) await trader.done('POST', '/fapi/v1/leverage', { symbol, leverage: 10 })
  await refused(
    carol,
    'POST',
    '/fapi/v1/positionMargin',
    { symbol, amount: '10', type: 1 },
    -4054,
    'Cannot add position margin: position is 0.',
  )
  await dave.done('POST', order, limitOrder('SELL', '3000', '1'))
  await carol.done('POST', order, limitOrder('BUY', '3000', '1'))
  const position = async () => (await carol.done('GET', '/fapi/v3/positionRisk', { symbol }))[0]
  const before = await position()
  assert.deepEqual(
    [before.isolatedWallet, (await carol.done('GET', '/fapi/v2/positionRisk', { symbol }))[0].marginType],
    ['300', 'isolated'],
  )
  const added = await carol.done('POST', '/fapi/v1/positionMargin', { symbol, amount: '50', type: 1 })
  assert.deepEqual([added.amount, added.code, added.type], ['50', 200, 1])
  const after = await position()
  assert.equal(after.isolatedWallet, '350')
  assert.ok(Number(after.liquidationPrice) < Number(before.liquidationPrice))
  await carol.done('POST', '/fapi/v1/positionMargin', { symbol, amount: '50', type: 2, positionSide: 'BOTH' })
  assert.equal((await position()).isolatedWallet, '300')
  const moved = async (more = {}) => carol.done('GET', '/fapi/v1/positionMargin/history', { symbol, ...more })
  assert.deepEqual(
    (await moved()).map(({ time, ...one }: any) => ({ ...one, isTimed: Math.abs(time - Date.now()) < 10_000 })),
    [1, 2].map((type) => ({ symbol, type, deltaType: 'USER_ADJUST', amount: '50', asset: 'USDT', positionSide: 'BOTH', isTimed: true })),
  )
  assert.deepEqual(
    (await moved({ type: 2 })).map(({ type }: any) => type),
    [2],
  )
  assert.deepEqual(
    (await moved({ startTime: 1, limit: 1 })).map(({ type }: any) => type),
    [1],
  )
  assert.deepEqual(await dave.done('GET', '/fapi/v1/positionMargin/history', { symbol }), [])
  await refused(carol, 'POST', '/fapi/v1/positionMargin', { symbol, amount: '50', type: 2 }, -4051)
  await refused(carol, 'POST', '/fapi/v1/positionMargin', { symbol, amount: '50000', type: 1 }, -2018, 'Balance is insufficient.')
  await refused(carol, 'POST', '/fapi/v1/positionMargin', { symbol, amount: '1', type: 3 }, -1130)
})

test('API-PERP-024: in hedge mode an account holds a long and a short position, and orders name theirs', async () => {
  const [carol, dave] = [await desk.trader(), await desk.trader()]
  const dual = '/fapi/v1/positionSide/dual'
  assert.deepEqual(await carol.done('GET', dual), { dualSidePosition: false })
  await refused(carol, 'POST', dual, { dualSidePosition: 'false' }, -4059, 'No need to change position side.')
  await carol.done('POST', dual, { dualSidePosition: 'true' })
  assert.deepEqual(await carol.done('GET', dual), { dualSidePosition: true })
  await refused(carol, 'POST', order, limitOrder('BUY', '2999', '0.1'), -4061)
  await dave.done('POST', order, limitOrder('SELL', '3001', '0.2'))
  await dave.done('POST', order, limitOrder('BUY', '2999', '0.3'))
  const long = await carol.done('POST', order, { symbol, side: 'BUY', positionSide: 'LONG', type: 'MARKET', quantity: '0.2' })
  const short = await carol.done('POST', order, { symbol, side: 'SELL', positionSide: 'SHORT', type: 'MARKET', quantity: '0.3' })
  assert.deepEqual([long.status, long.positionSide, short.status, short.positionSide], ['FILLED', 'LONG', 'FILLED', 'SHORT'])
  const positions = await carol.done('GET', '/fapi/v3/positionRisk', { symbol })
  assert.deepEqual(positions.map((one: any) => [one.positionSide, one.positionAmt]).sort(), [
    ['LONG', '0.2000'],
    ['SHORT', '-0.3000'],
  ])
  assert.equal((await carol.done('GET', '/fapi/v2/positionRisk', { symbol })).length, 2)
  assert.deepEqual(
    (await carol.done('GET', '/fapi/v1/userTrades', { symbol })).map((one: any) => one.positionSide),
    ['LONG', 'SHORT'],
  )
  await refused(carol, 'POST', order, limitOrder('SELL', '3100', '0.1', { positionSide: 'LONG', reduceOnly: 'true' }), -1106)
  await refused(carol, 'POST', dual, { dualSidePosition: 'false' }, -4068)
})

test('API-PERP-025: liquidation orders are listed for their owner, and the cost is in the income', async () => {
  const [carol, dave] = [await desk.trader(), await desk.trader()]
  await carol.done('POST', '/fapi/v1/leverage', { symbol, leverage: 10 })
  await dave.done('POST', '/fapi/v1/leverage', { symbol, leverage: 5 })
  await desk.index({ ETH: 3_000 })
  await dave.done('POST', order, limitOrder('SELL', '3000', '2'))
  await carol.done('POST', order, limitOrder('BUY', '3000', '2'))
  await dave.done('POST', order, limitOrder('BUY', '2715', '4'))
  await desk.index({ ETH: 2_715 })
  const forced = await carol.done('GET', '/fapi/v1/forceOrders', { symbol })
  assert.ok(forced.length > 0)
  for (const one of forced) {
    assert.deepEqual([one.symbol, one.side, one.timeInForce, one.reduceOnly], [symbol, 'SELL', 'IOC', true])
    assert.match(one.clientOrderId, /^autoclose-/)
  }
  assert.deepEqual(await carol.done('GET', '/fapi/v1/forceOrders', { autoCloseType: 'ADL' }), [])
  assert.deepEqual(await dave.done('GET', '/fapi/v1/forceOrders'), [])
  const trades = await carol.done('GET', '/fapi/v1/userTrades', { symbol })
  const cost = await carol.done('GET', '/fapi/v1/income', { incomeType: 'INSURANCE_CLEAR' })
  assert.ok(sum(cost, 'income') < 0)
  const wallet = Number((await carol.done('GET', '/fapi/v2/balance'))[0].balance)
  near(wallet, 10_000 + sum(trades, 'realizedPnl') - sum(trades, 'commission') + sum(cost, 'income'))
  near(wallet, sum(await carol.done('GET', '/fapi/v1/income', { limit: 1_000 }), 'income'))
})
