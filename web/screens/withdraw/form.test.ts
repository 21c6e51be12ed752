import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireWithdrawStanding } from '@candor/core/protocol/wire/chains.ts'
import { boundsOf, faultOf, mostOf, peopleFor, receivedOf, typedUnits } from './form.ts'

const terms = { isOpen: true, min: '10', fee: '1', autoMax: '500', singleMax: '10000' }
const standing: WireWithdrawStanding = {
  ...{ today: { limit: '50000', used: '49000' }, unfinal: [{ asset: 'USDT', amount: '200' }], debts: [], isKeyNeeded: false },
}
const bounds = (available: string, asset = 'USDT') => boundsOf(terms, { asset, scale: 6, available, standing })

test('UI-WITHDRAW-001: the form names the first thing that stands against an amount, as the exchange would', () => {
  const faults = (available: string, text: string) => faultOf(typedUnits(text, 6)!, bounds(available))
  assert.equal(faults('100', '101'), 'refusals.INSUFFICIENT_BALANCE')
  assert.equal(faults('1000', '801'), 'refusals.DEPOSIT_NOT_FINAL')
  assert.equal(faults('5000', '1001'), 'refusals.DAILY_LIMIT')
  assert.equal(faults('5000', '9.999999'), 'refusals.AMOUNT_TOO_SMALL')
  assert.equal(faults('5000', '1000'), undefined)
})

test('UI-WITHDRAW-001: All takes what is available without deposits that are not final, up to the rest of the day', () => {
  assert.equal(mostOf(bounds('700')), 500_000_000)
  assert.equal(mostOf(bounds('100')), 0)
  assert.equal(mostOf(bounds('90000')), 1_000_000_000)
  assert.equal(mostOf(bounds('90000', 'ETH')), 90_000_000_000)
})

test('UI-WITHDRAW-001: the amount received is the amount without the fee, and larger amounts need more people', () => {
  assert.equal(receivedOf(typedUnits('100.5', 6), bounds('700'), 6), '99.5')
  assert.equal(receivedOf(typedUnits('1', 6), bounds('700'), 6), undefined)
  assert.equal(typedUnits('12.', 6), 12_000_000)
  assert.equal(typedUnits('0', 6), undefined)
  assert.deepEqual(
    ['500', '500.000001', '10000', '10000.1'].map((text) => peopleFor(typedUnits(text, 6)!, terms, 6)),
    ['none', 'one', 'one', 'two'],
  )
})
