import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireLevel } from '@candor/core/protocol/wire/market.ts'
import { decimalFormats } from '../../app/formats.ts'
import type { Translate } from '../../app/translate.ts'
import { fillNote, slippageText } from '../order/fill-note.ts'
import { estimateOf, receiptOf } from './estimate.ts'
import { type Action, type Context, emptyForm, type Form } from './form.ts'
import { reduce } from './reduce.ts'

const market: Context['market'] = {
  ...{ id: 1, symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', tick: '0.1', lot: '0.00001', priceDigits: 1, quantityDigits: 5 },
  ...{ notionalMin: '5', quantityMin: '0.00001', quantityMax: '100', bandPpm: 200_000, slippagePpm: 50_000, openOrdersMax: 200 },
  ...{ makerFeePpm: 1_000, takerFeePpm: 1_000, isTrading: true, kind: 'spot', hasMargin: true, hasOption: true },
}
const bids: readonly WireLevel[] = [
  ['59990', '0.02'],
  ['59800', '0.01004'],
  ['50000', '5'],
]
const asks: readonly WireLevel[] = [
  ['60010', '0.01'],
  ['60100', '0.5'],
]
const context: Context = {
  ...{ market, baseScale: 8, quoteScale: 6, bid: '59990', ask: '60010', last: '60000' },
  ...{ availableBase: '10', availableQuote: '100000', makerPpm: 1_000, takerPpm: 1_000 },
}
const nobody: ReadonlySet<string> = new Set()

function form(side: Form['side'], changes: Partial<Form>): Form {
  return { ...emptyForm(side), kind: 'market', ...changes }
}

function said(asked: Form, own = nobody, depth = { bids, asks }): string | undefined {
  const t = ((key: string, values: object = {}) => [key.replace('orders.', ''), ...Object.values(values)].join(' ')) as Translate
  const estimate = estimateOf(asked, context, depth, own, undefined)
  if (estimate === undefined) return 'no estimate'
  const sizes = { part: estimate.part, whole: estimate.whole, asset: estimate.wholeAsset }
  return fillNote(estimate, { ...asked, ...sizes }, market, t, decimalFormats('en'))
}

test('UI-ESTIMATE-004: a market sale walks the bids down to the worst price, and receives what they pay less the fee', () => {
  const estimate = estimateOf(form('sell', { amount: '0.15' }), context, { bids, asks }, nobody, undefined)
  assert.ok(estimate)
  // 0.02 × 59,990 + 0.01004 × 59,800 = 1,800.192; the bid at 50,000 is more than 5 % away. Fee 1.800192.
  assert.deepEqual(
    [estimate.quantity, estimate.value, estimate.fee, estimate.receive, estimate.average, estimate.isComplete],
    ['0.03004', '1800.19', '1.800192', '1798.39', '59926.49', false],
  )
  assert.equal(slippageText(estimate, decimalFormats('en')), '0.11%')
  // From a higher index, the worst price is above both bids.
  assert.equal(estimateOf(form('sell', { amount: '0.15' }), context, { bids, asks }, nobody, '64000')?.average, undefined)
})

test('UI-ESTIMATE-005: by amount, a purchase ends at the whole lots that the amount pays for, and a sale when it has received it', () => {
  const buys = estimateOf(form('buy', { unit: 'quote', amount: '1000' }), context, { bids, asks }, nobody, undefined)
  // 0.01 × 60,010, then 399.9 at 60,100: 0.00665 whole lots.
  assert.deepEqual([buys?.quantity, buys?.value, buys?.receive, buys?.isComplete], ['0.01665', '999.77', '0.01663335', true])
  const sells = estimateOf(form('sell', { unit: 'quote', amount: '1000' }), context, { bids, asks }, nobody, undefined)
  assert.deepEqual([sells?.quantity, sells?.value, sells?.receive, sells?.isComplete], ['0.01666', '999.43', '998.43', true])
  const tooMuch = estimateOf(form('sell', { unit: 'quote', amount: '5000' }), context, { bids, asks }, nobody, undefined)
  assert.deepEqual([tooMuch?.part, tooMuch?.whole, tooMuch?.wholeAsset, tooMuch?.isComplete], ['1800.192', '5000', 'USDT', false])
})

test('UI-ESTIMATE-006: the note names the part that the book fills, an own order in the way, and what becomes of the rest', () => {
  const limit = (timeInForce: Form['timeInForce'], price: string, amount = '0.1'): Form =>
    form('buy', { kind: 'limit', timeInForce, price, amount })
  assert.equal(said(form('sell', { amount: '0.02' })), undefined)
  assert.equal(said(form('sell', { amount: '0.15' })), 'est.short partOf 0.03004 0.15 BTC')
  assert.equal(said(form('sell', { amount: '0.15' }), nobody, { bids: [], asks }), 'est.nothing')
  assert.equal(said(form('sell', { amount: '0.15' }), new Set(['59990'])), 'est.nothing est.own 59,990 USDT')
  assert.equal(said(form('sell', { amount: '0.02' }), new Set(['59800'])), undefined, 'it ends before the own order')
  assert.equal(said(limit('IOC', '60050')), 'est.short partOf 0.01 0.1 BTC')
  assert.equal(said(limit('FOK', '60050')), 'est.fok')
  assert.equal(said(limit('FOK', '60100')), 'est.takes 60,091.0 USDT')
  assert.equal(said(limit('GTC', '60050')), 'est.rests partOf 0.01 0.1 BTC 60,010.0 USDT')
  assert.equal(said(limit('GTC', '60050'), new Set(['60010'])), 'est.nothing est.own 60,010 USDT')
  assert.equal(said(limit('GTC', '60000')), undefined, 'it only waits')
  assert.equal(said({ ...limit('GTC', '60050'), isPostOnly: true }), 'no estimate')
  assert.equal(said(form('sell', { kind: 'stop-market', stop: '59000', amount: '1' })), 'no estimate')
})

test('UI-ESTIMATE-007: without a book, an amount or a whole lot there is no estimate', () => {
  const none = [form('buy', {}), form('buy', { amount: '0.000001' }), form('sell', { unit: 'quote', amount: '0.1' })]
  for (const one of none) assert.equal(estimateOf(one, context, { bids, asks }, nobody, undefined), undefined, one.amount)
  assert.equal(estimateOf(form('buy', { amount: '1' }), context, undefined, nobody, undefined), undefined)
  const action: Action = { type: 'percent', percent: 100 }
  assert.ok(estimateOf(reduce(form('sell', {}), action, context), context, { bids, asks }, nobody, undefined))
})

test('UI-ESTIMATE-008: only a limit price guarantees what is received, and a selling OCO shows both of its sums', () => {
  const filled = { receive: '1798.39' }
  const of = (side: Form['side'], changes: Partial<Form>) => receiptOf(form(side, changes), context, filled)
  assert.deepEqual(of('sell', { amount: '0.15' }), { isSure: false, amount: '1798.39' })
  const limit = { kind: 'limit', price: '60000', amount: '0.1' } as const
  assert.deepEqual(of('sell', { ...limit, timeInForce: 'IOC' }), { isSure: false, amount: '1798.39' })
  for (const timeInForce of ['GTC', 'FOK'] as const)
    assert.deepEqual(of('sell', { ...limit, timeInForce }), { isSure: true, amount: '5994' }, timeInForce)
  assert.deepEqual(of('sell', { ...limit, kind: 'stop-limit', stop: '61000' }), { isSure: true, amount: '5994' })
  for (const kind of ['stop-market', 'trailing'] as const) assert.equal(of('sell', { ...limit, kind, stop: '59000' }).isSure, false, kind)
  const oco = { ...limit, kind: 'oco', price: '62000', stop: '58000' } as const
  assert.deepEqual(of('sell', oco), { isSure: false, least: '5794.2', amount: '6193.8' })
  assert.deepEqual(of('buy', { ...oco, price: '58000', stop: '62000' }), { isSure: true, amount: '0.0999' })
})
