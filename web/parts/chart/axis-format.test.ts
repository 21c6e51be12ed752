import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axisFormats } from './axis-format.ts'

const afternoon = Date.UTC(2026, 10, 29, 15, 4, 5)
const dateTimeFormat = new Intl.DateTimeFormat('en')
/** With plain spaces, whatever kind of space a language has. */
const plain = (text: string): string => text.replace(/\s/g, ' ')

test('UI-CHART-003: the axes have separators, percent, months and hours of the language', () => {
  const of = (tag: string) => {
    const { thousandsSeparator, decimalFold, formatter } = axisFormats(tag, 'utc')
    const number = (value: string): string => plain(decimalFold.format(thousandsSeparator.format(value)))
    const date = (template: string): string =>
      plain(formatter.formatDate({ timestamp: afternoon, template, type: 'xAxis', dateTimeFormat }))
    return { number, date, big: (value: number) => number(formatter.formatBigNumber(value)).replace('\u200b', '') }
  }
  const [en, de, fr, hk] = [of('en'), of('de'), of('fr'), of('zh-Hant-HK')]
  assert.deepEqual(
    [en, de, fr, hk].map(({ number }) => number('104533.10')),
    ['104,533.10', '104.533,10', '104 533,10', '104,533.10'],
  )
  assert.deepEqual([en.number('-2.35%'), de.number('-2.35%')], ['-2.35%', '-2,35 %'])
  assert.deepEqual([en.number('0.000012'), de.number('0.000012')], ['0.000012', '0,000012'])
  assert.deepEqual(
    [en, de, hk].map(({ date }) => date('HH:mm')),
    ['03:04 PM', '15:04', '下午03:04'],
  )
  assert.deepEqual(
    [en, de, hk].map(({ date }) => date('MM-DD HH:mm')),
    ['Nov 29, 03:04 PM', '29. Nov., 15:04', '11月29日 下午03:04'],
  )
  assert.deepEqual(
    [en, de, hk].map(({ date }) => date('YYYY-MM-DD')),
    ['Nov 29, 2026', '29.11.2026', '2026年11月29日'],
  )
  // A short figure has its separators already.
  assert.deepEqual([en.big(1234), de.big(1234), de.big(12_345_678)], ['1.234K', '1.234', '12,35 Mio.'])
})
