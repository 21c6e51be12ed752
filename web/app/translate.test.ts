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

test('a missing text shows its key, or what is given instead', () => {
  assert.equal(english('common.nothing' as Key), 'common.nothing')
  assert.equal(english('common.nothing' as Key, { defaultValue: '' }), '')
  assert.equal(english('common' as Key), 'common')
})

test('a value that holds braces is not taken for a placeholder', () => {
  assert.equal(english('common.hello' as Key, { name: '{{name}}' }), 'Hello {{name}}')
})
