import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as ordersRules from './orders.ts'
import { plain } from '../money/test/plain.ts'

// These functions take plain numbers, so that the tests can use literals.
const { checkLots, checkSpend, isPrice, notional, notionalMax, ticksMax, worstPrice } = plain(ordersRules)

const terms = { lotsMin: 5, lotsMax: 100, notionalMin: 50 } as Parameters<typeof checkLots>[0]
const large = { ...terms, lotsMax: 2 ** 40 }

test('the quantity and value of an order lie within the terms, to the unit', () => {
  for (const [price, lots, refusal] of [
    [25, 0, 'QUANTITY_INVALID'],
    [25, -5, 'QUANTITY_INVALID'],
    [25, 4, 'QUANTITY_TOO_SMALL'],
    [25, 5, undefined],
    [25, 100, undefined],
    [25, 101, 'QUANTITY_TOO_LARGE'],
    // The value is price × lots × 2.
    [3, 8, 'NOTIONAL_TOO_SMALL'],
    [5, 5, undefined],
    [3, 9, undefined],
  ] as const)
    assert.equal(checkLots(terms, 2, price, lots), refusal, `${lots} at ${price}`)
  assert.equal(checkLots({ ...terms, lotsMin: 0 }, 2, 25, 0), 'QUANTITY_INVALID')
  assert.equal(checkLots(large, 1, 2 ** 12, 2 ** 40), undefined)
  assert.equal(checkLots(large, 1, 2 ** 12 + 1, 2 ** 40), 'NOTIONAL_TOO_LARGE')
  assert.deepEqual([notional(3, 4, 5), notionalMax], [60, 2 ** 52])
})

test('an amount to spend lies within the terms, to the unit', () => {
  for (const [spend, refusal] of [
    [-1, 'QUANTITY_INVALID'],
    [0, 'QUANTITY_INVALID'],
    [49, 'NOTIONAL_TOO_SMALL'],
    [50, undefined],
    [2 ** 52, undefined],
    [2 ** 52 + 1, 'NOTIONAL_TOO_LARGE'],
  ] as const)
    assert.equal(checkSpend(terms, spend), refusal, `${spend}`)
  assert.equal(checkSpend({ ...terms, notionalMin: 0 } as typeof terms, 0), 'QUANTITY_INVALID')
})

test('a price is from 1 to 2^31 − 1 ticks', () => {
  assert.deepEqual([-1, 0, 1, ticksMax, ticksMax + 1].map(isPrice), [false, false, true, true, false])
})

test('the worst price is above the reference for buyers and below it for sellers, with the side as a name and as a number', () => {
  assert.deepEqual(
    [worstPrice(0, 100, 50_000), worstPrice(1, 100, 50_000), worstPrice('buy', 100, 50_000), worstPrice('sell', 100, 50_000)],
    [105, 95, 105, 95],
  )
})
