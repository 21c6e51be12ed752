import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { decimalFormats } from '../../../app/formats.ts'
import type { Translate } from '../../../app/translate.ts'
import type { Words } from '../../share/facts.ts'
import { optionFacts } from './facts.ts'

const market = { base: 'BTC', quote: 'USDT', priceDigits: 1, quantityDigits: 5 } as WireMarket
const words: Words = { t: ((key: string) => key) as Translate, format: decimalFormats('en'), market }

test('UI-PICTURE-003: a settled order of Second shows its share of the stake, and a void one no settlement price', () => {
  const order = { direction: 'up', stake: '10', seconds: 60, strike: '100.5', settledAt: 0 } as WireOption
  const won = optionFacts({ ...order, settleProfit: '8.4', settlePrice: '101.25' }, words)
  assert.deepEqual(
    [won.percent, won.money, won.side, won.product],
    ['+84.00%', '+8.40 USDT', 'option.side.up', 'trade.optionsDesk · option.minutes'],
  )
  assert.deepEqual(won.rows, [
    ['share.opening', '100.5'],
    ['share.settlement', '101.25'],
  ])
  const lost = optionFacts({ ...order, direction: 'down', settleProfit: '-10', settlePrice: '101' }, words)
  assert.deepEqual([lost.percent, lost.outcome, lost.isRising], ['−100.00%', 'loss', false])
  assert.deepEqual(optionFacts({ ...order, settlePrice: '0', settleProfit: '0' }, words).rows[1], ['share.settlement', '–'])
})
