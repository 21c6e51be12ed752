import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { decimalFormats } from '../../app/formats.ts'
import { edited, type Shown } from './edit.ts'
import { cut, readNumber } from './read.ts'

const tags = ['en', 'zh-Hant-HK', 'zh-Hans', 'es', 'ca', 'de', 'fr', 'it', 'pt', 'de-CH', 'fr-CH']
const marksOf = (tag: string) => decimalFormats(tag, 'utc').marks
const en = marksOf('en')
const de = marksOf('de')
const plainAmount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 19n }), fc.stringMatching(/^\d{0,10}$/))
  .map(([whole, part]) => (part === '' ? `${whole}` : `${whole}.${part}`))

/** What is in the field after keys are pressed one by one at its end. */
function press(tag: string, keys: string, places: number, start: Shown = { text: '', isOurs: false }): { value: string; text: string } {
  const format = decimalFormats(tag, 'utc')
  let now = { ...start, value: readNumber(start.text, format.marks) ?? '' }
  for (const key of keys) {
    const text = key === '⌫' ? now.text.slice(0, -1) : now.text + key
    const next = edited(now, { text, caret: text.length }, { marks: format.marks, places, group: format.field })
    if (next !== undefined) now = next
  }
  return { value: now.value, text: now.text }
}

const paste = (tag: string, text: string, places: number) => {
  const format = decimalFormats(tag, 'utc')
  return edited({ text: '', isOurs: false }, { text, caret: text.length }, { marks: format.marks, places, group: format.field })
}

test('UI-NUMBER-001: both decimal signs, groups of every kind, codes and full-width digits are understood', () => {
  for (const text of [
    '1,000.5',
    '1.000,5',
    '1 000,5',
    '1\u202f000,5',
    "1'000.5",
    '1’000,5',
    '１，０００．５',
    ' 1,000.5 USDT',
    'USDT 1.000,5',
    '$1,000.5',
    '1000,5',
  ]) {
    for (const tag of tags) assert.equal(readNumber(text, marksOf(tag)), '1000.5', `${text} in ${tag}`)
  }
  assert.equal(readNumber('1,000,000', de), '1000000')
  assert.equal(readNumber('0,001', en), '0.001', 'no group begins with zero')
  assert.equal(readNumber('1234,567', en), '1234.567')
})

test('UI-NUMBER-002: the language decides about a text with two readings', () => {
  assert.deepEqual([readNumber('1,000', en), readNumber('1.000', en)], ['1000', '1.000'])
  assert.deepEqual([readNumber('1,000', de), readNumber('1.000', de)], ['1.000', '1000'])
})

test('UI-NUMBER-003: a text without a certain reading is not taken', () => {
  const wrong = [
    '1e5',
    '-5',
    '+5',
    '1,00,000',
    '٣',
    '1'.repeat(40),
    '1.2.3',
    '🙂',
    '5 🙂',
    '5k',
    '5 MIO',
    '1,000.5.5',
    '1 00',
    '',
    ' ',
    '.',
    'USDT',
    '0,000,5',
    '1.000.00',
  ]
  for (const text of wrong) for (const tag of tags) assert.equal(readNumber(text, marksOf(tag)), undefined, `${text} in ${tag}`)
})

test('UI-NUMBER-004: in every language, a formatted number is read as the same number', () => {
  fc.assert(
    fc.property(plainAmount, fc.constantFrom(...tags), (value, tag) => {
      const { field, marks, exact } = decimalFormats(tag, 'utc')
      assert.equal(field(value), exact(value))
      assert.equal(readNumber(field(value), marks), value)
    }),
  )
})

test('UI-NUMBER-005: any text is read as its own digits in their order, or not at all', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\d.,' ]{1,14}$/), fc.constantFrom(...tags), (text, tag) => {
      const value = readNumber(text, marksOf(tag))
      if (value === undefined) return
      assert.equal(value.replace('.', '').replace(/^0+/, ''), text.replace(/\D/g, '').replace(/^0+/, ''))
    }),
  )
})

test('UI-NUMBER-006: pasted digits beyond the places are cut off, never rounded up, and the field shows what is left', () => {
  assert.deepEqual(paste('de', '104,533.19', 1), { value: '104533.1', text: '104.533,1', caret: 9, isOurs: true })
  assert.equal(paste('en', '0.999', 2)?.value, '0.99')
  assert.equal(paste('en', '9.9', 0)?.value, '9')
  fc.assert(
    fc.property(plainAmount, fc.integer({ min: 0, max: 8 }), (value, places) => {
      const short = cut(value, places)
      assert.ok(value.startsWith(short) && (short.split('.')[1] ?? '').length <= places)
    }),
  )
})

test('UI-NUMBER-007: either key is the decimal sign where it can not begin a group', () => {
  assert.equal(press('en', '0,5', 2).value, '0.5')
  assert.equal(press('de', '0.5', 2).value, '0.5')
  assert.equal(press('en', '1000,5', 2).value, '1000.5')
  assert.equal(press('de', '12.5', 2).value, '12.5')
  assert.deepEqual(press('en', '1,000', 2), { value: '1000', text: '1,000' })
  assert.deepEqual(press('en', '1,000,000.25', 2), { value: '1000000.25', text: '1,000,000.25' })
  assert.equal(press('de', '1.000', 0).value, '1000')
  assert.equal(press('en', '1.234', 2).value, '1.23', 'a digit too many is not taken')
  assert.equal(press('en', '1.5', 0).value, '15', 'whole numbers have no decimal sign')
  assert.equal(press('en', '-1e5x', 2).value, '15')
  for (const tag of tags) assert.equal(press(tag, '1.2.3', 2).value, '1.23', tag)
})

test('UI-NUMBER-008: an edit of a grouped number keeps its digits and the place of the caret', () => {
  const format = decimalFormats('en', 'utc')
  const options = { marks: format.marks, places: 2, group: format.field }
  const before = { text: '1,234,567.50', isOurs: true }
  const edit = (text: string, caret: number, isForward = false) => edited(before, { text, caret, isForward }, options)
  assert.deepEqual(edit('1234,567.50', 1), { value: '234567.50', text: '234567.50', caret: 0, isOurs: false }, 'backspace on a mark')
  assert.deepEqual(edit('1234,567.50', 1, true), { value: '134567.50', text: '134567.50', caret: 1, isOurs: false }, 'delete on a mark')
  assert.deepEqual(edit('1,2934,567.50', 4), { value: '12934567.50', text: '12934567.50', caret: 3, isOurs: false })
  assert.deepEqual(edit('1,234,567.5', 11), { value: '1234567.5', text: '1234567.5', caret: 9, isOurs: false })
  assert.equal(edit('1,234,567.505', 13), undefined)
  assert.equal(edit('', 0)?.value, '')
  for (const text of ['1,2.3.4', '1e5', '1,00,000']) assert.equal(edit(text, text.length), undefined, text)
  assert.equal(edited(before, { text: '1,2345', caret: 6, isWhole: true }, options)?.value, '1.23', 'pasted over all of it')
})
