import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Data, dataOf, dateOf, dateParts, draftOf, errorsOf, examples } from './fields.ts'

const today = Date.UTC(2026, 10, 26)
const erika: Data = { name: 'Erika Mustermann', born: { day: '12', month: '8', year: '1964' }, number: 'L01X00T47' }
const wrong = (change: Partial<Data>) => Object.values(errorsOf({ ...erika, ...change }, today))

test('UI-PAPERS-003: each field names what is missing or wrong, and names of every script are taken', () => {
  assert.deepEqual(wrong({}), [])
  for (const name of ['陳大文', 'José Ángel O’Neill-Núñez', 'Nguyễn Thị Hoa', 'Jr. Smith, III']) assert.deepEqual(wrong({ name }), [], name)
  assert.deepEqual(wrong({ name: '  ' }), ['nameMissing'])
  for (const name of ['X', '1234', 'a@b.c', 'Eve <b>']) assert.deepEqual(wrong({ name }), ['nameWrong'], name)
  assert.deepEqual(wrong({ number: '' }), ['numberMissing'])
  for (const number of ['A123456(7)', 'A 123-45', ...Object.values(examples)]) assert.deepEqual(wrong({ number }), [], number)
  for (const number of ['123', '(---)12', 'Ä123456', 'x'.repeat(41)]) assert.deepEqual(wrong({ number }), ['numberWrong'], number)
  assert.deepEqual(wrong({ born: { day: '', month: '', year: '' } }), ['bornMissing'])
  assert.deepEqual(wrong({ born: { day: '30', month: '2', year: '1990' } }), ['bornWrong'])
  assert.deepEqual(wrong({ born: { day: '1', month: '1', year: '90' } }), ['bornWrong'])
  assert.deepEqual(wrong({ born: { day: '1', month: '', year: '1990' } }), ['bornWrong'])
  assert.deepEqual(wrong({ born: { day: '1', month: '1', year: '2030' } }), ['bornWrong'])
})

test('UI-PAPERS-003: customers are of age from their birthday on', () => {
  assert.deepEqual(wrong({ born: { day: '26', month: '11', year: '2008' } }), [])
  assert.deepEqual(wrong({ born: { day: '28', month: '11', year: '2008' } }), ['bornYoung'])
})

test('what is sent has no spare spaces and the date in digits, and is read back the same', () => {
  const sent = draftOf({ ...erika, name: '  Erika   Mustermann ', number: ' L01 X00T47' })
  assert.deepEqual(sent, { name: 'Erika Mustermann', born: '1964-08-12', number: 'L01 X00T47' })
  assert.deepEqual(draftOf(dataOf(sent)), sent)
  assert.deepEqual(dataOf({ name: null, born: null, number: null }), { name: '', born: { day: '', month: '', year: '' }, number: '' })
  assert.equal(dateOf({ day: '29', month: '2', year: '2000' }), '2000-02-29')
  assert.equal(dateOf({ day: '29', month: '2', year: '1900' }), undefined)
})

test('UI-PAPERS-003: the date is asked for in the order of the language', () => {
  assert.deepEqual(dateParts('de'), ['day', 'month', 'year'])
  assert.deepEqual(dateParts('zh-Hant-HK'), ['day', 'month', 'year'])
  assert.deepEqual(dateParts('zh-Hans-CN'), ['year', 'month', 'day'])
  assert.deepEqual(dateParts('en-US'), ['month', 'day', 'year'])
})
