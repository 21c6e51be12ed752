import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locales } from '@candor/core/protocol/locales.ts'
import { type PaperField, paperReasons, type WirePaperFault } from '@candor/core/protocol/wire/papers.ts'
import type { Translate } from '../../app/translate.ts'
import { textsOf } from '../../test/person.ts'
import { faultText } from './words.ts'

test('UI-PAPERS-002: every reason of a reviewer has a text of its own at its field, in every language', () => {
  for (const { code } of locales) {
    const texts = textsOf(code)
    const t: Translate = (key, values) => texts.get(key) ?? String(values?.defaultValue ?? key)
    for (const [field, reasons] of Object.entries(paperReasons) as [PaperField, readonly WirePaperFault['reason'][]][]) {
      const said = reasons.map((reason) => faultText({ field, reason }, t))
      assert.equal(new Set(said).size, reasons.length, `${code} ${field}`)
      assert.ok(!said.includes(t('papers.fault.other')), `${code} ${field}: ${said.join(' ')}`)
    }
    assert.equal(faultText({ field: 'kind', reason: 'another' as 'differs' }, t), t('papers.fault.other'))
  }
})
