import type { Lots, Ppm, Ticks, Units } from '@candor/core/money/brand.ts'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatTicks, parseTicks } from '@candor/core/money/price.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import { initialMargin, liquidationPrice, orderMargin } from '@candor/core/risk/perp.ts'
import { bandHigh } from '@candor/core/risk/spot.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireMark, WirePerpAccount, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import fc from 'fast-check'
import { risksOf, scalesOf, standingOf } from '../../parts/perp/risk.ts'
import { errors } from './errors.ts'
import { type Action, type Context, emptyForm, type Form } from './form.ts'
import { reduce } from './reduce.ts'
import { summary } from './summary.ts'
import { requestOf } from './request.ts'
import { maxLots, onlyReduces } from './sizing.ts'

const market: WireMarket = {
  id: 15,
  symbol: 'BTCUSDTPERP',
  base: 'BTC',
  quote: 'USDT',
  tick: '0.1',
  lot: '0.00001',
  priceDigits: 1,
  quantityDigits: 5,
  notionalMin: '5',
  quantityMin: '0.00001',
  quantityMax: '100',
  bandPpm: 200_000,
  slippagePpm: 50_000,
  openOrdersMax: 200,
  makerFeePpm: 200,
  takerFeePpm: 500,
  isTrading: true,
  kind: 'perp',
  hasMargin: false,
  hasOption: false,
  perp: {
    indexSymbol: 'BTCUSDT',
    leverageMax: 10,
    tiers: [
      { valueMax: '50000', initialPpm: 100_000, maintenancePpm: 25_000 },
      { valueMax: '250000', initialPpm: 125_000, maintenancePpm: 40_000 },
      { valueMax: '1000000', initialPpm: 200_000, maintenancePpm: 75_000 },
    ],
    fundingHours: 8,
    liquidationFeePpm: 5_000,
    liquidationStepPpm: 250_000,
    markClampPpm: 10_000,
    openInterestMax: '20000000',
    userInterestPpm: 100_000,
  },
}
const config = { assets: [{ symbol: 'USDT', name: 'Tether', scale: 6 }], markets: [market], perpFeeTiers: [] } as unknown as WireConfig
const mark: WireMark = {
  symbol: market.symbol,
  mark: '60000.0',
  index: '60000',
  fundingRate: '0.0100',
  fundingAt: 0,
  isIndexGood: true,
  phase: 'open',
  time: 1,
}
const long: WirePosition = {
  id: '7',
  symbol: market.symbol,
  side: 'buy',
  position: 'both',
  mode: 'isolated',
  leverage: 10,
  quantity: '0.10000',
  entryPrice: '59000.0',
  value: '5900.000000',
  margin: '590.000000',
  liquidationPrice: '54461.5',
  realised: '0',
  fees: '0',
  funding: '0',
  adlRank: 3,
  openedAt: 0,
}

type World = {
  readonly available?: string
  readonly positions?: readonly WirePosition[]
  readonly isHedge?: boolean
  readonly leverage?: number
  readonly mode?: 'isolated' | 'cross'
  /** Room below the caps: of the market, and of the user for long and short. */
  readonly room?: readonly [string, string, string]
  readonly ceiling?: WirePerpAccount['ceiling']
}

function world({
  available = '1000',
  positions = [],
  isHedge = false,
  leverage = 10,
  mode = 'isolated',
  room: [left, buy, sell] = ['20000000', '2000000', '2000000'],
  ceiling = null,
}: World = {}): Context {
  const interest = [{ symbol: market.symbol, left, buy, sell }]
  const account: WirePerpAccount = { isHedge, available, held: '0', transferable: available, settings: [], positions, interest, ceiling }
  const scales = scalesOf(config, market)
  const risks = risksOf(
    scales,
    account,
    { leverage, mode },
    () => mark,
    () => scales,
  )
  return { ...risks, bid: '59999.9', ask: '60000.1', last: '60000.0' }
}

const after = (context: Context, ...actions: readonly Action[]): Form =>
  actions.reduce((form, action) => reduce(form, action, context), emptyForm())
const set = (field: 'price' | 'stop' | 'trail' | 'amount' | 'takeProfit' | 'stopLoss', text: string): Action => ({
  type: 'set',
  field,
  text,
})
const kind = (value: Form['kind']): Action => ({ type: 'kind', kind: value })

describe('the perp ticket', () => {
  test('UI-CONTRACT-001: cost and liquidation price of a limit order equal those of the core, to the unit', () => {
    const context = world()
    const { buy, sell } = summary(after(context, set('price', '60000'), set('amount', '0.1')), context)
    const value = 6_000_000_000
    assert.equal(buy.value, '6000')
    assert.equal(buy.cost, formatUnits(orderMargin(value as Units, 10, 500 as Ppm), 6))
    assert.equal(buy.margin, '600')
    assert.equal(buy.makerFee, '1.2')
    assert.equal(buy.takerFee, '3')
    assert.equal(
      parseTicks(buy.liquidation ?? '', market.tick),
      liquidationPrice(10_000 as Lots, value as Units, initialMargin(value as Units, 10), 25_000 as Ppm, 1),
    )
    assert.equal(
      parseTicks(sell.liquidation ?? '', market.tick),
      liquidationPrice(-10_000 as Lots, value as Units, initialMargin(value as Units, 10), 25_000 as Ppm, 1),
    )
  })

  test('a market buy must be able to pay its worst price, counted from the mark', () => {
    const context = world()
    const { buy, sell } = summary(after(context, kind('market'), set('amount', '0.1')), context)
    const worst = bandHigh(600_000 as Ticks, market.slippagePpm as Ppm) * 10_000
    assert.equal(buy.cost, formatUnits(orderMargin(worst as Units, 10, 500 as Ppm), 6))
    // A seller needs at least the margin at the best bid.
    assert.equal(sell.cost, formatUnits(orderMargin((599_999 * 10_000) as Units, 10, 500 as Ppm), 6))
  })

  test('UI-CONTRACT-001: the slider never exceeds the limits of margin and tiers', () => {
    const side = fc.constantFrom<Side>('buy', 'sell')
    fc.assert(
      fc.property(
        fc.record({
          available: fc.integer({ min: 0, max: 2_000_000_000_000 }),
          leverage: fc.integer({ min: 1, max: 10 }),
          mode: fc.constantFrom('isolated' as const, 'cross' as const),
          isHedge: fc.boolean(),
          hasLong: fc.boolean(),
          percent: fc.integer({ min: 1, max: 100 }),
          orderKind: fc.constantFrom('limit' as const, 'market' as const),
          unit: fc.constantFrom('base' as const, 'quote' as const),
        }),
        side,
        ({ available, leverage, mode, isHedge, hasLong, percent, orderKind, unit }, pressed) => {
          const position = { ...long, position: isHedge ? ('long' as const) : ('both' as const), leverage, mode }
          const context = world({ available: formatUnits(available, 6), leverage, mode, isHedge, positions: hasLong ? [position] : [] })
          const form = after(context, kind(orderKind), { type: 'unit', unit }, set('price', '60000'), { type: 'percent', percent })
          // The slider ignores a button that can't send any order.
          if (form.amount === '' || Number(summary(form, context)[pressed].maxQuantity) === 0) return
          const wrong = errors(form, pressed, context).amount
          assert.ok(wrong === undefined || wrong === 'NOTIONAL_TOO_SMALL' || wrong === 'QUANTITY_TOO_SMALL', `${wrong}: ${form.amount}`)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('UI-CONTRACT-001: the largest size is affordable to the unit even if margin and fee are both rounded up', () => {
    // 10 lots at 60,000.1 and 7×: ⌈857,144.29⌉ + ⌈3,000.005⌉ = 860,146 units, 860,144.29 without the roundings.
    const largest = (available: number): number => {
      const context = world({ available: formatUnits(available, 6), leverage: 7 })
      return maxLots(after(context, set('price', '60000.1')), 'buy', context)
    }
    assert.equal(orderMargin(6_000_010 as Units, 7, 500 as Ppm), 860_146)
    for (const short of [0, 1, 2]) assert.ok(largest(860_146 - short) <= (short === 0 ? 10 : 9), `${short} units short`)
    assert.equal(largest(860_148), 10)
    fc.assert(
      fc.property(
        fc.record({
          ticks: fc.integer({ min: 550_000, max: 650_000 }),
          leverage: fc.integer({ min: 1, max: 10 }),
          lots: fc.integer({ min: 1, max: 5_000 }),
          short: fc.integer({ min: -3, max: 3 }),
        }),
        ({ ticks, leverage, lots, short }) => {
          const available = orderMargin((ticks * lots) as Units, leverage, 500 as Ppm) - short
          const context = world({ available: formatUnits(available, 6), leverage })
          const most = maxLots(after(context, set('price', formatTicks(ticks, market.tick))), 'buy', context)
          assert.ok(orderMargin((ticks * most) as Units, leverage, 500 as Ppm) <= available, `${most} lots`)
          assert.ok(most >= lots - 1, 'and at most one lot is lost to the roundings')
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('UI-CONTRACT-002: a reducing order needs no margin and is limited to the position', () => {
    const context = world({ available: '0', positions: [long] })
    const form = after(context, { type: 'reduceOnly', isReduceOnly: true }, set('price', '60000'), set('amount', '0.05'))
    const { sell, buy } = summary(form, context)
    assert.equal(sell.cost, '0')
    assert.equal(sell.isClosing, true)
    assert.equal(sell.maxQuantity, '0.10000')
    assert.deepEqual(errors(form, 'sell', context), {})
    assert.deepEqual(errors(form, 'buy', context), { amount: 'REDUCE_ONLY_REJECTED' })
    assert.equal(buy.maxQuantity, '0.00000')
  })

  test('an order larger than the opposite position reverses it, and only the opening part costs margin', () => {
    const context = world({ positions: [long] })
    const { sell } = summary(after(context, set('price', '60000'), set('amount', '0.15')), context)
    assert.equal(sell.isTurning, true)
    assert.equal(sell.margin, '300')
  })

  test('UI-NUMBER-009: in hedge mode the buttons open or close the two positions, and the typed amount stays', () => {
    const context = world({ isHedge: true, positions: [{ ...long, position: 'long' }] })
    const open = after(context, set('price', '60000'), set('amount', '0.01'))
    assert.equal(requestOf(open, 'buy', context, 'a').position, 'long')
    assert.equal(requestOf(open, 'sell', context, 'a').position, 'short')
    const closing = reduce(open, { type: 'intent', intent: 'close' }, context)
    assert.equal(closing.amount, '0.01')
    assert.equal(requestOf(closing, 'sell', context, 'a').position, 'long')
    assert.deepEqual(errors(closing, 'buy', context), { amount: 'REDUCE_ONLY_REJECTED' })
  })

  test('a closing order is recognized without looking at positions and needs no verification', () => {
    const oneWay = world({})
    assert.equal(onlyReduces(after(oneWay, { type: 'reduceOnly', isReduceOnly: true }), oneWay), true)
    assert.equal(onlyReduces(after(oneWay), oneWay), false)
    const hedged = world({ isHedge: true })
    assert.equal(onlyReduces(after(hedged, { type: 'intent', intent: 'close' }), hedged), true)
    assert.equal(onlyReduces(after(hedged, { type: 'reduceOnly', isReduceOnly: true }), hedged), false)
  })

  const wrong: readonly [string, World, readonly Action[], Side, object][] = [
    ['nothing typed', {}, [], 'buy', { price: 'FIELD_MISSING', amount: 'FIELD_MISSING' }],
    ['half a tick', {}, [set('price', '60000.05'), set('amount', '0.01')], 'buy', { price: 'PRICE_INVALID' }],
    ['half a lot', {}, [set('price', '60000'), set('amount', '0.000001')], 'buy', { amount: 'QUANTITY_INVALID' }],
    ['more margin than there is', {}, [set('price', '60000'), set('amount', '0.2')], 'buy', { amount: 'MARGIN_INSUFFICIENT' }],
    [
      'more than the tier of 10×',
      { available: '90000' },
      [set('price', '60000'), set('amount', '1')],
      'buy',
      { amount: 'LEVERAGE_TOO_HIGH' },
    ],
    ['far from the mark', {}, [set('price', '80000'), set('amount', '0.001')], 'buy', { price: 'PRICE_OUTSIDE_BAND' }],
    ['a trigger at the mark', {}, [kind('stop-market'), set('stop', '60000'), set('amount', '0.01')], 'buy', { stop: 'TRIGGER_IMMEDIATE' }],
    ['a trail of nothing', {}, [kind('trailing'), set('trail', '0'), set('amount', '0.01')], 'sell', { trail: 'TRAIL_INVALID' }],
    [
      'a take profit on the wrong side',
      {},
      [kind('market'), set('amount', '0.01'), { type: 'exits', hasExits: true }, set('takeProfit', '59000')],
      'buy',
      { takeProfit: 'TRIGGER_IMMEDIATE' },
    ],
  ]
  for (const [what, given, actions, side, expected] of wrong) {
    test(`finds the error: ${what}`, () => {
      const context = world(given)
      assert.deepEqual(errors(after(context, ...actions), side, context), expected)
    })
  }

  test('exits are sent with any kind of order, and only the given ones', () => {
    const context = world()
    const exits = { type: 'exits', hasExits: true } as const
    const given = [set('amount', '0.01'), exits, set('takeProfit', '66000')]
    const market = requestOf(after(context, kind('market'), ...given, set('stopLoss', '57000')), 'buy', context, 'c1')
    assert.deepEqual(market.exits, { takeProfit: { price: '66000', by: 'mark' }, stopLoss: { price: '57000', by: 'mark' } })
    const byLast = after(context, kind('stop-limit'), ...given, set('stop', '61000'), set('price', '61000'), {
      type: 'triggerBy',
      triggerBy: 'last',
    })
    assert.deepEqual(requestOf(byLast, 'buy', context, 'c2').exits, { takeProfit: { price: '66000', by: 'last' } })
    assert.equal(requestOf(after(context, ...given, { type: 'reduceOnly', isReduceOnly: true }), 'sell', context, 'c3').exits, undefined)
  })

  test('UI-NUMBER-009: changing the unit keeps the size, rounded down to lots, and twenty changes give back what was typed', () => {
    const context = world()
    const form = after(context, set('price', '60000'), set('amount', '0.01'), { type: 'unit', unit: 'quote' })
    assert.equal(form.amount, '600')
    assert.equal(reduce(form, { type: 'unit', unit: 'base' }, context).amount, '0.01')
    const changed = reduce(reduce(form, set('amount', '600'), context), { type: 'unit', unit: 'base' }, context)
    assert.equal(Number(changed.amount), 0.01)
    let now = after(context, set('price', '59999.9'), { type: 'unit', unit: 'quote' }, set('amount', '605.55'))
    for (let times = 0; times < 20; times++) now = reduce(now, { type: 'unit', unit: now.unit === 'base' ? 'quote' : 'base' }, context)
    assert.deepEqual([now.unit, now.amount], ['quote', '605.55'])
  })
})

test('a position at its mark price has a profit, a return on margin and a distance to liquidation', () => {
  const standing = standingOf(long, mark, scalesOf(config, market))
  assert.equal(standing?.profit, '100')
  assert.equal(standing?.roe, '16.94')
  assert.equal(standing?.maintenance, '150')
  assert.ok(Math.abs((standing?.distance ?? 0) - 9.23) < 0.01)
  assert.equal(parseUnits(standing?.value ?? '', 6), 6_000_000_000)
})

describe('caps on open interest', () => {
  const sized = (context: Context, amount: string): Form => after(context, set('price', '60000'), set('amount', amount))

  test('UI-CONTRACT-010: the largest size respects the cap of the market and that of the user, and names the one that applies', () => {
    const own = world({ room: ['20000000', '3000', '2000000'] })
    const { buy, sell } = summary(sized(own, '0.01'), own)
    assert.deepEqual([buy.maxQuantity, buy.cap], ['0.05000', { by: 'user', left: '3000' }])
    assert.equal(sell.cap, undefined, 'money bounds a sale before any cap does')
    const full = world({ room: ['600', '3000', '2000000'] })
    const plans = summary(sized(full, '0.01'), full)
    assert.deepEqual([plans.buy.maxQuantity, plans.buy.cap], ['0.01000', { by: 'market', left: '600' }])
    assert.deepEqual([plans.sell.maxQuantity, plans.sell.cap], ['0.01000', { by: 'market', left: '600' }])
    const slid = after(full, set('price', '60000'), { type: 'percent', percent: 100 })
    assert.deepEqual([slid.amount, errors(slid, 'buy', full)], ['0.01000', {}])
  })

  test('UI-CONTRACT-011: an order beyond a cap gets the refusal of the exchange; a closing one does not', () => {
    const own = world({ room: ['20000000', '600', '0'], positions: [long] })
    assert.deepEqual(errors(sized(own, '0.01'), 'buy', own), {})
    assert.deepEqual(errors(sized(own, '0.01001'), 'buy', own), { amount: 'POSITION_TOO_LARGE' })
    assert.deepEqual(errors(sized(own, '0.1'), 'sell', own), {}, 'closes the long')
    assert.deepEqual(errors(sized(own, '0.10001'), 'sell', own), { amount: 'POSITION_TOO_LARGE' })
    assert.equal(summary(sized(own, '0.1'), own).sell.maxQuantity, '0.10000')
    const full = world({ room: ['599', '600', '600'] })
    assert.deepEqual(errors(sized(full, '0.01'), 'buy', full), { amount: 'OPEN_INTEREST_FULL' })
    const poor = world({ room: ['20000000', '600000', '600000'], available: '1' })
    assert.deepEqual(errors(sized(poor, '0.01'), 'buy', poor), { amount: 'MARGIN_INSUFFICIENT' })
  })
})

test('UI-CONTRACT-013: above the user’s leverage ceiling no order opens, but closing orders are allowed', () => {
  const young = world({ ceiling: { leverage: 5, reason: 'new', until: 1_000 }, positions: [long] })
  assert.deepEqual(
    [young.leverageMax, world().leverageMax, world({ ceiling: { leverage: 20, reason: 'new', until: 1 } }).leverageMax],
    [5, 10, 10],
  )
  const buys = after(young, set('price', '60000'), set('amount', '0.001'))
  assert.deepEqual(errors(buys, 'buy', young), { amount: 'LEVERAGE_CEILING' })
  assert.equal(summary(buys, young).buy.maxQuantity, '0.00000')
  assert.equal(summary(buys, young).sell.maxQuantity, '0.10000', 'closes the long')
  assert.deepEqual(errors(after(young, set('price', '60000'), set('amount', '0.1')), 'sell', young), {})
  const within = world({ ceiling: { leverage: 5, reason: 'new', until: 1_000 }, leverage: 5 })
  assert.deepEqual(errors(after(within, set('price', '60000'), set('amount', '0.001')), 'buy', within), {})
})

describe('conditional orders', () => {
  const stops = (context: Context, amount: string, stop = '66000'): Form =>
    after(context, kind('stop-market'), set('stop', stop), set('amount', amount))

  test('UI-CONTRACT-015: a conditional order that may open costs its full margin at its trigger, a trailing one at the mark price', () => {
    const context = world({ positions: [long] })
    // 0.1 at 66,000. The part that closes the long counts too, because the order may open when it is triggered.
    const { buy, sell } = summary(stops(context, '0.1'), context)
    for (const plan of [buy, sell]) assert.equal(plan.cost, formatUnits(orderMargin(6_600_000_000 as Units, 10, 500 as Ppm), 6))
    const trails = after(context, kind('trailing'), set('trail', '1'), set('amount', '0.1'))
    assert.equal(summary(trails, context).buy.cost, formatUnits(orderMargin(6_000_000_000 as Units, 10, 500 as Ppm), 6))
    const poor = world({ available: '100' })
    assert.deepEqual(errors(stops(poor, '0.02'), 'buy', poor), { amount: 'MARGIN_INSUFFICIENT' })
    const most = summary(stops(poor, '0.02'), poor).buy.maxQuantity
    assert.deepEqual(errors(stops(poor, most), 'buy', poor), {})
    assert.deepEqual(errors(stops(poor, (Number(most) + 0.00001).toFixed(5)), 'buy', poor), { amount: 'MARGIN_INSUFFICIENT' })
    const holds = world({ available: '1', positions: [long] })
    assert.deepEqual(errors(stops(holds, '0.1', '57000'), 'sell', holds), { amount: 'MARGIN_INSUFFICIENT' })
    const reduces = reduce(stops(holds, '0.1', '57000'), { type: 'reduceOnly', isReduceOnly: true }, holds)
    assert.deepEqual([errors(reduces, 'sell', holds), summary(reduces, holds).sell.cost], [{}, '0'], 'what only reduces holds nothing')
  })
})
