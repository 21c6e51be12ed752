import assert from 'node:assert/strict'
import { test } from 'node:test'
import { running, sinceFirst, stretches, sumOfDays, weeksOf, worthOf } from './worth.ts'

const priceOf = (asset: string): number | undefined => ({ USDT: 1, BTC: 60_000 })[asset]
const balance = (asset: string, available: string, held = '0') => ({ asset, available, held })

test('UI-PROPERTY-001: the value of an account is its balances plus unrealised profit less debt', () => {
  assert.equal(worthOf({ kind: 'perp', balances: [balance('USDT', '100', '20')], unrealisedUsdt: '-5' }, priceOf), 115)
  assert.equal(worthOf({ kind: 'margin-cross', balances: [balance('BTC', '0.01'), balance('USDT', '0')], debtUsdt: '400' }, priceOf), 200)
  assert.equal(worthOf({ kind: 'spot', balances: [balance('XYZ', '1')] }, priceOf), undefined)
  assert.equal(worthOf({ kind: 'spot', balances: [balance('XYZ', '0')] }, priceOf), 0)
})

test('UI-PROPERTY-002: the curve adds up days from zero, and the weeks of the calendar start on Monday', () => {
  const days = ['2026-10-28', '2026-10-29', '2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'].map((day, index) => ({
    day,
    totalUsdt: '100',
    profitUsdt: String(index - 2),
  }))
  assert.deepEqual(running(days), [0, -2, -3, -3, -2, 0, 3])
  // 28 October 2026 is a Wednesday.
  const weeks = weeksOf(days)
  assert.deepEqual(
    weeks.map((week) => week.map((day) => day?.day.slice(-2))),
    [
      [undefined, undefined, '28', '29', '30', '31', '01'],
      ['02', undefined, undefined, undefined, undefined, undefined, undefined],
    ],
  )
  assert.deepEqual(weeksOf([]), [])

  const empty = { day: '2026-10-27', totalUsdt: '0', profitUsdt: '0' }
  assert.deepEqual(sinceFirst([empty, ...days, empty]), [...days, empty])
  assert.deepEqual(sinceFirst([empty]), [])
})

test('UI-PROPERTY-003: a day without a price is a gap in the curve and adds nothing', () => {
  const days = ['5', null, null, '-2', '1', null, '4'].map((profitUsdt, at) => ({
    day: `2026-11-0${at + 1}`,
    totalUsdt: profitUsdt,
    profitUsdt,
  }))
  const values = running(days)
  assert.deepEqual(values, [0, 5, undefined, undefined, 3, 4, undefined, 8])
  assert.deepEqual(stretches(values), [
    [0, 1],
    [4, 5],
    [7, 7],
  ])
  assert.equal(sumOfDays(days), 8)
  assert.deepEqual(sinceFirst(days.slice(1)), days.slice(1))
})
