import assert from 'node:assert/strict'
import test from 'node:test'
import { filterOf, hiddenLimits, noFilter, queryOf, withinMonth } from './filter.ts'
import { byMonth, monthOf } from './months.ts'

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const of = (text: string) => filterOf(new URLSearchParams(text))

test('UI-RECORDS-002: a link sets every filter, and unknown values limit nothing', () => {
  assert.deepEqual(of('type=presale-release&asset=BTC&account=margin-cross&from=2026-11-01&to=2026-11-30'), {
    type: 'presale-release',
    asset: 'BTC',
    account: 'margin-cross',
    from: '2026-11-01',
    to: '2026-11-30',
  })
  assert.deepEqual(of('type=hold&asset=%3Cb%3E&account=house&from=yesterday&to=2026-13-40'), noFilter)
  assert.equal(hiddenLimits(of('type=trade&asset=BTC')), 0)
  assert.equal(hiddenLimits(of('account=spot&to=2026-11-30')), 2)
})

test('UI-RECORDS-002: days are asked for from the first moment of the first to the last of the last', () => {
  assert.deepEqual(queryOf(noFilter, startOf), {})
  assert.deepEqual(queryOf(of('type=fee&account=spot&from=2026-11-30&to=2026-11-01'), startOf), {
    type: 'fee',
    account: 'spot',
    from: startOf('2026-11-01'),
    to: startOf('2026-12-01') - 1,
  })
})

test('UI-RECORDS-003: a month is summed from its first to its last moment, within the days of the filter', () => {
  const november = monthOf(new Date(2026, 10, 17, 12).getTime())
  assert.deepEqual(november, { from: new Date(2026, 10, 1).getTime(), to: new Date(2026, 11, 1).getTime() - 1 })
  assert.deepEqual(withinMonth({ asset: 'BTC' }, november), { asset: 'BTC', ...november })
  const [from, to] = [november.from + 5, november.to - 7]
  assert.deepEqual(withinMonth({ from, to }, november), { from, to })
  assert.deepEqual(withinMonth({ from: 1, to: november.to + 1 }, november), november)
})

test('UI-RECORDS-003: records are put together by month, newest first', () => {
  const times = [new Date(2026, 11, 1), new Date(2026, 10, 30, 23, 59), new Date(2026, 10, 1), new Date(2025, 10, 1)].map(Number)
  const months = byMonth(times, Number, 'en-GB')
  assert.deepEqual(
    months.map(({ title, items }) => [title, items]),
    [
      ['December 2026', [times[0]]],
      ['November 2026', [times[1], times[2]]],
      ['November 2025', [times[3]]],
    ],
  )
})
