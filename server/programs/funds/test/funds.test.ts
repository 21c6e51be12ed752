import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import { startExchange, type TestExchange, type TestUser } from '../../../main/test/exchange.ts'
import { described } from '../../test/described.ts'
import { type Fields, type Program, programOf } from '../../test/program.ts'

let exchange: TestExchange
let user: TestUser
let program: Program
before(async () => {
  exchange = await startExchange({ seed: 'api-funds', hasFeeds: false })
  const prices = [1, 2].map((market) => ({ market, price: market === 1 ? 6e12 : 3e11, sources: 4, isGood: true }))
  await exchange.link.submit(commandOf({ type: 'index.tick', prices }))
  user = await exchange.user({ funds: { USDT: '10000', BTC: '2' }, isCertified: true })
  program = await programOf(exchange.url, user)
})
after(() => exchange[Symbol.asyncDispose]())

const transferPath = '/sapi/v1/asset/transfer'
const move = (fields: Fields, by = program) => described(by, 'POST', transferPath, fields)
const moved = (fields: Fields, by = program) => described(by, 'GET', transferPath, fields)

async function refused(fields: Fields, code: number, msg?: string, method = 'POST', path = transferPath): Promise<void> {
  const { status, body } = await program.signed(method, path, fields)
  assert.deepEqual([status, body.code], [400, code], `${JSON.stringify(fields)}: ${JSON.stringify(body)}`)
  if (msg !== undefined) assert.equal(body.msg, msg)
}

/** Balance of an account in the app. */
async function has(owner: TestUser, kind: string, asset: string, symbol?: string): Promise<string> {
  const { body } = await owner.call('GET', '/balances')
  const account = body.accounts.find((one: any) => one.kind === kind && one.symbol === symbol)
  return account?.balances.find((one: any) => one.asset === asset)?.available ?? '0'
}

test('API-WALLET-001: every listed coin has a line with its spot balance, and networks once there are any', async () => {
  const coins = await described(program, 'GET', '/sapi/v1/capital/config/getall')
  const { assets } = await exchange.link.ask.listing()
  assert.deepEqual(
    coins.map(({ coin }: { coin: string }) => coin),
    assets.map(({ symbol }) => symbol),
  )
  const usdt = coins.find(({ coin }: { coin: string }) => coin === 'USDT')
  assert.deepEqual(usdt, {
    ...{ coin: 'USDT', name: 'Tether', free: '10000', locked: '0', freeze: '0', withdrawing: '0', ipoing: '0', ipoable: '0', storage: '0' },
    ...{ trading: true, isLegalMoney: false, depositAllEnable: false, withdrawAllEnable: false, networkList: [] },
  })
})

test('API-WALLET-002: the hold of an open order is locked; coins are valued in BTC on request', async () => {
  const owner = await exchange.user({ funds: { USDT: '900', BTC: '0.5' } })
  const mine = await programOf(exchange.url, owner)
  const order = { clientId: 'o1', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '59000', quantity: '0.01' }
  assert.equal((await owner.call('POST', '/spot/orders', order)).status, 200)
  const list = await described(mine, 'POST', '/sapi/v3/asset/getUserAsset', { needBtcValuation: 'true' })
  const rest = { freeze: '0', withdrawing: '0', ipoable: '0' }
  assert.deepEqual(list, [
    { asset: 'USDT', free: '310', locked: '590', ...rest, btcValuation: '0.015' },
    { asset: 'BTC', free: '0.5', locked: '0', ...rest, btcValuation: '0.5' },
  ])
  const [btc, ...none] = await described(mine, 'POST', '/sapi/v3/asset/getUserAsset', { asset: 'BTC' })
  assert.deepEqual([btc.free, btc.btcValuation, none.length], ['0.5', '0', 0])
  assert.deepEqual(await described(mine, 'POST', '/sapi/v1/asset/get-funding-asset'), [])
  await refused({ asset: 'NONE' }, -1108, 'Invalid asset.', 'POST', '/sapi/v3/asset/getUserAsset')
  await refused({ asset: 'NONE' }, -1108, 'Invalid asset.', 'POST', '/sapi/v1/asset/get-funding-asset')
  await described(mine, 'POST', transferPath, { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '60' })
  const wallets = await described(mine, 'GET', '/sapi/v1/asset/wallet/balance')
  const balanceOf = (name: string) => wallets.find(({ walletName }: { walletName: string }) => walletName === name).balance
  assert.deepEqual([balanceOf('Spot'), balanceOf('USDⓈ-M Futures'), balanceOf('Cross Margin')], ['0.514', '0.001', '0'])
})

test('API-TRANSFER-001: transfers work between any two accounts of the user, and are in the history', async () => {
  const ways = [
    ['MAIN_UMFUTURE', 'USDT', '500', {}],
    ['UMFUTURE_MARGIN', 'USDT', '200', {}],
    ['MARGIN_ISOLATEDMARGIN', 'USDT', '150', { toSymbol: 'BTCUSDT' }],
    ['ISOLATED_MARGIN_MAIN', 'USDT', '40.5', { fromSymbol: 'BTCUSDT' }],
    ['MAIN_ISOLATED_MARGIN', 'BTC', '0.25', { toSymbol: 'BTCUSDT' }],
    ['MARGIN_UMFUTURE', 'USDT', '50', {}],
    ['UMFUTURE_MAIN', 'USDT', '1', {}],
    ['MAIN_MARGIN', 'BTC', '0.5', {}],
    ['MARGIN_MAIN', 'BTC', '0.1', {}],
    ['MAIN_OPTION', 'USDT', '7', {}],
    ['OPTION_MAIN', 'USDT', '3', {}],
  ] as const
  const ids: number[] = []
  for (const [type, asset, amount, more] of ways) ids.push((await move({ type, asset, amount, ...more })).tranId)
  assert.ok(
    ids.every((id, i) => Number.isSafeInteger(id) && id > (ids[i - 1] ?? 0)),
    JSON.stringify(ids),
  )
  assert.deepEqual(
    await Promise.all([
      has(user, 'spot', 'USDT'),
      has(user, 'perp', 'USDT'),
      has(user, 'margin-cross', 'BTC'),
      has(user, 'margin-isolated', 'USDT', 'BTCUSDT'),
      has(user, 'margin-isolated', 'BTC', 'BTCUSDT'),
      has(user, 'option', 'USDT'),
    ]),
    ['9537.5', '349', '0.4', '109.5', '0.25', '4'],
  )
  for (const [i, [type, asset, amount, more]] of ways.entries()) {
    const { total, rows } = await moved({ type })
    assert.equal(total, 1, type)
    const { timestamp, ...row } = rows[0]
    assert.ok(Math.abs(timestamp - Date.now()) < 60_000)
    assert.deepEqual(row, { asset, amount, type, status: 'CONFIRMED', tranId: ids[i], ...more })
  }
})

test('API-TRANSFER-002: a repeated transfer moves nothing more and has the same number; another with its client id is refused', async () => {
  const owner = await exchange.user({ funds: { USDT: '100' } })
  const mine = await programOf(exchange.url, owner)
  const fields = { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '10', clientTranId: 'again-1' }
  const first = await move(fields, mine)
  assert.deepEqual(await move(fields, mine), first)
  assert.deepEqual(await Promise.all([move(fields, mine), move(fields, mine)]), [first, first])
  assert.equal(await has(owner, 'spot', 'USDT'), '90')
  const other = await mine.signed('POST', transferPath, { ...fields, amount: '11' })
  assert.deepEqual([other.status, other.body.code], [400, -2010])
  const { clientTranId, ...without } = fields
  assert.equal(clientTranId, 'again-1')
  assert.notDeepEqual(await move(without, mine), await move(without, mine))
  assert.equal(await has(owner, 'spot', 'USDT'), '70')
  const { total, rows } = await moved({ type: 'MAIN_UMFUTURE' }, mine)
  assert.deepEqual([total, rows.at(-1).tranId], [3, first.tranId])
  const back = { clientId: 'app-1', asset: 'USDT', from: 'perp', to: 'spot', amount: '5' }
  const { id } = (await owner.call('POST', '/transfer', back)).body
  assert.equal((await owner.call('POST', '/transfer', back)).body.id, id)
  assert.equal(String((await moved({ type: 'UMFUTURE_MAIN' }, mine)).rows[0].tranId), id)
})

test('API-TRANSFER-003: the history has pages, newest first, and filters by time', async () => {
  const owner = await exchange.user({ funds: { USDT: '100' } })
  const mine = await programOf(exchange.url, owner)
  const ids: number[] = []
  for (let i = 1; i <= 5; i++) ids.push((await move({ type: 'MAIN_UMFUTURE', asset: 'USDT', amount: String(i) }, mine)).tranId)
  const idsOf = async (fields: Fields) => {
    const { total, rows } = await moved({ type: 'MAIN_UMFUTURE', ...fields }, mine)
    return [total, ...rows.map(({ tranId }: { tranId: number }) => tranId)]
  }
  const [a, b, c, d, e] = ids
  assert.deepEqual(await idsOf({}), [5, e, d, c, b, a])
  assert.deepEqual(await idsOf({ size: 2 }), [5, e, d])
  assert.deepEqual(await idsOf({ size: 2, current: 3 }), [5, a])
  assert.deepEqual(await idsOf({ size: 2, current: 4 }), [5])
  const { rows } = await moved({ type: 'MAIN_UMFUTURE' }, mine)
  assert.equal((await idsOf({ startTime: rows[0].timestamp }))[1], e)
  assert.deepEqual(await idsOf({ endTime: rows.at(-1).timestamp - 1 }), [0])
  assert.deepEqual(await moved({ type: 'UMFUTURE_MAIN' }, mine), { total: 0, rows: [] })
  await refused({ type: 'MAIN_UMFUTURE', startTime: 2, endTime: 1 }, -1127, undefined, 'GET')
  await refused({ type: 'MAIN_UMFUTURE', fromSymbol: 'BTCUSDT' }, -1130, undefined, 'GET')
})

test('API-TRANSFER-004: an impossible transfer is refused with its code, and nothing moves', async () => {
  const before = await has(user, 'spot', 'USDT')
  const usdt = { asset: 'USDT', amount: '1' }
  await refused(
    { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '1000000' },
    -5013,
    'Account has insufficient balance for requested action.',
  )
  await refused({ type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '0.0000001' }, -1111, "Parameter 'amount' has too much precision.")
  await refused({ type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '0' }, -1013)
  await refused({ type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '-1' }, -1100)
  await refused({ type: 'MAIN_UMFUTURE', asset: 'USDT' }, -1102)
  await refused({ type: 'MAIN_UMFUTURE', asset: 'NONE', amount: '1' }, -1108, 'Invalid asset.')
  await refused({ type: 'MAIN_FUNDING', ...usdt }, -1020, 'This operation is not supported: this exchange has no FUNDING account.')
  await refused({ type: 'CMFUTURE_MAIN', ...usdt }, -1020, 'This operation is not supported: this exchange has no CMFUTURE account.')
  await refused({ type: 'MAIN_PORTFOLIO_MARGIN', ...usdt }, -1020)
  await refused({ type: 'ISOLATEDMARGIN_ISOLATEDMARGIN', ...usdt, fromSymbol: 'BTCUSDT', toSymbol: 'ETHUSDT' }, -1020)
  for (const type of ['MAIN_MAIN', 'MAIN', 'MAIN_ELSEWHERE', '_MAIN', 'MAIN_']) await refused({ type, ...usdt }, -1130)
  await refused(
    { type: 'MAIN_ISOLATEDMARGIN', ...usdt },
    -1102,
    "Mandatory parameter 'toSymbol' was not sent, was empty/null, or malformed.",
  )
  await refused({ type: 'ISOLATEDMARGIN_MAIN', ...usdt }, -1102)
  await refused({ type: 'MAIN_UMFUTURE', ...usdt, toSymbol: 'BTCUSDT' }, -1128)
  await refused({ type: 'MAIN_ISOLATEDMARGIN', ...usdt, toSymbol: 'NONE' }, -1121, 'Invalid symbol.')
  await refused({ type: 'MAIN_ISOLATEDMARGIN', ...usdt, toSymbol: 'ETHBTC' }, -3028)
  for (const type of ['MAIN_UMFUTURE', 'MAIN_OPTION']) {
    await refused({ type, asset: 'BTC', amount: '0.01' }, -3027, 'Not a valid margin asset.')
  }
  await refused({ type: 'MAIN_UMFUTURE', ...usdt, clientTranId: 'ä' }, -1100)
  assert.equal(await has(user, 'spot', 'USDT'), before)
  const reader = await programOf(exchange.url, user, ['read'])
  const { status, body } = await reader.signed('POST', transferPath, { type: 'MAIN_UMFUTURE', ...usdt })
  assert.deepEqual([status, body.code], [401, -2015])
  const uncertified = await programOf(exchange.url, await exchange.user({ funds: { USDT: '10' } }))
  const closed = await uncertified.signed('POST', transferPath, { type: 'MAIN_MARGIN', ...usdt })
  assert.deepEqual([closed.status, closed.body.code], [403, -2015])
})

test('API-TRANSFER-005: the margin that Futures and loans need can’t be transferred out', async () => {
  const long = await exchange.user({ funds: { USDT: '1000' }, isCertified: true })
  const short = await exchange.user({ funds: { USDT: '1000' }, isCertified: true })
  const [own, other] = [await programOf(exchange.url, long), await programOf(exchange.url, short)]
  for (const [who, program, side] of [
    [long, own, 'buy'],
    [short, other, 'sell'],
  ] as const) {
    await move({ type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '500' }, program)
    const order = { clientId: 'p1', symbol: 'BTCUSDTPERP', side, type: 'limit', price: '60000', quantity: '0.005' }
    const { status, body } = await who.call('POST', '/perp/orders', order)
    assert.equal(status, 200, JSON.stringify(body))
  }
  const out = await own.signed('POST', transferPath, { type: 'UMFUTURE_MAIN', asset: 'USDT', amount: '499' })
  assert.deepEqual([out.status, out.body], [400, { code: -5013, msg: 'Account has insufficient balance for requested action.' }])
  await move({ type: 'MAIN_MARGIN', asset: 'USDT', amount: '400' }, own)
  await described(own, 'POST', '/sapi/v1/margin/borrow-repay', { asset: 'USDT', amount: '500', type: 'BORROW' })
  const back = await own.signed('POST', transferPath, { type: 'MARGIN_MAIN', asset: 'USDT', amount: '400' })
  assert.deepEqual([back.status, back.body], [400, { code: -3020, msg: 'Transfer out amount exceeds max amount.' }])
})

test('API-FEE-001: trade fees are those of the account’s tier, for one market or all', async () => {
  const [one, ...none] = await described(program, 'GET', '/sapi/v1/asset/tradeFee', { symbol: 'BTCUSDT' })
  assert.deepEqual([one, none.length], [{ symbol: 'BTCUSDT', makerCommission: '0.001', takerCommission: '0.001' }, 0])
  const all = await described(program, 'GET', '/sapi/v1/asset/tradeFee')
  const { markets } = await exchange.link.ask.listing()
  assert.deepEqual(
    all.map(({ symbol }: { symbol: string }) => symbol),
    markets.filter(({ perp }) => perp === undefined).map(({ symbol }) => symbol),
  )
  const maker = await exchange.user({ funds: { USDT: '2000000', BTC: '40' }, class: 'bench' })
  const taker = await exchange.user({ funds: { USDT: '4000000' }, class: 'bench' })
  const trade = { symbol: 'BTCUSDT', type: 'limit', price: '60000', quantity: '20' }
  assert.equal((await maker.call('POST', '/spot/orders', { ...trade, clientId: 'm', side: 'sell' })).status, 200)
  assert.equal((await taker.call('POST', '/spot/orders', { ...trade, clientId: 't', side: 'buy' })).status, 200)
  const { tier } = await exchange.link.ask.tier(taker.id)
  const { fees } = await exchange.link.ask.listing()
  assert.ok(tier > 0)
  const [cheaper] = await described(await programOf(exchange.url, taker), 'GET', '/sapi/v1/asset/tradeFee', { symbol: 'BTCUSDT' })
  assert.deepEqual(
    [Number(cheaper.makerCommission), Number(cheaper.takerCommission)],
    [fees[tier]!.makerPpm / 1e6, fees[tier]!.takerPpm / 1e6],
  )
  await refused({ symbol: 'NONE' }, -1121, 'Invalid symbol.', 'GET', '/sapi/v1/asset/tradeFee')
})
