import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WireFill, WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { Scales } from '../../perp/risk.ts'
import { groupsOf } from './fill-groups.ts'
import { isLiquidatedFirst, positionOf, profitAt, triggersNow } from './perp-result.ts'
import { actingPrice, tradingPrice, valueAt } from './result.ts'

const market = { symbol: 'BTCUSDTPERP', tick: '0.1', lot: '0.001', quote: 'USDT' } as WireMarket
const scales = { market, quoteScale: 8, perTickLot: 10_000, tiers: [] } as unknown as Scales
const long = { symbol: market.symbol, side: 'buy', position: 'both', quantity: '0.3', value: '30000', margin: '0' } as WirePosition
const order = {
  ...{ symbol: market.symbol, side: 'sell', type: 'limit', status: 'open', price: '101000', quantity: '0.2', executed: '0.1' },
  perp: { position: 'both', closing: false },
} as unknown as WireOrder
const price = (text: string): Decimal => text as Decimal

test('UI-LINES-001: a line names what the order brings at its price: of what is left of it, and of the whole position for its exits', () => {
  assert.equal(profitAt(order, price('101000'), long, scales), '100')
  const exit = { ...order, status: 'pending', perp: { position: 'both', closing: true } } as unknown as WireOrder
  assert.equal(profitAt(exit, price('99000'), long, scales), '-300')
  // More than the position closes no more than the position.
  assert.equal(profitAt({ ...order, quantity: price('9') }, price('101000'), long, scales), '300')
  assert.equal(profitAt({ ...order, side: 'buy' }, price('101000'), long, scales), undefined)
  assert.equal(positionOf({ ...order, side: 'buy' }, [long]), undefined)
  assert.equal(positionOf(order, [long]), long)
  const short = { ...long, side: 'sell' } as WirePosition
  assert.equal(profitAt({ ...order, side: 'buy' }, price('101000'), short, scales), '-100')
})

test('UI-LINES-005: a stop is not moved beyond the price that it follows, and one behind the liquidation price is warned of', () => {
  const stop = (direction: string, more: object = {}) =>
    ({ ...order, status: 'pending', trigger: { kind: 'stop', price: '99000', direction }, ...more }) as unknown as WireOrder
  const [falls, rises] = ['falls-to', 'rises-to'].map((one) => stop(one, { perp: { triggerBy: 'mark' } })) as [WireOrder, WireOrder]
  const now = (one: WireOrder, at: string, mark: string | undefined) => triggersNow(one, price(at), mark as Decimal | undefined)
  assert.deepEqual([now(falls, '99999.9', '100000'), now(falls, '100000', '100000'), now(falls, '100001', '100000')], [false, true, true])
  assert.deepEqual([now(rises, '100000.1', '100000'), now(rises, '100000', '100000'), now(rises, '9', '100000')], [false, true, true])
  // An unknown price is for the exchange to judge.
  assert.equal(now(falls, '100001', undefined), false)

  const near = { ...long, liquidationPrice: '90000' } as WirePosition
  const first = (at: string, position: WirePosition | undefined, one = falls) => isLiquidatedFirst(one, price(at), position)
  assert.deepEqual(
    [first('90000.1', near), first('90000', near), first('89999', { ...near, liquidationPrice: null })],
    [false, true, false],
  )
  const short = { ...near, side: 'sell', liquidationPrice: '110000' } as WirePosition
  assert.deepEqual([first('110000', short, stop('rises-to', { side: 'buy' })), first('1', undefined)], [true, false])

  // With a limit the result stays that of the limit.
  assert.equal(tradingPrice(stop('falls-to', { price: price('98500') }), price('99000')), '98500')
  assert.equal(tradingPrice(stop('falls-to', { price: undefined }), price('99000')), '99000')
  assert.equal(tradingPrice(order, price('99000')), '99000')
})

test('the share of a cost is rounded against its owner', () => {
  const third = { ...order, quantity: price('0.001'), executed: price('0') }
  const odd = { ...long, quantity: '0.003', value: '0.0000001' } as WirePosition
  assert.equal(profitAt(third, price('0.1'), odd, scales), '0.00009996')
  assert.equal(profitAt({ ...third, side: 'buy' }, price('0.1'), { ...odd, side: 'sell' } as WirePosition, scales), '-0.00009997')
})

test('an order acts at its trigger while it sleeps, else at its limit', () => {
  assert.equal(actingPrice(order), '101000')
  const stop = { kind: 'stop', price: '99', direction: 'falls-to' } as const
  assert.equal(actingPrice({ ...order, status: 'pending', trigger: stop } as WireOrder), '99')
  assert.equal(actingPrice({ ...order, trigger: stop } as WireOrder), '101000')
  const trailing = { kind: 'trailing', trailPercent: '1', direction: 'falls-to' } as const
  assert.equal(actingPrice({ ...order, status: 'pending', trigger: trailing } as WireOrder), undefined)
  assert.equal(valueAt(order, price('101000'), market, 8), '10100')
})

test('UI-MARKS-001: the fills of one side in one bar share a mark at the newest price', () => {
  const fill = (time: number, side: 'buy' | 'sell', tradeId: string): WireFill =>
    ({ time, side, tradeId, price: `10${tradeId}` }) as unknown as WireFill
  const groups = groupsOf(
    [fill(125_000, 'buy', '4'), fill(121_000, 'sell', '3'), fill(120_000, 'buy', '2'), fill(119_999, 'buy', '1')],
    '1m',
  )
  assert.deepEqual(
    groups.map(({ side, price, fills }) => [side, price, fills.length]),
    [
      ['buy', '104', 2],
      ['sell', '103', 1],
      ['buy', '101', 1],
    ],
  )
})
