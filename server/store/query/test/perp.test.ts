import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Market } from '@candor/core/protocol/market.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import { Refused } from '../../../refused.ts'
import type { Store } from '../../open.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { insurance } from '../market/insurance.ts'
import { liquidationOf } from '../liquidation.ts'
import { fills, orderById, orderHistory } from '../orders.ts'
import { closedPositions, fundingPayments, fundingRates } from '../perp.ts'
import { markets, Scenario, usdt } from './scenario.ts'

const day = Date.UTC(2026, 0, 15)
const hour = 3_600_000
const [alice, bob] = [1, 2] as const
const [btcUsdt, ethUsdt] = markets
const btcPerp = { ...btcUsdt, id: 4, symbol: 'BTCUSDTPERP', perp: { index: 1 } } as Market as typeof btcUsdt
const ethPerp = { ...ethUsdt, id: 5, symbol: 'ETHUSDTPERP', perp: { index: 2 } } as Market as typeof ethUsdt
const venues = ['binance', 'okx', 'kraken'] as const

let server: ScratchServer
let store: Store
before(async () => {
  server = await startScratchServer()
  store = await server.store()
  await someDays().write(store.pool)
})
after(() => server[Symbol.asyncDispose]())

const position = (number: number, user: number, of: typeof btcPerp, lots: number, cost: number, more: object = {}) => ({
  ...{ type: 'perp.position', position: number, user, market: of.id, side: 'both', mode: 'isolated', leverage: 10, lots, cost },
  ...{ margin: Math.ceil(cost / 10), liquidationPrice: 550_000, realised: 0, fees: 500, funding: 0, openedAt: day + hour, ...more },
})

const closed = (number: number, user: number, of: typeof btcPerp, closedAt: number, more: object = {}) => ({
  ...{ type: 'perp.closed', position: number, user, market: of.id, side: 'buy', mode: 'isolated', leverage: 3 },
  ...{ openedLots: 3n, openedValue: 1_000_000n, closedLots: 3n, closedValue: 1_100_000n, realised: 100_000, fees: 700, funding: -300 },
  ...{ cause: 'order', openedAt: day + hour, closedAt, ...more },
})

/** Marks and quotes, positions open over midnight, funding, a liquidation of two steps, and many closed positions. */
function someDays(): Scenario {
  const world = new Scenario(day + hour)
  world.command({ type: 'market.listed', market: btcPerp }, { type: 'market.listed', market: ethPerp })
  world.open(alice)
  world.open(bob)
  const quotes = [0, 1, 2].map((venue) => ({ venue, price: 6_000_000_000_000 + (venue - 1) * 1_000_000 }))
  const tape = { type: 'tape.extended', tick: 1, at: world.at, hash: 'a'.repeat(64) }
  world.command(
    { ...tape, prices: [{ market: 1, price: 6_000_000_000_000, sources: 3, isGood: true, quotes }] },
    { type: 'perp.marked', market: 4, mark: 600_010, index: 6_000_000_000_000, fundingRate: 100_000, fundingAt: day + 8 * hour },
  )
  // 100,000 lots of 0.00001 BTC at 60,000: one BTC each way.
  world.command(position(11, alice, btcPerp, 100_000, 60_000_000_000), position(12, bob, btcPerp, -100_000, 60_000_000_000))
  world.at = day + 8 * hour
  const paid = { rate: 100_000, market: 4 }
  world.command(
    { type: 'perp.funded', ...paid, mark: 600_010, paid: 6_000_101, received: 6_000_100, rest: 1, at: world.at },
    { type: 'perp.fundingPaid', ...paid, user: alice, position: 11, lots: 100_000, amount: -6_000_101 },
    { type: 'perp.fundingPaid', ...paid, user: bob, position: 12, lots: -100_000, amount: 6_000_100 },
    world.entry({ system: 'insurance', asset: usdt.id }, 'funding', 1),
  )
  world.at = day + 24 * hour + 5
  world.command({ type: 'perp.marked', market: 4, mark: 590_000, index: 5_900_000_000_000, fundingRate: 0, fundingAt: day + 32 * hour })
  liquidate(world)
  for (let number = 100; number < 140; number++) {
    world.at += number % 3
    const profit = { realised: (number % 3) * 1_000 - 1_000, fees: 0, funding: 0 }
    world.command(closed(number, 1 + (number % 2), number % 5 === 0 ? ethPerp : btcPerp, world.at, profit))
  }
  return world
}

/** Alice's long position: a first step through the book, a second that needs the fund and a counterparty by deleveraging. */
function liquidate(world: Scenario): void {
  const step = { type: 'perp.liquidated', user: alice, market: 4, position: 11, mark: 545_000, index: 5_450_000_000_000 }
  const state = { equity: 1_500_000_000, maintenance: 2_000_000_000, maintenancePpm: 40_000, bankruptcyPrice: 540_000, insured: 0 }
  const order = { type: 'order.accepted', list: 0, clientId: '', market: 4, timeInForce: 'IOC', orderType: 'limit', spend: 0, display: 0 }
  const perp = { position: 'both', isReduceOnly: true, isClosing: false, triggerBy: 'last', isLiquidation: true }
  const terms = { ...order, price: 545_000, lots: 25_000, isPostOnly: false, perp }
  const trade = { type: 'traded', market: 4, trade: 1, takerSide: 'sell', price: 545_000, lots: 10_000, quote: 5_450_000_000 }
  const sides = { makerOrder: 900, takerOrder: 901, makerUser: bob, takerUser: alice, makerFee: 1_090_000, takerFee: 0 }
  world.command({ ...terms, order: 900, user: bob, side: 'buy', perp: { ...perp, isReduceOnly: false, isLiquidation: false } })
  world.at += 1_000
  world.command(
    { ...terms, order: 901, user: alice, side: 'sell' },
    { ...trade, ...sides },
    { type: 'order.closed', order: 901, user: alice, market: 4, reason: 'ioc', executedLots: 10_000, executedQuote: 5_450_000_000 },
    { type: 'order.closed', order: 900, user: bob, market: 4, reason: 'cancelled', executedLots: 10_000, executedQuote: 5_450_000_000 },
    position(11, alice, btcPerp, 75_000, 45_000_000_000),
    { ...step, ...state, order: 901, askedLots: 25_000, closedLots: 10_000, fee: 27_250_000 },
    world.entry({ user: alice, kind: 'perp', asset: usdt.id }, 'realised', -50_000_000),
    world.entry({ system: 'insurance', asset: usdt.id }, 'liquidation-fee', 27_250_000),
  )
  world.at += 1_000
  world.command(
    position(11, alice, btcPerp, 0, 0),
    { type: 'perp.inventory', market: 4, lots: 75_000, cost: 40_500_000_000 },
    { type: 'perp.deleveraged', market: 4, price: 540_000, lots: 75_000, bankruptUser: alice, user: bob, position: 12 },
    { ...step, ...state, order: 0, askedLots: 75_000, closedLots: 0, fee: 0, insured: 5_000_000 },
    closed(11, alice, btcPerp, world.at, { leverage: 10, cause: 'liquidation', realised: -6_000_000_000, openedLots: 100_000n }),
    world.entry({ user: alice, kind: 'perp', asset: usdt.id }, 'realised', -6_000_000_000),
  )
}

async function walk<T>(read: (before?: string) => Promise<WirePage<T>>): Promise<readonly T[]> {
  const all: T[] = []
  for (let page = await read(); ; page = await read(page.next)) {
    all.push(...page.items)
    if (page.next === undefined) return all
  }
}

test('PERP-HISTORY-001: a closed position shows its prices of opening and closing, its profit and how long it was held', async () => {
  const all = await walk((before) => closedPositions(store.pool, alice as UserId, { before }))
  assert.deepEqual(
    all.find(({ id }) => id === '11'),
    {
      ...{ id: '11', symbol: 'BTCUSDTPERP', side: 'buy', mode: 'isolated', leverage: 10 },
      ...{ openPrice: '1', openQuantity: '1.00000', openAmount: '0.1', totalOpenAmount: '1', settlePrice: '36666.66666667' },
      ...{ settleProfit: '-6000.001', realised: '-6000', fees: '0.0007', funding: '-0.0003', result: 'loss', cause: 'liquidation' },
      ...{ openedAt: day + hour, completedAt: day + 24 * hour + 2_005, holdingMs: 23 * hour + 2_005 },
    },
  )
  // A third of a value rounds up, as its margin did.
  assert.equal(all.find(({ leverage }) => leverage === 3)?.openAmount, '0.333334')
})

test('PERP-HISTORY-002: closed positions are listed last closed first; market and time filter the whole list', async () => {
  const all = await walk((before) => closedPositions(store.pool, bob as UserId, { before }))
  assert.equal(all.length, 20)
  assert.deepEqual(
    all.map(({ completedAt }) => completedAt),
    all.map(({ completedAt }) => completedAt).toSorted((a, b) => b - a),
  )
  for (const limit of [1, 7, 500])
    assert.deepEqual(await walk((before) => closedPositions(store.pool, bob as UserId, { limit, before })), all)
  const of = (market: number) =>
    walk((before) => closedPositions(store.pool, bob as UserId, { market: market as MarketId, limit: 3, before }))
  assert.deepEqual(
    await of(5),
    all.filter(({ symbol }) => symbol === 'ETHUSDTPERP'),
  )
  const [from, to] = [all.at(-3)!.completedAt, all[2]!.completedAt]
  assert.deepEqual(
    await walk((before) => closedPositions(store.pool, bob as UserId, { from, to, before, limit: 4 })),
    all.filter(({ completedAt }) => completedAt >= from && completedAt <= to),
  )
  await assert.rejects(closedPositions(store.pool, bob as UserId, { before: 'x' }), (error) => error instanceof Refused)
})

test('PERP-HISTORY-003: funding shows each own payment and the rates of each Futures market, in percent', async () => {
  const [own] = (await fundingPayments(store.pool, alice as UserId)).items
  const expected = { symbol: 'BTCUSDTPERP', rate: '0.01', quantity: '1.00000', amount: '-6.000101', time: day + 8 * hour }
  assert.deepEqual({ ...own, id: '' }, { id: '', ...expected })
  const [other] = (await fundingPayments(store.pool, bob as UserId, { market: 4 as MarketId, limit: 1 })).items
  assert.deepEqual([other?.quantity, other?.amount], ['-1.00000', '6.0001'])
  assert.deepEqual((await fundingPayments(store.pool, bob as UserId, { market: 5 as MarketId })).items, [])
  const paidAt = day + 8 * hour
  const within = async (span: { readonly from?: number; readonly to?: number }) =>
    (await fundingPayments(store.pool, alice as UserId, span)).items.map(({ time }) => time)
  assert.deepEqual(await within({ from: paidAt, to: paidAt }), [paidAt])
  assert.deepEqual(await within({ from: paidAt + 1 }), [])
  assert.deepEqual(await within({ to: paidAt - 1 }), [])
  const rate = { symbol: 'BTCUSDTPERP', rate: '0.01', mark: '60001.0', time: day + 8 * hour }
  assert.deepEqual((await fundingRates(store.pool, { market: 4 as MarketId })).items, [rate])
  assert.deepEqual((await fundingRates(store.pool, {})).items, [rate])
})

test('PERP-HISTORY-004: a liquidation shows, step by step, the prices with their sources, equity and maintenance, the closed quantity, and the ledger lines', async () => {
  const found = await liquidationOf(store.pool, alice as UserId, 11 as OrderId, venues)
  assert.equal(found?.symbol, 'BTCUSDTPERP')
  const [one, two] = found.steps
  assert.deepEqual(
    { ...one, seq: 0, orderId: '' },
    {
      ...{ seq: 0, time: day + 24 * hour + 1_005, mark: '54500.0', index: '54500', orderId: '' },
      sources: [
        { venue: 'binance', price: '59999.99' },
        { venue: 'okx', price: '60000' },
        { venue: 'kraken', price: '60000.01' },
      ],
      ...{ equity: '1500', maintenance: '2000', maintenancePpm: 40_000, askedQuantity: '0.25000', closedQuantity: '0.10000' },
      ...{ averagePrice: '54500', bankruptcyPrice: '54000.0', fee: '27.25', insured: '0', deleveraged: [] },
      entries: [{ account: 'perp', reason: 'realised', amount: '-50', balance: '-50' }],
    },
  )
  assert.deepEqual([two?.orderId, two?.averagePrice, two?.insured], [null, null, '5'])
  assert.deepEqual(two?.deleveraged, [{ price: '54000.0', quantity: '0.75000' }])
  assert.equal(two?.entries.length, 1)
  assert.equal(await liquidationOf(store.pool, bob as UserId, 11 as OrderId, venues), undefined, 'it is shown to its owner only')
})

test('PERP-HISTORY-007: orders and fills of Futures have lists of their own, with fees in the settlement asset', async () => {
  const [order] = (await orderHistory(store.pool, alice as UserId, { kind: 'perp' })).items
  const perp = { position: 'both', reduceOnly: true, closing: false, triggerBy: 'last', liquidation: true }
  assert.deepEqual([order?.symbol, order?.status, order?.perp], ['BTCUSDTPERP', 'expired', perp])
  assert.deepEqual((await orderHistory(store.pool, alice as UserId, { kind: 'spot' })).items, [])
  const [fill] = (await fills(store.pool, bob as UserId, { kind: 'perp' })).items
  assert.deepEqual([fill?.side, fill?.fee, fill?.feeAsset], ['buy', '1.09', 'USDT'])
  assert.deepEqual((await fills(store.pool, bob as UserId, { kind: 'spot' })).items, [])
  assert.equal((await orderById(store.pool, bob as UserId, 900 as OrderId))?.fills.length, 1)
})

test('PERP-HISTORY-005: the insurance fund shows its current balance and that of each day on which it changed; its inventory is an hour old', async () => {
  const { rows } = await store.pool.query<{ at_ms: number }>('select at_ms from fund_inventory')
  const carriedAt = rows[0]!.at_ms
  const inventory = [{ symbol: 'BTCUSDTPERP', quantity: '0.75', cost: '40500' }]
  assert.deepEqual((await insurance(store.pool, 'USDT', carriedAt + 3_599_999)).inventory, [])
  assert.deepEqual(await insurance(store.pool, 'USDT', carriedAt + 3_600_000), {
    ...{ asset: 'USDT', balance: '27.250001', inventory },
    days: [
      { day: '2026-01-15', balance: '0.000001' },
      { day: '2026-01-16', balance: '27.250001' },
    ],
  })
  assert.deepEqual(await insurance(store.pool, 'BTC', carriedAt), { asset: 'BTC', balance: '0', days: [], inventory: [] })
})

test('PERP-HISTORY-006: the tables have open positions, and their worth by user at the end of the day', async () => {
  const { rows } = await store.pool.query('select position, quantity, cost, liquidation_price from positions order by position')
  assert.deepEqual(rows, [{ position: 12, quantity: '-1.00000', cost: '60000.000000', liquidation_price: '55000.0' }])
  const days = await store.pool.query('select user_id, day_ms, trim_scale(unrealised) as unrealised from perp_days order by user_id')
  assert.deepEqual(days.rows, [
    { user_id: alice, day_ms: day, unrealised: '1' },
    { user_id: bob, day_ms: day, unrealised: '-1' },
  ])
})
