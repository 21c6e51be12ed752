import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Terms } from '@candor/core/protocol/wire/changes.ts'
import { draftOfTerms, linesOf, readDraft, textOf, valueOfText } from './values.ts'

const [noon, hash] = [Date.UTC(2026, 11, 1, 12), 'ab'.repeat(32)]

test('CONSOLE-PRESALE-006: moments, hashes and ways of release are words for people, and read back as the same values', () => {
  assert.equal(textOf('time', noon, []), '2026-12-01 12:00 UTC')
  assert.equal(textOf('hash', hash, []), 'ababababab…')
  assert.equal(textOf('hash', '', []), 'nothing')
  assert.equal(textOf('release', 'linear', []), 'day by day')
  assert.deepEqual(linesOf({ day: 'count', ppm: 'ppm' }, [{ day: 30, ppm: 250_000 }], []), ['30 · 25 %'])
  assert.equal(valueOfText('time', '2026-12-01 12:00'), noon)
  for (const text of ['', '1796126400000', '2026-12-01']) assert.equal(valueOfText('time', text), undefined, text)
  assert.deepEqual([valueOfText('hash', hash), valueOfText('hash', ''), valueOfText('hash', 'ab')], [hash, '', undefined])
  assert.deepEqual(
    [valueOfText('release', 'steps'), valueOfText('release', 'never'), valueOfText('release', 'toString')],
    ['steps', undefined, undefined],
  )
})

test('CONSOLE-PRESALE-006: the terms of a presale survive the form unchanged', () => {
  const terms: Terms = {
    ...{
      token: 'NEW',
      pricePay: '0.05',
      pricePer: '1',
      supply: '1000',
      purchaseLimit: '100',
      subscriptionMin: '10',
      subscriptionMax: '500',
    },
    ...{ softCap: '0', startsAt: noon, endsAt: noon + 5_000, atListingPpm: 200_000, release: 'steps', lockDays: 30 },
    ...{ steps: [{ day: 30, ppm: 800_000 }], documentHash: '', detailsHash: hash },
  }
  const { terms: read, wrong } = readDraft('presale', draftOfTerms('presale', terms))
  assert.deepEqual([read, [...wrong]], [terms, []])
  const draft = { ...draftOfTerms('presale', terms), startsAt: 'soon', release: '' }
  assert.deepEqual([...readDraft('presale', draft).wrong], ['startsAt', 'release'])
})
