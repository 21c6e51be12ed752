import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { MarketId, OrderId, PreventedMatchId, TradeId, UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import type { Store } from '../../open.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { fillsIn } from '../programs/fills.ts'
import { closedOrders, firstLegsOf, listLegs, listClientIds, orderByClientId, ordersById } from '../programs/orders.ts'
import { lastEntryAt } from '../programs/account.ts'
import { forcedOrders, marginChanges, perpEntries, perpFills } from '../programs/perp-history.ts'
import { endedPerpOrders, perpOrder } from '../programs/perp-orders.ts'
import { preventedMatch, preventedOf } from '../programs/prevented.ts'
import { dailyRates, interestOf, liquidationOrders, loansOf } from '../programs/loans.ts'
import { transfersOf } from '../programs/transfers.ts'
import { faucetSince, records, recordSums } from '../funds.ts'
import { ratePoints } from '../lending.ts'
import { liquidationOf } from '../liquidation.ts'
import { loanChanges, marginLiquidations } from '../loans.ts'
import { dayWorths } from '../worth.ts'
import { readFacts } from '../daily/facts.ts'
import { candles, siteVolume, trades } from '../market/market.ts'
import { endOfTime, encodeCursor } from '../page.ts'
import { closedPositions, fundingPayments, fundingRates } from '../perp.ts'
import { orderById, orderHistory, fills } from '../orders.ts'

let server: ScratchServer
let store: Store
before(async () => {
  server = await startScratchServer()
  store = await server.store()
})
after(() => server[Symbol.asyncDispose]())

const user = 1 as UserId

const span = { startTime: 1, endTime: 2, current: 2, size: 10 }

/** Every list that can grow without end, with all its filters. */
const reads: Readonly<Record<string, (pool: pg.Pool) => Promise<unknown>>> = {
  orderHistory: (pool) => orderHistory(pool, user, { kind: 'spot' }),
  'orderHistory, filtered': (pool) =>
    orderHistory(pool, user, {
      kind: 'spot',
      market: 1 as MarketId,
      side: 'buy',
      status: 'filled',
      from: 1,
      to: 2,
      before: encodeCursor(5, 5),
    }),
  orderById: (pool) => orderById(pool, user, 7 as OrderId),
  fills: (pool) => fills(pool, user, { kind: 'spot' }),
  'fills, filtered': (pool) =>
    fills(pool, user, { kind: 'spot', market: 1 as MarketId, order: 7 as OrderId, from: 1, to: 2, before: encodeCursor(5, 1, 5, 1) }),
  records: (pool) => records(pool, user),
  'records, filtered': (pool) => records(pool, user, { type: 'fee', asset: 'BTC', from: 1, to: endOfTime, before: encodeCursor(5, 5, 5) }),
  recordSums: (pool) => recordSums(pool, user, { from: 1, to: 2 }),
  'recordSums, filtered': (pool) => recordSums(pool, user, { type: 'fee', asset: 'BTC', account: 'spot', from: 1, to: 2 }),
  closedPositions: (pool) => closedPositions(pool, user),
  'closedPositions, filtered': (pool) => closedPositions(pool, user, { market: 1 as MarketId, from: 1, to: 2, before: encodeCursor(5, 5) }),
  fundingPayments: (pool) => fundingPayments(pool, user),
  'fundingPayments, filtered': (pool) =>
    fundingPayments(pool, user, { market: 1 as MarketId, from: 1, to: 2, before: encodeCursor(5, 5, 5) }),
  fundingRates: (pool) => fundingRates(pool),
  liquidationOf: (pool) => liquidationOf(pool, user, 7 as OrderId, []),
  loanChanges: (pool) => loanChanges(pool, user),
  'loanChanges, filtered': (pool) => loanChanges(pool, user, { market: 1 as MarketId, asset: 'USDT', before: encodeCursor(5, 5, 5) }),
  marginLiquidations: (pool) => marginLiquidations(pool, user, { before: encodeCursor(5, 5, 5) }),
  'transfersOf, of a coin': (pool) =>
    transfersOf(pool, user, { ...span, from: 'spot', to: 'margin-isolated', asset: 'USDT', toMarket: 'BTCUSDT' }),
  transfersOf: (pool) => transfersOf(pool, user, { ...span, from: 'spot', to: 'perp' }),
  loansOf: (pool) => loansOf(pool, user, 'repay', { ...span, market: '' }),
  'loansOf, one': (pool) => loansOf(pool, user, 'borrow', { ...span, market: 'BTCUSDT', asset: 'USDT', seq: 5 }),
  interestOf: (pool) => interestOf(pool, user, { ...span, market: '' }),
  liquidationOrders: (pool) => liquidationOrders(pool, user, { ...span, market: 'BTCUSDT' }),
  dailyRates: (pool) => dailyRates(pool, 'USDT', 0, 172_800_000),
  ratePoints: (pool) => ratePoints(pool, 'USDT', 5_000_000),
  lastEntryAt: (pool) => lastEntryAt(pool, user),
  ordersById: (pool) => ordersById(pool, user, [7 as OrderId]),
  orderByClientId: (pool) => orderByClientId(pool, user, 'one'),
  closedOrders: (pool) => closedOrders(pool, user, 'BTCUSDT', 'spot', { limit: 10 }),
  'closedOrders, from a number': (pool) => closedOrders(pool, user, 'BTCUSDT', 'margin-cross', { fromId: 5 as OrderId, end: 9, limit: 10 }),
  listLegs: (pool) => listLegs(pool, user, 'spot', { limit: 10 }),
  'listLegs, from a time': (pool) => listLegs(pool, user, 'spot', { start: 5, end: 9, limit: 10 }),
  listClientIds: (pool) => listClientIds(pool, user, ['one']),
  firstLegsOf: (pool) => firstLegsOf(pool, user, 'one'),
  fillsIn: (pool) => fillsIn(pool, user, 'BTCUSDT', 'spot', { limit: 10 }),
  'fillsIn, of an order from a number': (pool) =>
    fillsIn(pool, user, 'BTCUSDT', 'spot', { order: 7 as OrderId, fromId: 5 as TradeId, limit: 10 }),
  preventedMatch: (pool) => preventedMatch(pool, user, 'BTCUSDT', 'spot', 5 as PreventedMatchId),
  preventedOf: (pool) => preventedOf(pool, user, 'BTCUSDT', 'spot', { order: 7 as OrderId, from: 5 as PreventedMatchId, limit: 10 }),
  perpOrder: (pool) => perpOrder(pool, user, undefined, { id: 7 as OrderId }),
  'perpOrder, by its client id': (pool) => perpOrder(pool, user, 1 as MarketId, { clientId: 'one' }),
  endedPerpOrders: (pool) => endedPerpOrders(pool, user, { market: 1 as MarketId, isConditional: false, limit: 10 }),
  'endedPerpOrders, from a number': (pool) =>
    endedPerpOrders(pool, user, { market: 1 as MarketId, isConditional: true, fromId: 5, end: 9, limit: 10 }),
  perpFills: (pool) => perpFills(pool, user, 'BTCUSDTPERP', { limit: 10 }),
  'perpFills, of an order from a number': (pool) =>
    perpFills(pool, user, 'BTCUSDTPERP', { order: 7 as OrderId, fromId: 5 as TradeId, limit: 10 }),
  perpEntries: (pool) => perpEntries(pool, user, { reasons: ['fee', 'realised'], limit: 10, offset: 10 }),
  'perpEntries, of a market from a time': (pool) =>
    perpEntries(pool, user, { symbol: 'BTCUSDTPERP', reasons: ['fee'], start: 5, limit: 10, offset: 0 }),
  forcedOrders: (pool) => forcedOrders(pool, user, { limit: 10 }),
  marginChanges: (pool) => marginChanges(pool, user, 'BTCUSDTPERP', { isIn: true, start: 5, limit: 10 }),
  faucetSince: (pool) => faucetSince(pool, user, 'USDT', 5),
  dayWorths: (pool) => dayWorths(pool, user, 0, 86_400_000),
  statement: (pool) => readFacts(pool, user, 0, 86_400_000),
  trades: (pool) => trades(pool, 'BTCUSDT', 50),
  'candles 1s': (pool) => candles(pool, 'BTCUSDT', '1s'),
  'candles 15m': (pool) => candles(pool, 'BTCUSDT', '15m', { endTime: 5 }),
  'candles 1M': (pool) => candles(pool, 'BTCUSDT', '1M'),
  siteVolume: (pool) => siteVolume(pool, Date.UTC(2026, 0, 15)),
}

for (const [name, read] of Object.entries(reads)) {
  test(`${name} reads its long tables by index, without scanning them`, async () => {
    const plans: string[] = []
    const client = await store.pool.connect()
    // Sequential scans are forbidden, but still planned where no index serves, so that the plan shows them.
    await client.query('set enable_seqscan = off; set enable_bitmapscan = off')
    const explaining = {
      query: async (text: string, values: unknown[]) => {
        const { rows } = await client.query(`explain ${text}`, values)
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
        return { rows: [] }
      },
    }
    await read(explaining as unknown as pg.Pool).catch(() => undefined)
    client.release(true)
    assert.ok(plans.length > 0)
    for (const plan of plans) {
      assert.doesNotMatch(
        plan,
        /Seq Scan on (orders|trades|prevented_matches|ledger_entries|balances|candles_1[smh]|volume_hours|closed_positions|funding_\w+|liquidations|deleverages|margin_changes|loan_changes|margin_liquidations|lend_rates|debt_days)/,
      )
      for (const [line] of plan.matchAll(
        /Index (?:Only )?Scan[^\n]* on (orders|trades|prevented_matches|ledger_entries|closed_positions|funding_\w+|liquidations|deleverages|margin_changes|loan_changes|margin_liquidations|lend_rates|debt_days)[^\n]*\n[^\n]*/g,
      )) {
        assert.match(line, /Index Cond/, 'an index that is only walked from end to end is a whole read too')
      }
    }
  })
}
