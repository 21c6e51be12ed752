import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { bookRows, groupings } from '../desk/book-view.ts'
import { errors } from './errors.ts'
import { type Action, type Context, emptyForm, type Form } from './form.ts'
import { reduce } from './reduce.ts'
import { summary } from './summary.ts'
import { requestOf } from './request.ts'

const market: WireMarket = {
  id: 1,
  symbol: 'BTCUSDT',
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
  makerFeePpm: 1_000,
  takerFeePpm: 1_000,
  isTrading: true,
  kind: 'spot',
  hasMargin: true,
  hasOption: true,
}

const context: Context = {
  market,
  baseScale: 8,
  quoteScale: 6,
  bid: '67412.4',
  ask: '67412.5',
  last: '67412.5',
  availableBase: '0.5',
  availableQuote: '1000',
  makerPpm: 1_000,
  takerPpm: 1_000,
}

const after = (...actions: readonly Action[]): Form => actions.reduce((form, action) => reduce(form, action, context), emptyForm())
const set = (field: 'price' | 'stop' | 'trail' | 'amount' | 'display', text: string): Action => ({ type: 'set', field, text })

describe('the order ticket', () => {
  test('computes value, fee and received amount exactly', () => {
    const form = after(set('price', '67412.5'), set('amount', '0.01'))
    const shown = summary(form, context)
    assert.equal(shown.value, '674.125')
    assert.equal(shown.cost, '674.125')
    assert.equal(shown.takerFee, '0.00001')
    assert.equal(shown.receive, '0.00999')
    assert.equal(shown.percent, 67)
    assert.deepEqual(errors(form, context), {})
  })

  test('the slider never exceeds the available balance', () => {
    for (const side of ['buy', 'sell'] as const) {
      for (const kind of ['limit', 'market', 'stop-market', 'trailing'] as const) {
        for (const percent of [1, 25, 50, 99, 100]) {
          const form = after({ type: 'kind', kind }, { type: 'side', side }, set('price', '66000'), set('stop', '68000'), {
            type: 'percent',
            percent,
          })
          assert.equal(errors(form, context).amount, undefined, `${side} ${kind} ${percent} %: ${form.amount}`)
        }
      }
    }
  })

  test('a market buy by amount spends exactly the typed amount', () => {
    const form = after({ type: 'kind', kind: 'market' }, { type: 'unit', unit: 'quote' }, set('amount', '123.456789'))
    assert.equal(summary(form, context).cost, '123.456789')
    assert.deepEqual(requestOf(form, context, 'a'), {
      kind: 'order',
      body: { clientId: 'a', symbol: 'BTCUSDT', side: 'buy', type: 'market', spend: '123.456789' },
    })
  })

  test('UI-NUMBER-009: the amount stays when the side changes, and is converted when the unit does, on Spot and Margin', () => {
    const bought = after(set('price', '60000'), set('amount', '0.01234'))
    assert.deepEqual(after(set('price', '60000'), set('amount', '0.01234'), { type: 'side', side: 'sell' }), { ...bought, side: 'sell' })
    const sold = after(set('price', '60000'), { type: 'unit', unit: 'quote' }, set('amount', '1000'), { type: 'side', side: 'sell' })
    assert.deepEqual([sold.amount, sold.unit], ['1000', 'quote'])
    const inCoins = reduce(sold, { type: 'unit', unit: 'base' }, context)
    assert.equal(inCoins.amount, '0.01666', 'rounded down to lots')
    const andBack = reduce(reduce(inCoins, { type: 'side', side: 'buy' }, context), { type: 'unit', unit: 'quote' }, context)
    assert.deepEqual([andBack.side, andBack.amount], ['buy', '1000'])
  })

  const wrong: readonly [string, readonly Action[], object][] = [
    ['nothing typed', [], { price: 'FIELD_MISSING', amount: 'FIELD_MISSING' }],
    ['half a tick', [set('price', '67412.55'), set('amount', '0.01')], { price: 'PRICE_INVALID' }],
    ['half a lot', [set('price', '67412.5'), set('amount', '0.000001')], { amount: 'QUANTITY_INVALID' }],
    ['letters', [set('price', '1e5'), set('amount', 'x')], { price: 'PRICE_INVALID' }],
    ['below the smallest value', [set('price', '67412.5'), set('amount', '0.00007')], { amount: 'NOTIONAL_TOO_SMALL' }],
    ['more than there is', [set('price', '67412.5'), set('amount', '0.02')], { amount: 'INSUFFICIENT_BALANCE' }],
    [
      'a market buy that could not pay its worst price',
      [{ type: 'kind', kind: 'market' }, set('amount', '0.0145')],
      { amount: 'INSUFFICIENT_BALANCE' },
    ],
    ['far from the market', [set('price', '90000.0'), set('amount', '0.01')], { price: 'PRICE_OUTSIDE_BAND' }],
    [
      'a trigger at the last price',
      [{ type: 'kind', kind: 'stop-limit' }, set('price', '67000'), set('stop', '67412.5'), set('amount', '0.01')],
      { stop: 'TRIGGER_IMMEDIATE' },
    ],
    ['a trail of nothing', [{ type: 'kind', kind: 'trailing' }, set('trail', '0'), set('amount', '0.01')], { trail: 'TRAIL_INVALID' }],
    [
      'an OCO with both legs on one side',
      [{ type: 'kind', kind: 'oco' }, { type: 'side', side: 'sell' }, set('price', '68000'), set('stop', '69000'), set('amount', '0.01')],
      { stop: 'OCO_PRICES_INVALID' },
    ],
    ['an iceberg that shows all', [set('price', '67412.5'), set('amount', '0.01'), set('display', '0.01')], { display: 'DISPLAY_INVALID' }],
  ]
  for (const [what, actions, expected] of wrong) {
    test(`finds the error: ${what}`, () => assert.deepEqual(errors(after(...actions), context), expected))
  }

  test('the id of an OCO list leaves room for the suffixes of its orders', () => {
    const form = after({ type: 'kind', kind: 'oco' }, set('price', '66000'), set('stop', '69000'), set('amount', '0.01'))
    assert.deepEqual(requestOf(form, context, '0f8fad5b-d9cb-469f-a165-70867728950e'), {
      kind: 'oco',
      body: {
        clientId: '0f8fad5bd9cb469fa1657086772895',
        symbol: market.symbol,
        side: 'buy',
        quantity: '0.01',
        limitPrice: '66000',
        stopPrice: '69000',
      },
    })
  })

  test('a tap on the book sets the price, for market orders only the quantity', () => {
    const take: Action = { type: 'take', price: '67000.0', quantity: '0.25000' }
    assert.equal(after(take).price, '67000.0')
    assert.equal(after(take).amount, '0.25000')
    assert.equal(after({ type: 'kind', kind: 'market' }, take).price, '')
  })

  test('post-only excludes IOC and FOK', () => {
    const form = after({ type: 'postOnly', isPostOnly: true }, { type: 'timeInForce', timeInForce: 'IOC' })
    assert.equal(form.isPostOnly, false)
  })

  test('a stop above the last price waits for a rise, one below for a fall', () => {
    for (const [stop, direction] of [
      ['68000', 'rises-to'],
      ['66000', 'falls-to'],
    ] as const) {
      const sent = requestOf(after({ type: 'kind', kind: 'stop-market' }, set('stop', stop), set('amount', '0.01')), context, 'a')
      assert.deepEqual(sent.kind === 'order' && sent.body.trigger, { kind: 'stop', price: stop, direction })
    }
  })
})

describe('the rows of the book', () => {
  const bids = [
    ['67412.4', '1.00000'],
    ['67412.1', '2.00000'],
    ['67411.9', '1.00000'],
  ] as const
  const asks = [
    ['67412.5', '0.50000'],
    ['67413.0', '0.50000'],
    ['67413.1', '3.00000'],
  ] as const

  test('stay unchanged without grouping, with a full bar for the deepest row', () => {
    const rows = bookRows(bids, asks, market, 1, { bids: 7, asks: 7 })
    assert.deepEqual(
      rows.bids.map((row) => row.price),
      ['67412.4', '67412.1', '67411.9'],
    )
    assert.deepEqual(
      rows.asks.map((row) => row.depth),
      [13, 25, 100],
    )
    assert.deepEqual(
      rows.asks.map((row) => row.sum),
      ['0.50000', '1.00000', '4.00000'],
    )
    assert.equal(rows.spread, '0.1')
    assert.equal(rows.bidPercent, 50)
  })

  test('are grouped with bids rounded down, asks rounded up, and quantities added', () => {
    const rows = bookRows(bids, asks, market, 10, { bids: 7, asks: 7 })
    assert.deepEqual(
      rows.bids.map((row) => [row.price, row.quantity]),
      [
        ['67412.0', '3.00000'],
        ['67411.0', '1.00000'],
      ],
    )
    assert.deepEqual(
      rows.asks.map((row) => [row.price, row.quantity]),
      [
        ['67413.0', '1.00000'],
        ['67414.0', '3.00000'],
      ],
    )
  })

  test('have groupings that are small compared with the price', () => {
    assert.deepEqual(groupings(market, '67412.5'), [1, 10, 100, 1_000])
    assert.deepEqual(groupings({ ...market, tick: '0.0001' }, '0.1'), [1])
  })
})
