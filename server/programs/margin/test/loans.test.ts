import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { firstMarginTerms } from '@candor/core/risk/margin-terms.ts'
import { ask } from '../../test/program.ts'
import { MarginExchange, type Trader, until } from './exchange.ts'

const margin = '/sapi/v1/margin'
const borrowRepay = `${margin}/borrow-repay`
const dayMs = 86_400_000

let desk: MarginExchange
let user: Trader
before(async () => {
  desk = await MarginExchange.start('api-margin')
  user = await desk.trader({ USDT: '200000', BTC: '2' })
})
after(() => desk.exchange[Symbol.asyncDispose]())

/** A path that needs only the key. */
async function open(path: string, key = user.program.key) {
  return ask(`${desk.exchange.url}${margin}/${path}`, { headers: { 'X-MBX-APIKEY': key } })
}

test('API-MARGIN-001: pairs and coins of margin trading need only a key, signed or not, and only while margin trading is open', async () => {
  const { body: pairs } = await open('allPairs')
  assert.equal(pairs.length, 12)
  const rest = { base: 'BTC', quote: 'USDT', isMarginTrade: true, isBuyAllowed: true, isSellAllowed: true }
  const btcusdt = { symbol: 'BTCUSDT', ...rest }
  assert.deepEqual(pairs[0], { id: 1, ...btcusdt })
  assert.deepEqual((await open('isolated/allPairs')).body[0], btcusdt)
  assert.deepEqual(await user.get(`${margin}/isolated/allPairs`, { symbol: 'BTCUSDT' }), [btcusdt])
  assert.deepEqual((await open('pair?symbol=BTCUSDT')).body, { id: 1, ...btcusdt })
  assert.deepEqual((await open('isolated/pair?symbol=BTCUSDT')).body, btcusdt)
  const { body: coins } = await open('allAssets')
  assert.equal(coins.length, 13)
  const usdt = {
    assetName: 'USDT',
    assetFullName: 'Tether',
    isBorrowable: true,
    isMortgageable: true,
    userMinBorrow: '0',
    userMinRepay: '0',
  }
  assert.deepEqual(coins[0], usdt)
  assert.deepEqual((await open('asset?asset=USDT')).body, usdt)
  const { body: index } = await open('priceIndex?symbol=BTCUSDT')
  assert.deepEqual([index.price, index.symbol, Number.isInteger(index.calcTime)], ['60000', 'BTCUSDT', true])
  assert.deepEqual((await open('pair?symbol=ETHBTC')).body, { code: -3028, msg: 'Not a valid margin pair.' })
  assert.equal((await open('pair?symbol=NONE')).body.code, -1121)
  assert.equal((await open('asset?asset=NONE')).body.code, -3027)
  assert.equal((await ask(`${desk.exchange.url}${margin}/allPairs`)).body.code, -2014)

  await desk.exchange.link.submit(commandOf({ type: 'margin.setTerms', terms: { ...firstMarginTerms(6, []), isOpen: false } }))
  await until(async () => (await open('allPairs')).body.length === 0)
  assert.deepEqual((await open('allAssets')).body[0].isBorrowable, false)
  await desk.exchange.link.submit(commandOf({ type: 'margin.setTerms', terms: firstMarginTerms(6, []) }))
  await until(async () => (await open('allPairs')).body.length === 12)
})

test('API-MARGIN-002: terms, rates and limits are those by which the core decides', async () => {
  assert.deepEqual(await user.get(`${margin}/tradeCoeff`), { normalBar: '2', marginCallBar: '1.16', forceLiquidationBar: '1.1' })
  const [usdt, ...others] = await user.get(`${margin}/crossMarginData`, { coin: 'USDT', vipLevel: 0 })
  assert.equal(others.length, 0)
  // 0.0005 % an hour.
  assert.deepEqual([usdt.dailyInterest, usdt.yearlyInterest, usdt.marginablePairs.length], ['0.00012', '0.0438', 12])
  assert.equal((await user.get(`${margin}/crossMarginData`)).length, 13)
  const [pair] = await user.get(`${margin}/isolatedMarginData`, { symbol: 'BTCUSDT' })
  assert.deepEqual([pair.symbol, pair.leverage, pair.data.map(({ coin }: { coin: string }) => coin)], ['BTCUSDT', '10', ['BTC', 'USDT']])
  assert.deepEqual([pair.data[1].dailyInterest, pair.data[1].borrowLimit], ['0.00012', usdt.borrowLimit])
  const tiers = await user.get(`${margin}/isolatedMarginTier`, { symbol: 'BTCUSDT' })
  assert.equal(tiers.length, 6)
  assert.deepEqual(tiers[0], {
    ...{ symbol: 'BTCUSDT', tier: 1, effectiveMultiple: '10', initialRiskRatio: '1.111112', liquidationRiskRatio: '1.05' },
    ...{ baseAssetMaxBorrowable: '1.66666666', quoteAssetMaxBorrowable: '100000' },
  })
  assert.deepEqual(await user.get(`${margin}/isolatedMarginTier`, { symbol: 'BTCUSDT', tier: 1 }), [tiers[0]])
  assert.deepEqual(await user.get(`${margin}/next-hourly-interest-rate`, { assets: 'USDT,BTC', isIsolated: 'FALSE' }), [
    { asset: 'USDT', nextHourlyInterestRate: '0.000005' },
    { asset: 'BTC', nextHourlyInterestRate: '0.000005' },
  ])
  await user.refused('GET', `${margin}/next-hourly-interest-rate`, { assets: 'USDT,NONE' }, -3027)
})

test('API-MARGIN-003: a cross loan is borrowed, listed, charged and repaid; a repeat counts once', async () => {
  const trader = await desk.trader({ USDT: '30000', BTC: '1' })
  const empty = await trader.get(`${margin}/account`)
  assert.deepEqual(
    [empty.created, empty.marginLevel, empty.borrowEnabled, empty.tradeEnabled, empty.totalAssetOfBtc, empty.accountType],
    [true, '999', true, true, '0', 'MARGIN_1'],
  )
  await trader.move('MAIN_MARGIN', 'USDT', '30000')
  const most = await trader.get(`${margin}/maxBorrowable`, { asset: 'BTC' })
  // Bitcoin counts as 0.85 collateral here: 30,000 carry a debt of 75,000 of it.
  assert.ok(Number(most.amount) > 1.2 && Number(most.amount) <= 1.25, most.amount)
  assert.ok(Number(most.borrowLimit) >= Number(most.amount))

  const loan = { asset: 'BTC', isIsolated: 'FALSE', amount: '0.4', type: 'BORROW', clientTranId: 'loan-1' }
  const lent = await trader.post(borrowRepay, loan)
  assert.deepEqual(await trader.post(borrowRepay, loan), lent)
  await trader.refused('POST', borrowRepay, { ...loan, amount: '0.5' }, -2010)
  const { interest, ...btc } = await trader.cross('BTC')
  assert.deepEqual(btc, { asset: 'BTC', borrowed: '0.4', free: '0.4', locked: '0', netAsset: `-${interest}` })
  assert.ok(Number(interest) > 0)
  const account = await trader.get(`${margin}/account`)
  // Assets of 54,000 against a debt of 24,000 and a little interest.
  assert.ok(Number(account.marginLevel) > 2.249 && Number(account.marginLevel) <= 2.25, account.marginLevel)
  assert.equal(account.totalAssetOfBtc, '0.9')
  assert.ok(Number(account.totalLiabilityOfBtc) > 0.4 && Number(account.totalLiabilityOfBtc) < 0.401)
  assert.equal(
    (Number(account.totalAssetOfBtc) - Number(account.totalLiabilityOfBtc)).toFixed(8),
    Number(account.totalNetAssetOfBtc).toFixed(8),
  )
  assert.equal(account.TotalCollateralValueInUSDT, '54000')
  const free = Number((await trader.get(`${margin}/maxTransferable`, { asset: 'USDT' })).amount)
  assert.ok(free > 2_300 && free < 2_400, String(free))
  await trader.refused('POST', '/sapi/v1/asset/transfer', { type: 'MARGIN_MAIN', asset: 'USDT', amount: '7000' }, -3020)

  await desk.hourPasses()
  await until(async () => Number((await trader.cross('BTC')).interest) > Number(interest))
  const repaid = await trader.post(borrowRepay, { asset: 'BTC', isIsolated: 'FALSE', amount: '0.1', type: 'REPAY', clientTranId: 'back-1' })
  assert.deepEqual(
    await trader.post(borrowRepay, { asset: 'BTC', isIsolated: 'FALSE', amount: '0.1', type: 'REPAY', clientTranId: 'back-1' }),
    repaid,
  )
  await trader.move('MAIN_MARGIN', 'BTC', '0.5')
  const rest = await trader.post(borrowRepay, { asset: 'BTC', symbol: 'BTCUSDT', amount: '0.5', type: 'REPAY' })
  assert.deepEqual([(await trader.cross('BTC')).borrowed, (await trader.get(`${margin}/account`)).marginLevel], ['0', '999'])

  const loans = await trader.get(borrowRepay, { type: 'BORROW' })
  const { timestamp, ...first } = loans.rows[0]
  assert.deepEqual([loans.total, Number.isInteger(timestamp)], [1, true])
  assert.deepEqual(first, {
    ...{ asset: 'BTC', amount: '0.4', principal: '0.4', interest: '0', status: 'CONFIRMED', txId: lent.tranId, type: 'MANUAL' },
  })
  const charged = await trader.get(`${margin}/interestHistory`)
  assert.deepEqual([charged.total, charged.rows.map(({ type }: { type: string }) => type)], [2, ['PERIODIC', 'ON_BORROW']])
  const [hour, began] = charged.rows
  assert.deepEqual([began.interest, began.principal, began.txId, began.asset, began.rawAsset], [interest, '0.4', lent.tranId, 'BTC', 'BTC'])
  assert.equal(began.interestRate, ((Number(interest) / 0.4) * 24).toFixed(8).replace(/0+$/, ''))
  assert.deepEqual([hour.principal, hour.isolatedSymbol], ['0.4', undefined])

  const paid = await trader.get(borrowRepay, { type: 'REPAY' })
  assert.deepEqual(
    paid.rows.map(({ txId }: { txId: number }) => txId),
    [rest.tranId, repaid.tranId],
  )
  const [last, part] = paid.rows
  const interests = (Number(interest) + Number(hour.interest)).toFixed(8)
  assert.deepEqual([part.amount, Number(part.interest).toFixed(8)], ['0.1', interests])
  assert.equal((Number(part.principal) + Number(part.interest)).toFixed(8), '0.10000000')
  assert.equal((Number(last.principal) + Number(part.principal)).toFixed(8), '0.40000000')
  assert.equal((Number(last.amount) + Number(part.amount)).toFixed(8), (0.4 + Number(interests)).toFixed(8))
  const one = await trader.get(borrowRepay, { type: 'REPAY', txId: repaid.tranId, asset: 'BTC' })
  assert.deepEqual(one, { total: 1, rows: [part] })
  assert.deepEqual(await trader.get(borrowRepay, { type: 'REPAY', size: 1, current: 2 }), { total: 2, rows: [part] })
  assert.deepEqual(await trader.get(borrowRepay, { type: 'REPAY', asset: 'USDT' }), { total: 0, rows: [] })
  assert.deepEqual(await trader.get(borrowRepay, { type: 'BORROW', endTime: timestamp - 1 }), { total: 0, rows: [] })
})

test('API-MARGIN-004: isolated accounts are apart from each other and from the cross account', async () => {
  const trader = await desk.trader({ USDT: '5000' })
  assert.deepEqual(await trader.get(`${margin}/isolated/account`), {
    ...{ assets: [], totalAssetOfBtc: '0', totalLiabilityOfBtc: '0', totalNetAssetOfBtc: '0' },
  })
  await trader.move('MAIN_ISOLATED_MARGIN', 'USDT', '3000', { toSymbol: 'BTCUSDT' })
  const isolated = { asset: 'BTC', isIsolated: 'TRUE', symbol: 'BTCUSDT' }
  const lent = await trader.post(borrowRepay, { ...isolated, amount: '0.1', type: 'BORROW' })
  const { assets, ...totals } = await trader.get(`${margin}/isolated/account`)
  const [account, ...others] = assets
  const { interest } = account.baseAsset
  assert.ok(others.length === 0 && Number(interest) > 0)
  assert.deepEqual(account.baseAsset, {
    ...{ asset: 'BTC', borrowed: '0.1', free: '0.1', interest, locked: '0', netAsset: `-${interest}`, netAssetOfBtc: `-${interest}` },
    ...{ borrowEnabled: true, repayEnabled: true, totalAsset: '0.1' },
  })
  assert.deepEqual([account.quoteAsset.asset, account.quoteAsset.free, account.quoteAsset.netAssetOfBtc], ['USDT', '3000', '0.05'])
  const { marginLevel, liquidatePrice, baseAsset, quoteAsset, ...rest } = account
  assert.deepEqual([baseAsset.asset, quoteAsset.asset], ['BTC', 'USDT'])
  assert.deepEqual(rest, {
    ...{ symbol: 'BTCUSDT', isolatedCreated: true, enabled: true, marginLevelStatus: 'NORMAL', marginRatio: '10', indexPrice: '60000' },
    ...{ liquidateRate: '1.05', tradeEnabled: true },
  })
  // 0.1 BTC and 3,000 USDT against 0.1 BTC.
  assert.ok(Number(marginLevel) > 1.499 && Number(marginLevel) <= 1.5, marginLevel)
  assert.ok(Number(liquidatePrice) > 590_000 && Number(liquidatePrice) < 600_001, liquidatePrice)
  assert.deepEqual([totals.totalAssetOfBtc, Number(totals.totalLiabilityOfBtc) >= 0.1], ['0.15', true])
  const both = await trader.get(`${margin}/isolated/account`, { symbols: 'ETHUSDT,BTCUSDT' })
  assert.deepEqual(
    both.assets.map(({ symbol, marginLevelStatus }: any) => [symbol, marginLevelStatus]),
    [
      ['ETHUSDT', 'EXCESSIVE'],
      ['BTCUSDT', 'NORMAL'],
    ],
  )
  assert.equal((await trader.cross('BTC')).borrowed, '0')
  assert.deepEqual(await trader.get(`${margin}/isolated/accountLimit`), { enabledAccount: 1, maxAccount: 12 })
  const most = await trader.get(`${margin}/maxBorrowable`, { asset: 'BTC', isolatedSymbol: 'BTCUSDT' })
  // Nine times 3,000 USDT are 0.45 BTC.
  assert.ok(Number(most.amount) > 0.34 && Number(most.amount) < 0.35, most.amount)
  await trader.refused('GET', `${margin}/maxBorrowable`, { asset: 'ETH', isolatedSymbol: 'BTCUSDT' }, -3027)
  assert.ok(Number((await trader.get(`${margin}/maxTransferable`, { asset: 'USDT', isolatedSymbol: 'BTCUSDT' })).amount) < 2_400)

  await trader.move('MAIN_ISOLATEDMARGIN', 'USDT', '1', { toSymbol: 'ETHUSDT' })
  const loans = await trader.get(borrowRepay, { type: 'BORROW', isolatedSymbol: 'BTCUSDT' })
  assert.deepEqual([loans.total, loans.rows[0].isolatedSymbol, loans.rows[0].txId], [1, 'BTCUSDT', lent.tranId])
  assert.equal((await trader.get(borrowRepay, { type: 'BORROW' })).total, 0)
  assert.equal((await trader.get(`${margin}/interestHistory`, { isolatedSymbol: 'BTCUSDT' })).rows[0].isolatedSymbol, 'BTCUSDT')
  const five = 'BTCUSDT,ETHUSDT,BNBUSDT,SOLUSDT,XRPUSDT'
  assert.equal((await trader.get(`${margin}/isolated/account`, { symbols: five })).assets.length, 5)
  await trader.refused('GET', `${margin}/isolated/account`, { symbols: `${five},LTCUSDT` }, -1128)
  await trader.refused('GET', `${margin}/isolated/account`, { symbols: 'NONE' }, -1121)
})

test('API-MARGIN-005: an impossible loan or repayment is refused with its code', async () => {
  const trader = await desk.trader({ USDT: '1000' })
  await trader.move('MAIN_MARGIN', 'USDT', '600')
  const cross = { asset: 'USDT', isIsolated: 'FALSE', amount: '1' }
  await trader.refused(
    'POST',
    borrowRepay,
    { ...cross, type: 'BORROW', amount: '90000' },
    -3006,
    'Your borrow amount has exceed maximum borrow amount.',
  )
  await trader.refused('POST', borrowRepay, { ...cross, type: 'REPAY' }, -3015, 'Repay amount exceeds borrow amount.')
  await trader.refused('POST', borrowRepay, { ...cross, type: 'BORROW', isIsolated: 'TRUE' }, -1102)
  await trader.refused('POST', borrowRepay, { ...cross, type: 'BORROW', isIsolated: 'TRUE', symbol: 'NONE' }, -1121)
  await trader.refused('POST', borrowRepay, { ...cross, type: 'BORROW', isIsolated: 'TRUE', symbol: 'BTCUSDT', asset: 'ETH' }, -3027)
  await trader.refused('POST', borrowRepay, { ...cross, type: 'LEND' }, -1130)
  await trader.refused('POST', borrowRepay, { ...cross, type: 'BORROW', asset: 'NONE' }, -3027, 'Not a valid margin asset.')
  await trader.refused('POST', borrowRepay, { ...cross, type: 'BORROW', amount: '0.0000001' }, -1111)
  await trader.refused('POST', borrowRepay, { ...cross, type: 'BORROW', amount: '0' }, -1013)
  await trader.refused('GET', borrowRepay, {}, -1102)
  await trader.post(borrowRepay, { ...cross, type: 'BORROW', amount: '500' })
  // A transfer to Futures leaves at least the required level: in the account remains less than is owed.
  const { tranId } = await trader.move('MAIN_UMFUTURE', 'USDT', '100')
  assert.ok(tranId > 0)
  const rich = await desk.trader({ USDT: '100000000' })
  await rich.move('MAIN_MARGIN', 'USDT', '100000000')
  await rich.refused(
    'POST',
    borrowRepay,
    { asset: 'BTC', type: 'BORROW', amount: '1000' },
    -3045,
    "The system doesn't have enough asset now.",
  )
  await rich.post(borrowRepay, { asset: 'BTC', type: 'BORROW', amount: '0.01' })
  await rich.move('MARGIN_MAIN', 'BTC', '0.01')
  await rich.refused(
    'POST',
    borrowRepay,
    { asset: 'BTC', type: 'REPAY', amount: '0.01' },
    -3041,
    'Account has insufficient balance for requested action.',
  )
})

test('API-MARGIN-006: the history of rates has a row for each day, the current rate first', async () => {
  const rows = await user.get(`${margin}/interestRateHistory`, { asset: 'BTC', limit: 93 })
  const [now] = await user.get(`${margin}/crossMarginData`, { coin: 'BTC' })
  assert.deepEqual([rows[0].asset, rows[0].dailyInterestRate, rows[0].vipLevel], ['BTC', now.dailyInterest, 0])
  assert.equal(rows[0].timestamp % dayMs, 0)
  let later = rows
  for (let hours = 0; hours < 25 && later.length === rows.length; hours++) {
    await desk.hourPasses()
    later = await user.get(`${margin}/interestRateHistory`, { asset: 'BTC', limit: 93 })
  }
  assert.equal(later.length, rows.length + 1)
  assert.deepEqual([later[1].timestamp, later[0].timestamp], [rows[0].timestamp, rows[0].timestamp + dayMs])
  assert.ok(Number(later[1].dailyInterestRate) > 0)
  const [first, second] = [rows[0].timestamp, later[0].timestamp]
  const daysOf = async (fields: object) =>
    (await user.get(`${margin}/interestRateHistory`, { asset: 'BTC', ...fields })).map(({ timestamp }: { timestamp: number }) => timestamp)
  assert.deepEqual(await daysOf({ startTime: first, limit: 1 }), [first])
  assert.deepEqual(await daysOf({ startTime: first, endTime: second }), [second, first])
  assert.deepEqual(await daysOf({ startTime: first + 1 }), [second])
  assert.deepEqual(await daysOf({ endTime: second - 1, limit: 1 }), [first])
  assert.deepEqual(await daysOf({ startTime: second + 1 }), [])
  await user.refused('GET', `${margin}/interestRateHistory`, { asset: 'NONE' }, -3027)
})
