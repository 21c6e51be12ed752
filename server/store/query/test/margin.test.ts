import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { firstMarginTerms } from '@candor/core/risk/margin-terms.ts'
import { Refused } from '../../../refused.ts'
import type { Store } from '../../open.ts'
import { startProjector } from '../../projector/projector.ts'
import { WrittenJournal } from '../../projector/test/written-journal.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { records } from '../funds.ts'
import { claimTotals, ratePoints } from '../lending.ts'
import { loanChanges, marginLiquidations } from '../loans.ts'
import { markets, Scenario } from './scenario.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

const hour = 3_600_000
const at0 = Date.UTC(2026, 2, 3, 10)
const [usdt, btc] = [1, 2]
const [lender, borrower] = [1 as UserId, 2 as UserId]

const lend = (type: 'lend.supply' | 'lend.withdraw', amount: number): Command =>
  commandOf({ type, user: lender, clientId: '', asset: usdt, amount })
const enter = (market: number | undefined, asset: number, amount: number): Command =>
  commandOf({
    ...{ type: 'funds.transfer', user: borrower, clientId: '', asset, amount, from: 'spot' },
    ...(market === undefined ? { to: 'margin-cross' } : { to: 'margin-isolated', market }),
  })
const loan = (type: 'margin.borrow' | 'margin.repay', market: number, amount: number): Command =>
  commandOf({ type, user: borrower, clientId: '', market, asset: usdt, amount })

/** 1,000 USDT are lent; of them 100 to a cross account, and then 50 to an isolated one for two hours and a half. */
async function someHours(): Promise<{ readonly store: Store; readonly written: WrittenJournal }> {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 1, at0)
  await written.open()
  const then = async (ms: number, ...commands: readonly Command[]): Promise<void> => {
    written.at = at0 + ms
    await written.append(commands.length === 0 ? ([{ type: 'clock.tick' }] as readonly Command[]) : commands)
  }
  await then(1_000, commandOf({ type: 'margin.setTerms', terms: firstMarginTerms(6, []) }), lend('lend.supply', 1e9))
  await then(2_000, enter(undefined, btc, 1e8), enter(1, btc, 1e8), enter(1, usdt, 1e6), loan('margin.borrow', 0, 1e8))
  await then(2.5 * hour, loan('margin.borrow', 1, 5e7))
  await then(3 * hour)
  await then(4 * hour)
  await then(5 * hour - 1, loan('margin.repay', 1, 0), lend('lend.withdraw', 1e6))
  await using projector = await startProjector({ store })
  await projector.reached(written.seq)
  return { store, written }
}

test('MARGIN-HISTORY-001: every change of a debt is shown with the remaining debt, newest first, by page, account and asset', async () => {
  const { store, written } = await someHours()
  const all = (await loanChanges(store.pool, borrower)).items
  assert.deepEqual(
    all.map(({ cause, symbol, asset }) => `${cause} ${symbol ?? 'cross'} ${asset}`),
    [
      'repay BTCUSDT USDT',
      ...['interest BTCUSDT USDT', 'interest cross USDT', 'interest BTCUSDT USDT', 'interest cross USDT'],
      ...['interest BTCUSDT USDT', 'borrow BTCUSDT USDT'],
      ...['interest cross USDT', 'borrow cross USDT'],
    ],
  )
  const first = all.at(-1)!
  assert.deepEqual(
    { ...first, id: '' },
    { id: '', asset: 'USDT', cause: 'borrow', amount: '100', principal: '100', interest: '0', time: at0 + 2_000 },
  )
  const repaid = all[0]!
  assert.deepEqual([repaid.principal, repaid.interest], ['0', '0'])
  const cross = all.filter(({ symbol }) => symbol === undefined)
  const owed = cross.reduce((sum, { amount }) => sum + Number(amount), 0)
  assert.equal(
    owed.toFixed(6),
    (Number(cross[0]!.principal) + Number(cross[0]!.interest)).toFixed(6),
    'what is left is the sum of all changes',
  )
  const { principal, interest } = written.exchange.marginAccounts(borrower)[0]!.balances[0]!
  assert.deepEqual([cross[0]!.principal, cross[0]!.interest], [String(principal / 1e6), String(interest / 1e6)])

  const page = await loanChanges(store.pool, borrower, { limit: 3 })
  const rest = await loanChanges(store.pool, borrower, { before: page.next })
  assert.deepEqual([...page.items, ...rest.items], all)
  assert.equal(rest.next, undefined)
  const isolated = (await loanChanges(store.pool, borrower, { market: 1 as MarketId })).items
  assert.deepEqual(
    isolated,
    all.filter(({ symbol }) => symbol === 'BTCUSDT'),
  )
  assert.deepEqual((await loanChanges(store.pool, borrower, { asset: 'BTC' })).items, [])
  assert.deepEqual((await loanChanges(store.pool, lender)).items, [], 'nobody else sees them')
  await assert.rejects(loanChanges(store.pool, borrower, { before: '1.2' }), Refused)
})

test('LEND-HISTORY-001: a pool’s rate and utilization are shown by hour in percent, an hour without a change like the one before', async () => {
  const { store, written } = await someHours()
  const points = await ratePoints(store.pool, 'USDT', at0 + 6.5 * hour, 8)
  assert.deepEqual(
    points.map(({ time }) => (time - at0) / hour),
    [0, 1, 2, 3, 4, 5, 6],
    'before the first supply there is nothing',
  )
  // 100 of 1,000 lent: 0.0005 % and an eighth of the way to 0.002 %, plus what the interest itself adds.
  assert.match(points[0]!.hourlyRate, /^0\.000687/)
  assert.match(points[0]!.utilization, /^10\.0/)
  assert.deepEqual({ ...points[1]!, time: 0 }, { ...points[0]!, time: 0 }, 'an hour without a change')
  assert.match(points[2]!.utilization, /^15\.0/)
  const [pool] = written.exchange.pools()
  assert.equal(points[6]!.hourlyRate, (pool!.rate / 1e10).toFixed(10).replace(/0+$/, ''))
  assert.deepEqual(await ratePoints(store.pool, 'USDT', at0 + 6.5 * hour, 2), points.slice(5))
  assert.deepEqual(await ratePoints(store.pool, 'DOGE', at0 + 6.5 * hour), [])
})

test('LEND-HISTORY-002: a claim’s earnings are kept after withdrawals', async () => {
  const { store, written } = await someHours()
  const { claim, earned } = (await claimTotals(store.pool, lender)).get('USDT')!
  const [view] = written.exchange.claims(lender)
  assert.equal(Number(claim), (view!.claim - view!.pending) / 1e6)
  assert.ok(Number(earned) > 0)
  assert.equal((Number(claim) + 1 - 1000).toFixed(6), Number(earned).toFixed(6))
})

test('MARGIN-HISTORY-002: steps of a liquidation are shown to their owner with level, values in USDT, fee and the insurance fund’s payment', async () => {
  const store = await server.store()
  const world = new Scenario(at0)
  world.open(1)
  world.open(2)
  const step = { type: 'margin.liquidated', user: 1, market: 1, levelPpm: 1_049_999, liquidationPpm: 1_050_000 }
  world.command({ ...step, order: 77, assets: 1_049_999_000, debt: 1_000_000_000, fee: 250_000, insured: 0 })
  world.at += hour
  const rest = { assets: 0, debt: 3_500_000, fee: 0 }
  world.command(
    { ...step, ...rest, market: 0, order: 0, levelPpm: 0, liquidationPpm: 1_100_000, insured: 3_000_000 },
    { ...step, ...rest, user: 2, order: 78, insured: 0 },
  )
  await world.write(store.pool)
  const { items } = await marginLiquidations(store.pool, 1 as UserId)
  const { symbol } = markets[0]
  assert.deepEqual(items, [
    {
      ...{
        id: `${world.seq}-1`,
        orderId: null,
        level: '0',
        liquidationLevel: '1.1',
        assetsUsdt: '0',
        debtUsdt: '3.5',
        fee: '0',
        insured: '3',
      },
      time: at0 + hour,
    },
    {
      ...{ id: `${world.seq - 1}-1`, symbol, orderId: '77', level: '1.049999', liquidationLevel: '1.05', assetsUsdt: '1049.999' },
      ...{ debtUsdt: '1000', fee: '0.25', insured: '0', time: at0 },
    },
  ])
  const page = await marginLiquidations(store.pool, 1 as UserId, { limit: 1 })
  assert.deepEqual((await marginLiquidations(store.pool, 1 as UserId, { before: page.next })).items, items.slice(1))
  assert.equal((await marginLiquidations(store.pool, 2 as UserId)).items.length, 1)
})

test('MARGIN-HISTORY-003: records of an isolated account name its market, those of other accounts none', async () => {
  const { store } = await someHours()
  const { items } = await records(store.pool, borrower, { asset: 'USDT', limit: 100 })
  const loans = items.filter(({ type }) => type === 'borrow' || type === 'repay')
  assert.deepEqual(
    loans.map(({ type, account, amount, symbol }) => [type, account, amount, symbol]),
    [
      ['repay', 'margin-isolated', loans[0]!.amount, 'BTCUSDT'],
      ['borrow', 'margin-isolated', '50', 'BTCUSDT'],
      ['borrow', 'margin-cross', '100', undefined],
    ],
  )
  assert.match(loans[0]!.amount, /^-50\.00/)
  const transfers = items.filter(({ type, account }) => type === 'transfer' && account.startsWith('margin'))
  assert.deepEqual(
    new Set(transfers.map(({ account, symbol }) => `${account} ${symbol}`)),
    new Set(['margin-isolated BTCUSDT', 'margin-cross undefined']),
  )
})
