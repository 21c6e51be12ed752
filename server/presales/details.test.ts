import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PresaleDetails, PresaleText } from '@candor/core/protocol/wire/console/presale.ts'
import { textIn, textOfDetails } from './details.ts'

const text = (title: string): PresaleText => ({ title, overview: 'a', details: 'b', pool: 'c', useOfFunds: 'd', risks: 'e' })
const details = (texts: PresaleDetails['texts']): PresaleDetails =>
  ({ token: 'NEW', name: 'New Token', totalSupply: '10', contract: null, texts }) as PresaleDetails

test('PRESALE-APP-001: Simplified Chinese falls back to Traditional, and both to English', () => {
  const [en, hk, hans] = [text('New'), text('新代幣'), text('新代币')]
  const langIn = (texts: PresaleDetails['texts'], wanted: 'hk' | 'hk-hans' | 'de') => textIn(details(texts), wanted).lang
  assert.deepEqual(textIn(details({ en, hk, 'hk-hans': hans }), 'hk-hans'), { ...hans, lang: 'hk-hans' })
  assert.equal(langIn({ en, hk }, 'hk-hans'), 'hk')
  assert.equal(langIn({ en, 'hk-hans': hans }, 'hk'), 'en')
  assert.equal(langIn({ en }, 'hk-hans'), 'en')
  assert.equal(langIn({ en, hk }, 'de'), 'en')
  assert.equal(textOfDetails(details({ 'hk-hans': hans, hk, en })), textOfDetails(details({ en, hk, 'hk-hans': hans })))
})
