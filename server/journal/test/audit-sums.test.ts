import * as codec from '@candor/core/protocol/codec/event-write.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { Balance } from '@candor/core/protocol/port.ts'
import { type Loose, plain } from '@candor/core/money/test/plain.ts'
import { marketOf } from '@candor/core/protocol/test/literals.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Store } from '../../store/open.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { WrittenJournal } from '../../store/projector/test/written-journal.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { compareBalances, readTables, type Tables } from '../audit-tables.ts'
import { readTradeTable, TradeSums, type TradeTable } from '../audit-trades.ts'

let server: ScratchServer
let store: Store
let written: WrittenJournal
before(async () => {
  server = await startScratchServer()
  store = await server.store()
  written = new WrittenJournal(store.pool)
  await written.open()
  await written.trade(30)
  await using projector = await startProjector({ store })
  await projector.reached(written.seq)
})
after(() => server[Symbol.asyncDispose]())

/** The tables as they are after these changes, which are then taken back. */
async function tablesAfter(sql: string, seq = 0): Promise<Tables> {
  const client = await store.pool.connect()
  try {
    await client.query(`begin; ${sql}`)
    return await readTables(client, seq)
  } finally {
    await client.query('rollback')
    client.release()
  }
}
async function one(sql: string): Promise<string> {
  const { rows } = await store.pool.query<{ place: string }>(sql)
  return rows[0]!.place
}

const follows = 'A ledger entry does not follow from the one before it:'
const addsUp = 'The ledger entries do not add up to the balance of'
const product = 'Price × quantity is not the sum of trade'
const executed = 'Orders and trades differ in what was executed in'

test('JOURNAL-AUDIT-001: untouched tables contradict themselves nowhere, and tell their position, balances and trades', async () => {
  const { seq, balances, trades, problems } = await tablesAfter('select')
  assert.deepEqual(problems, [])
  assert.equal(seq, written.seq)
  const { assets, markets } = written.exchange.listing()
  assert.deepEqual(compareBalances({ seq, balances, trades, problems }, written.exchange.accounts(), assets, markets), [])
  const counted = await one('select count(*)::text as place from trades')
  assert.equal(
    [...trades.values()].reduce((sum, { count }) => sum + Number(count), 0),
    Number(counted),
  )
})

test('JOURNAL-AUDIT-003: an entry with another balance is named', async () => {
  const last = (user: number) =>
    `from ledger_entries where user_id = ${user} and kind = 'spot' and asset = 'USDT' order by seq desc, line desc limit 1`
  const change = (user: number, values: string) =>
    `update ledger_entries set ${values} where (seq, line) = (select seq, line ${last(user)})`
  const place = await one(`select seq || '-' || line as place ${last(3)}`)
  assert.deepEqual((await tablesAfter(change(3, 'available = available + 0.000001'))).problems, [`${follows} ${place}`])
  assert.deepEqual((await tablesAfter(change(3, 'held = held + 1'))).problems, [`${follows} ${place}`])
  const isMoved = 'available = available + 1, held = held - 1'
  assert.deepEqual((await tablesAfter(change(3, isMoved))).problems, [`${follows} ${place}`])
  assert.deepEqual((await tablesAfter(change(4, isMoved))).problems, [], 'the entries of a maker do not tell what is held')
})

test('JOURNAL-AUDIT-003: a balance that is not the sum of its entries is named', async () => {
  const change = (user: number, values: string) =>
    `update balances set ${values} where user_id = ${user} and kind = 'spot' and asset = 'USDT'`
  const named = [`${addsUp} 3/spot//USDT`]
  assert.deepEqual((await tablesAfter(change(3, 'held = held + 0.000001'))).problems, named)
  const isMoved = 'available = available + 1, held = held - 1'
  assert.deepEqual((await tablesAfter(change(3, isMoved))).problems, named)
  assert.deepEqual((await tablesAfter(change(4, isMoved))).problems, [], 'the entries of a maker do not tell what is held')
  assert.deepEqual((await tablesAfter("delete from balances where user_id = 3 and kind = 'spot' and asset = 'USDT'")).problems, named)
})

test('JOURNAL-AUDIT-003: a trade whose price does not give its sum, and what orders and trades do not share, are named', async () => {
  const [trade, market] = [await one("select min(trade_id) as place from trades where market = 'BTCUSDT'"), "market = 'BTCUSDT'"]
  const price = `update trades set price = price + 1 where ${market} and trade_id = ${trade}`
  assert.deepEqual((await tablesAfter(price)).problems, [`${product} BTCUSDT ${trade}`])
  const gone = `delete from trades where ${market} and trade_id = ${trade}`
  assert.deepEqual((await tablesAfter(gone)).problems, [`${executed} BTCUSDT`])
  const order = `update orders set executed_quote = executed_quote + 1 where id = (select max(id) from orders where ${market})`
  assert.deepEqual((await tablesAfter(order)).problems, [`${executed} BTCUSDT`])
})

test('JOURNAL-AUDIT-003: of one contradiction, ten places are named', async () => {
  const { problems } = await tablesAfter('update trades set price = price + 1')
  assert.equal(problems.length, 10)
  assert.ok(problems.every((problem) => problem.startsWith(product)))
})

test('JOURNAL-AUDIT-002: trades up to the position at which a replay began are left out', async () => {
  const place = await one('select (max(seq) - 1)::text as place from trades')
  const { trades } = await tablesAfter('select', Number(place))
  const [ids, all] = [[...trades.values()].map((row) => row.ids), await one('select max(seq)::text as place from trades')]
  const wanted = await store.pool.query<{ ids: string }>(
    `select sum(trade_id)::text as ids from trades where seq = ${all} group by market, taker_side`,
  )
  assert.deepEqual(ids.sort(), wanted.rows.map((row) => row.ids).sort())
  const client = await store.pool.connect()
  assert.equal((await readTradeTable(client, written.seq)).size, 0)
  client.release()
})

const assets = [
  { id: 1, symbol: 'USDT', scale: 6 },
  { id: 2, symbol: 'BTC', scale: 8 },
] as readonly Loose<Asset>[] as readonly Asset[]
const spot = { id: 1, symbol: 'BTCUSDT', base: 2, quote: 1, tick: '0.1', lot: '0.00001', basePerLot: 1000, quotePerTickLot: 1 }
const terms = { makerFeePpm: 800, takerFeePpm: 1000, notionalMin: 1, lotsMin: 1, lotsMax: 1e7, bandPpm: 1, slippagePpm: 1 }
const marketTerms = { ...terms, openOrdersMax: 200, isTrading: true }
const perpTerms = {
  ...{ index: 1, leverageMax: 10, tiers: [], fundingHours: 8, fundingInterest: 0, fundingStretch: 0, fundingCap: 0, impactValue: 1 },
  ...{
    markClampPpm: 1,
    basisWindowMs: 1,
    liquidationFeePpm: 1,
    liquidationStepPpm: 1,
    openInterestMax: 1,
    userInterestPpm: 1,
    carryPpm: 1,
  },
}
const markets = [
  marketOf({ ...spot, terms: marketTerms }),
  marketOf({ ...spot, id: 2, symbol: 'BTCUSDTPERP', lot: '0.005', terms: marketTerms, perp: perpTerms }),
]
const { writeTraded, writeLevel } = plain(codec)
const [bought, sold] = [0, 1]

/** Two trades in which the taker bought, one in which the taker sold, and one of a contract. */
function tradeSums(): TradeSums {
  const events = new Records()
  writeLevel(events, 1, 9, bought, 600_000, 12)
  writeTraded(events, 1, 5, 600_000, 7, 4_200_000, bought, 11, 12, 3, 4, 3360, 700)
  writeTraded(events, 1, 6, 600_000, 5, 3_000_000, bought, 13, 12, 5, 4, 2400, 500)
  const more = new Records()
  writeTraded(more, 1, 7, 600_000, 1, 600_000, sold, 14, 15, 3, 6, 80, 600)
  writeLevel(more, 1, 10, bought, 600_000, 0)
  writeTraded(more, 2, 1, 600_000, 2, 120_000_000, bought, 21, 22, 7, 8, 1, 120_000)
  const sums = new TradeSums()
  for (const records of [events, more]) sums.add(records)
  return sums
}
const tradeRows = {
  'BTCUSDT buy': {
    ...{ count: '2', ids: '11', orders: '96', users: '32', quantity: '0.00012', quote: '7.2' },
    ...{ makerFee: '0.00576', takerFee: '0.000012' },
  },
  'BTCUSDT sell': {
    ...{ count: '1', ids: '7', orders: '59', users: '21', quantity: '0.00001', quote: '0.600000' },
    ...{ makerFee: '0.0000008', takerFee: '0.0006' },
  },
  'BTCUSDTPERP buy': {
    ...{ count: '1', ids: '1', orders: '87', users: '31', quantity: '0.010', quote: '120' },
    ...{ makerFee: '0.000001', takerFee: '0.120' },
  },
}
type Key = keyof typeof tradeRows
const nameOf = {
  'BTCUSDT buy': 'BTCUSDT, taker bought',
  'BTCUSDT sell': 'BTCUSDT, taker sold',
  'BTCUSDTPERP buy': 'BTCUSDTPERP, taker bought',
}
const tradeTable = (changed: object = {}): TradeTable => new Map(Object.entries({ ...tradeRows, ...changed }))

test('JOURNAL-AUDIT-003: sums of trades are equal to the smallest unit of each fee’s asset', () => {
  const sums = tradeSums()
  assert.deepEqual(sums.differences(tradeTable(), assets, markets), [])
  // A number, an id or one smallest unit more.
  const more: Readonly<Record<Key, Readonly<Record<string, string>>>> = {
    'BTCUSDT buy': {
      count: '3',
      ids: '12',
      orders: '97',
      users: '33',
      quantity: '0.00013',
      quote: '7.200001',
      makerFee: '0.005761',
      takerFee: '0.00001201',
    },
    'BTCUSDT sell': {
      count: '2',
      ids: '8',
      orders: '60',
      users: '22',
      quantity: '0.00002',
      quote: '0.6',
      makerFee: '0.00000081',
      takerFee: '0.000601',
    },
    'BTCUSDTPERP buy': {
      count: '0',
      ids: '2',
      orders: '88',
      users: '30',
      quantity: '0.015',
      quote: '120.000001',
      makerFee: '0',
      takerFee: '0.120001',
    },
  }
  for (const key of Object.keys(tradeRows) as Key[]) {
    for (const [field, value] of Object.entries(more[key])) {
      const isEqual = key === 'BTCUSDT sell' && field === 'quote'
      const found = sums.differences(tradeTable({ [key]: { ...tradeRows[key], [field]: value } }), assets, markets)
      assert.deepEqual(found, isEqual ? [] : [nameOf[key]], `${key} ${field}`)
    }
  }
})

test('JOURNAL-AUDIT-003: a sum with more digits than its asset has is another sum, unless they are zeros', () => {
  const sums = tradeSums()
  const contract = tradeRows['BTCUSDTPERP buy']
  const withFee = (makerFee: string) => sums.differences(tradeTable({ 'BTCUSDTPERP buy': { ...contract, makerFee } }), assets, markets)
  assert.deepEqual(withFee('0.00000100'), [])
  assert.deepEqual(withFee('0.0000011'), ['BTCUSDTPERP, taker bought'])
  assert.deepEqual(withFee('0.0000001'), ['BTCUSDTPERP, taker bought'])
})

test('JOURNAL-AUDIT-003: trades that only the journal or only the table has are named', () => {
  const without = new Map(tradeTable())
  without.delete('BTCUSDT sell')
  assert.deepEqual(tradeSums().differences(without, assets, markets), ['BTCUSDT, taker sold'])
  assert.deepEqual(new TradeSums().differences(tradeTable(), assets, markets), Object.values(nameOf))
  assert.deepEqual(new TradeSums().differences(new Map(), assets, markets), [])
})

test('JOURNAL-AUDIT-003: a balance that only the table or only the ledger has, or that differs by a unit, is named', () => {
  const accounts = [
    { account: { user: 3, kind: 'spot', asset: 1 }, available: 5_000_000, held: 250_000 },
    { account: { user: 3, kind: 'margin-isolated', market: 1, asset: 2 }, available: 7, held: 0 },
    { account: { system: 'fees', asset: 1 }, available: 12, held: 0 },
    { account: { user: 4, kind: 'spot', asset: 1 }, available: 0, held: 0 },
  ] as readonly Loose<Balance>[] as readonly Balance[]
  const equal = {
    '3/spot//USDT': { available: '5', held: '0.250000' },
    '3/margin-isolated/BTCUSDT/BTC': { available: '0.00000007', held: '0' },
    '0/fees//USDT': { available: '0.000012', held: '0' },
  }
  const compared = (changed: object) => {
    const balances = new Map(Object.entries({ ...equal, ...changed }).filter(([, row]) => row !== undefined))
    return compareBalances({ seq: 1, balances, trades: new Map(), problems: [] }, accounts, assets, markets)
  }
  assert.deepEqual(compared({}), [])
  assert.deepEqual(compared({ '5/spot//USDT': { available: '0', held: '0.000' } }), [], 'the ledger drops empty accounts')
  const ledger = 'of 3/spot//USDT, the ledger 5 and 0.25 held'
  assert.deepEqual(compared({ '3/spot//USDT': { available: '5.000001', held: '0.25' } }), [
    `The table says 5.000001 and 0.25 held ${ledger}`,
  ])
  assert.deepEqual(compared({ '3/spot//USDT': { available: '5', held: '0.26' } }), [`The table says 5 and 0.26 held ${ledger}`])
  assert.deepEqual(compared({ '3/spot//USDT': undefined }), [`The table says nothing ${ledger}`])
  assert.deepEqual(compared({ '0/fees//USDT': undefined }), ['The table says nothing of 0/fees//USDT, the ledger 0.000012 and 0 held'])
  for (const [available, held] of [
    ['1', '0'],
    ['0', '1'],
  ]) {
    const said = `The table says ${available} and ${held} held of 9/spot//BTC, the ledger nothing`
    assert.deepEqual(compared({ '9/spot//BTC': { available, held } }), [said])
  }
})
