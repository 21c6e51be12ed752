import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireClosedPosition, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import { decimalFormats } from '../../../app/formats.ts'
import type { Translate } from '../../../app/translate.ts'
import { percentOf, type Words } from '../../share/facts.ts'
import type { Standing } from '../risk.ts'
import { closedFacts, openFacts } from './facts.ts'

const market = { base: 'BTC', quote: 'USDT', priceDigits: 1, quantityDigits: 5 } as WireMarket
const words: Words = { t: ((key: string) => key) as Translate, format: decimalFormats('en'), market }
const position = { side: 'sell', mode: 'cross', leverage: 5, entryPrice: '60000.0', id: '4711' } as WirePosition
const closed = {
  side: 'buy',
  mode: 'isolated',
  leverage: 10,
  openPrice: '100.0',
  settlePrice: '90.0',
  completedAt: 0,
} as WireClosedPosition

test('UI-PICTURE-001: the picture of a position has its market, side, return, entry and mark, and nothing of the person', () => {
  const standing = { profit: '-12.5', roe: '-3.45' } as Standing
  const facts = openFacts(position, standing, { mark: '60100', at: 0 }, words)
  assert.deepEqual(
    [facts.pair, facts.side, facts.product, facts.isRising],
    ['BTC/USDT', 'perp.short 5×', 'trade.futures · perp.mode.cross', false],
  )
  assert.deepEqual([facts.outcome, facts.percent, facts.money, facts.base], ['loss', '−3.45%', '−12.50 USDT', 'share.ofMargin'])
  assert.deepEqual(facts.rows, [
    ['share.entry', '60,000.0'],
    ['share.mark', '60,100.0'],
  ])
  assert.doesNotMatch(JSON.stringify(facts), /4711/)
})

test('UI-PICTURE-002: a loss is told like a gain of the same size, and never looks smaller than it is', () => {
  const told = (settleProfit: string): readonly string[] => {
    const { outcome, percent, money } = closedFacts({ ...closed, settleProfit, openAmount: '300' }, words)
    return [outcome, percent, money]
  }
  assert.deepEqual(told('30'), ['gain', '+10.00%', '+30.00 USDT'])
  assert.deepEqual(told('-30'), ['loss', '−10.00%', '−30.00 USDT'])
  assert.deepEqual(told('0'), ['even', '0.00%', '0.00 USDT'])
  assert.deepEqual([percentOf('1', '3'), percentOf('-1', '3'), percentOf('5', '0')], ['33.33', '-33.34', '0'])
})
