import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ticks } from '@candor/core/money/brand.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { Held } from '../risk.ts'
import { type Draft, isComplete, orderOf, quantityOf, resultAt, wholeOf, wrongTrigger } from './draft.ts'
import { exitsFor } from './list.ts'

const long = { symbol: 'BTCUSDTPERP', side: 'buy', position: 'both' } as WirePosition
const short = { ...long, side: 'sell' } as WirePosition

let last = 0
function stop(price: string, direction: string, more: object = {}, perp: object = {}): WireOrder {
  const shape = { symbol: 'BTCUSDTPERP', side: 'sell', type: 'market', status: 'pending', ...more }
  const flags = { position: 'both', reduceOnly: true, closing: false, triggerBy: 'mark', ...perp }
  return { id: String(++last), ...shape, trigger: { kind: 'stop', price, direction }, perp: flags } as unknown as WireOrder
}
const names = (position: WirePosition, orders: readonly WireOrder[]): readonly string[] =>
  exitsFor(position, orders).map(({ kind, trigger, isWhole }) => `${kind} ${trigger}${isWhole ? ' whole' : ''}`)

test('UI-EXITS-001: the exits of a position are its sleeping orders that only reduce, the next one of each kind first', () => {
  const orders = [
    stop('120', 'rises-to'),
    stop('90', 'falls-to'),
    stop('110', 'rises-to', { type: 'limit' }, { closing: true, reduceOnly: false }),
    stop('95', 'falls-to', {}, { closing: true }),
    stop('94', 'falls-to', {}, { reduceOnly: false }),
    stop('93', 'falls-to', { status: 'open' }),
    stop('92', 'falls-to', { side: 'buy' }),
    stop('91', 'falls-to', { symbol: 'ETHUSDTPERP' }),
    stop('96', 'falls-to', {}, { position: 'long' }),
  ]
  assert.deepEqual(names(long, orders), ['takeProfit 110 whole', 'takeProfit 120', 'stopLoss 95 whole', 'stopLoss 90'])
  const buys = [stop('90', 'falls-to', { side: 'buy' }), stop('95', 'falls-to', { side: 'buy' }), stop('110', 'rises-to', { side: 'buy' })]
  assert.deepEqual(names(short, buys), ['takeProfit 95', 'takeProfit 90', 'stopLoss 110'])
  const whole = wholeOf(exitsFor(long, orders))
  // The whole take profit is a limit order, which the form for the whole position doesn't have.
  assert.deepEqual([whole.takeProfit, whole.stopLoss?.trigger], [undefined, { kind: 'stop', price: '95', direction: 'falls-to' }])
})

const held = { lots: 10, cost: 1000, margin: 100, mode: 'isolated', leverage: 10 } as Held
const draft: Draft = { kind: 'takeProfit', trigger: '120', by: 'last', part: '50', quantity: '0.005', type: 'limit', price: '119' }

test('UI-EXITS-002: a draft becomes an order of its part, and the whole one of the position as it will be', () => {
  assert.deepEqual(
    ['25', '50', '75', 'whole'].map((part) => quantityOf(held, part as '25', '0.001')),
    ['0.002', '0.005', '0.007', '0.010'],
  )
  assert.equal(quantityOf({ ...held, lots: -1 }, '25', '0.001'), '0.001')
  const order = { clientId: 'c', symbol: 'BTCUSDTPERP', side: 'sell', type: 'limit', price: '119', triggerBy: 'last' }
  const trigger = { kind: 'stop', price: '120', direction: 'rises-to' }
  assert.deepEqual(orderOf(long, false, draft, 'c'), { ...order, reduceOnly: true, quantity: '0.005', trigger })
  assert.deepEqual(orderOf({ ...short, position: 'short' }, true, { ...draft, part: 'whole', type: 'market', by: 'mark' }, 'c'), {
    ...{ clientId: 'c', symbol: 'BTCUSDTPERP', side: 'buy', position: 'short', type: 'market', triggerBy: 'mark' },
    ...{ closing: true, trigger: { ...trigger, direction: 'falls-to' } },
  })
  const market = { tick: '0.1', lot: '0.001' }
  const complete = (more: Partial<Draft>): boolean => isComplete({ ...draft, ...more }, market)
  assert.deepEqual(
    [
      complete({}),
      complete({ price: '' }),
      complete({ price: '', type: 'market' }),
      complete({ quantity: '0' }),
      complete({ quantity: '', part: 'whole' }),
    ],
    [true, false, true, false, true],
  )
})

test('UI-EXITS-003: a trigger lies beyond the price that it follows, and the result counts no more than the position', () => {
  const wrong = (isLong: boolean, kind: 'takeProfit' | 'stopLoss', trigger: number | undefined, now: number | undefined) =>
    wrongTrigger(isLong, kind, trigger as Ticks | undefined, now as Ticks | undefined)
  assert.deepEqual(
    [wrong(true, 'takeProfit', 101, 100), wrong(true, 'takeProfit', 100, 100), wrong(true, 'stopLoss', 100, 100)],
    [undefined, 'tooLow', 'tooHigh'],
  )
  assert.deepEqual(
    [wrong(false, 'takeProfit', 99, 100), wrong(false, 'takeProfit', 100, 100), wrong(false, 'stopLoss', 100, 100)],
    [undefined, 'tooHigh', 'tooLow'],
  )
  assert.deepEqual([wrong(true, 'stopLoss', undefined, 100), wrong(true, 'stopLoss', 500, undefined)], ['invalid', undefined])
  assert.deepEqual([resultAt(held, 5, 110 as Ticks, 1), resultAt(held, 50, 110 as Ticks, 1)], [50, 100])
  assert.deepEqual([resultAt({ ...held, lots: -10 }, 5, 110 as Ticks, 1), resultAt(held, 4, 90 as Ticks, 1)], [-50, -40])
})
