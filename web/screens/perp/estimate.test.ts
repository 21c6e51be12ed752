import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Lots, Ppm, Ticks, Units } from '@candor/core/money/brand.ts'
import { formatLots, formatTicks, parseTicks } from '@candor/core/money/price.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireConfig, WireLevel, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireMark, WirePerpAccount } from '@candor/core/protocol/wire/perp.ts'
import { averagePrice, takeFrom } from '@candor/core/risk/depth.ts'
import { fee } from '@candor/core/risk/orders.ts'
import { risksOf, scalesOf } from '../../parts/perp/risk.ts'
import { estimateOf } from './estimate.ts'
import { type Context, emptyForm, type Form } from './form.ts'

const market = {
  ...{ id: 15, symbol: 'BTCUSDTPERP', base: 'BTC', quote: 'USDT', tick: '0.1', lot: '0.00001', priceDigits: 1, quantityDigits: 5 },
  ...{ notionalMin: '5', quantityMin: '0.00001', quantityMax: '100', bandPpm: 200_000, slippagePpm: 50_000, openOrdersMax: 200 },
  ...{ makerFeePpm: 200, takerFeePpm: 500, isTrading: true, kind: 'perp', hasMargin: false, hasOption: false },
  perp: { leverageMax: 10, tiers: [{ valueMax: '1000000', initialPpm: 100_000, maintenancePpm: 25_000 }] },
} as unknown as WireMarket
const perpFeeTiers = [
  { volumeMin: '0', makerPpm: 200, takerPpm: 500 },
  { volumeMin: '5000000', makerPpm: 180, takerPpm: 450 },
  { volumeMin: '25000000', makerPpm: 300, takerPpm: 700 },
]
const config = { assets: [{ symbol: 'USDT', name: 'Tether', scale: 6 }], markets: [market], perpFeeTiers } as unknown as WireConfig
const mark = { symbol: market.symbol, mark: '60000.0', index: '60000', isIndexGood: true, phase: 'open' } as unknown as WireMark
const bids: readonly WireLevel[] = [
  ['59990', '0.02'],
  ['59800', '0.01004'],
  ['50000', '5'],
]
const asks: readonly WireLevel[] = [
  ['60010', '0.01'],
  ['60100', '0.5'],
]
const nobody: ReadonlySet<string> = new Set()

function contextOf(feeTier = 0): Context {
  const account = { isHedge: false, available: '1000', held: '0', settings: [], positions: [], interest: [], ceiling: null }
  const scales = scalesOf(config, market, feeTier)
  const risks = risksOf(
    scales,
    account as unknown as WirePerpAccount,
    { leverage: 10, mode: 'isolated' },
    () => mark,
    () => scales,
  )
  return { ...risks, bid: '59990', ask: '60010', last: '60000' }
}

const form = (changes: Partial<Form>): Form => ({ ...emptyForm(), kind: 'market', amount: '0.15', ...changes })

function told(side: Side, changes: Partial<Form>, own = nobody, feeTier = 0): readonly unknown[] {
  const estimate = estimateOf(form(changes), side, contextOf(feeTier), { bids, asks }, own)
  return estimate === undefined ? [] : [estimate.quantity, estimate.value, estimate.fee, estimate.average, estimate.isComplete]
}

test('UI-ESTIMATE-004: a Futures order at market takes the book down to its worst price from the mark, at the taker fee', () => {
  // 0.02 × 59,990 + 0.01004 × 59,800 = 1,800.192; the bid at 50,000 is more than 5 % away.
  assert.deepEqual(told('sell', {}), ['0.03004', '1800.19', '0.900096', '59926.49', false])
  // 0.01 × 60,010 + 0.14 × 60,100 = 9,014.1.
  assert.deepEqual(told('buy', {}), ['0.15000', '9014.10', '4.50705', '60094.00', true])
  assert.deepEqual(told('buy', { kind: 'limit', price: '60050' }), ['0.01000', '600.10', '0.30005', '60010.00', false])
  assert.deepEqual(told('buy', {}, new Set(['60100'])), ['0.01000', '600.10', '0.30005', '60010.00', false])
})

test('UI-ESTIMATE-007: a Futures order that waits, may not take, or lacks price, size or book has no estimate', () => {
  for (const changes of [
    { kind: 'stop-market', stop: '59000' },
    { kind: 'trailing', trail: '1' },
    { kind: 'limit', price: '60050', isPostOnly: true },
    { kind: 'limit', price: '' },
    { amount: '' },
    { amount: '0' },
    { amount: '0.000001' },
  ] as const satisfies readonly Partial<Form>[])
    assert.deepEqual(told('buy', changes), [], JSON.stringify(changes))
  assert.equal(estimateOf(form({}), 'buy', contextOf(), undefined, nobody), undefined)
})

test('PERP-FEE-007: the fee in the order form is that of the user’s own tier, unless the market’s own is lower', () => {
  const fees = [0, 1, 2, 9].map((tier) => told('buy', { amount: '0.01' }, nobody, tier)[2])
  assert.deepEqual(fees, ['0.30005', '0.270045', '0.30005', '0.30005'])
  assert.deepEqual(
    [0, 1, 2].map((tier) => contextOf(tier).makerPpm),
    [200, 180, 200],
  )
})

test('UI-ESTIMATE-001: whatever the book, a Futures estimate is what the core’s own functions take from it', () => {
  const level = fc.record({ step: fc.integer({ min: 1, max: 3_000 }), lots: fc.integer({ min: 1, max: 2_000_000 }) })
  const anything = {
    side: fc.constantFrom<Side>('buy', 'sell'),
    levels: fc.array(level, { maxLength: 8 }),
    tier: fc.integer({ min: 0, max: 1 }),
  }
  const wanted = { lots: fc.integer({ min: 1, max: 5_000_000 }), limit: fc.integer({ min: 570_001, max: 629_999 }) }
  fc.assert(
    fc.property(fc.record({ ...anything, ...wanted }), ({ side, levels, tier, lots, limit }) => {
      const sign = side === 'buy' ? 1 : -1
      let ticks = 600_000
      const depth = levels.map((one) => ({ ticks: (ticks += sign * one.step) as Ticks, lots: one.lots as Lots }))
      const wire = depth.map((one): WireLevel => [formatTicks(one.ticks, market.tick), formatLots(one.lots, market.lot)])
      const context = contextOf(tier)
      const asked = form({ kind: 'limit', price: formatTicks(limit as Ticks, market.tick), amount: formatLots(lots, market.lot) })
      const estimate = estimateOf(asked, side, context, { bids: wire, asks: wire }, nobody)!
      const taken = takeFrom(depth, { side, limit: limit as Ticks, lots: lots as Lots, budget: Infinity })
      const value = Number((taken?.value ?? 0n) * BigInt(context.perTickLot)) as Units
      assert.equal(estimate.lots, taken?.lots ?? 0)
      assert.equal(estimate.quote, value)
      assert.equal(estimate.isComplete, estimate.lots === lots)
      assert.equal(estimate.fee, formatUnits(fee(value, (tier === 0 ? 500 : 450) as Ppm), 6))
      assert.equal(estimate.average, taken && averagePrice(taken, side, market.tick))
      const shown = parseUnits(estimate.value, 6)!
      assert.ok(side === 'buy' ? shown >= value && shown - value < 10_000 : shown <= value && value - shown < 10_000)
      if (estimate.average !== undefined) {
        const average = parseTicks(estimate.average, '0.01')!
        assert.ok(side === 'buy' ? average <= limit * 10 : average >= limit * 10)
      }
    }),
    { numRuns: 300 },
  )
})
