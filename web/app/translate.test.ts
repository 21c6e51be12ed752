import assert from 'node:assert/strict'
import test from 'node:test'
import { translator, type Key } from './translate.ts'

const texts = {
  common: { hello: 'Hello {{name}}', orders_one: '{{count}} order', orders_other: '{{count}} orders' },
  deep: { er: { text: 'found' } },
}
const english = translator(() => texts, 'en')

test('a text has its placeholders filled', () => {
  assert.equal(english('common.hello' as Key, { name: 'Ann' }), 'Hello Ann')
  assert.equal(english('deep.er.text' as Key), 'found')
})

test('a counted text takes the plural form of its language', () => {
  assert.equal(english('common.orders' as Key, { count: 1 }), '1 order')
  assert.equal(english('common.orders' as Key, { count: 0 }), '0 orders')
  const chinese = translator(() => ({ common: { orders_other: '{{count}} 張訂單' } }), 'zh-Hant-HK')
  assert.equal(chinese('common.orders' as Key, { count: 1 }), '1 張訂單')
})

test('a missing text shows its key, or the given default', () => {
  assert.equal(english('common.nothing' as Key), 'common.nothing')
  assert.equal(english('common.nothing' as Key, { defaultValue: '' }), '')
  assert.equal(english('common' as Key), 'common')
})

test('UI-TEXT-001: a text of an area that is not loaded yet is empty and loads the area; a text missing in a loaded area shows its key', () => {
  const asked: string[] = []
  const comes = (area: string): boolean => {
    asked.push(area)
    return area === 'refusals'
  }
  let there: Parameters<typeof translator>[0] = () => texts
  const waiting = translator(() => there(), 'en', comes)
  assert.equal(waiting('refusals.INSUFFICIENT_BALANCE' as Key), '')
  assert.equal(waiting('refusals.INSUFFICIENT_BALANCE' as Key, { defaultValue: 'general' }), 'general')
  assert.equal(waiting('nowhere.title' as Key), 'nowhere.title')
  assert.equal(waiting('common.nothing' as Key), 'common.nothing')
  assert.deepEqual(asked, ['refusals', 'refusals', 'nowhere'])

  there = () => ({ ...texts, refusals: { INSUFFICIENT_BALANCE: 'Not enough' } })
  assert.equal(waiting('refusals.INSUFFICIENT_BALANCE' as Key), 'Not enough')
  assert.equal(waiting('refusals.OTHER' as Key), 'refusals.OTHER')
  assert.equal(asked.length, 3)
})

test('braces in a value are not a placeholder', () => {
  assert.equal(english('common.hello' as Key, { name: '{{name}}' }), 'Hello {{name}}')
})
