import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Terms } from '@candor/core/protocol/wire/changes.ts'
import { brokenRule, type Rule } from './rules.ts'
import { begunIn, completeIn, detailsOf, draftOf } from './texts.ts'

const [day, now] = [86_400_000, Date.UTC(2026, 11, 1)]
const scales = { usdt: 6, token: 4 }
const good: Terms = {
  ...{ token: 'NEW', pricePay: '0.05', pricePer: '1', supply: '1000', purchaseLimit: '100', subscriptionMin: '10', subscriptionMax: '500' },
  ...{ softCap: '50', startsAt: now + day, endsAt: now + 3 * day, atListingPpm: 200_000, release: 'linear', lockDays: 30, steps: [] },
  ...{ documentHash: '', detailsHash: 'a'.repeat(64) },
}

test('CONSOLE-PRESALE-007: terms that the core would refuse break a rule with a name', () => {
  assert.equal(brokenRule(good, scales, now), undefined)
  const broken: readonly (readonly [Partial<Terms>, Rule])[] = [
    [{ supply: '0.00001' }, 'digits'],
    [{ pricePay: '0' }, 'price'],
    [{ supply: '0' }, 'supply'],
    [{ purchaseLimit: '1000.1' }, 'purchaseLimit'],
    [{ subscriptionMin: '0.000001' }, 'subscriptionMin'],
    [{ subscriptionMax: '9' }, 'subscriptionMax'],
    [{ softCap: '50.01' }, 'softCap'],
    [{ startsAt: now }, 'startsAt'],
    [{ endsAt: now + 92 * day }, 'endsAt'],
    [{ atListingPpm: 1_000_001 }, 'atListingPpm'],
    [{ lockDays: 0 }, 'lockDays'],
    [{ release: 'steps' }, 'steps'],
    [{ release: 'steps', steps: [{ day: 20, ppm: 800_000 }] }, 'steps'],
  ]
  for (const [change, rule] of broken) assert.equal(brokenRule({ ...good, ...change } as Terms, scales, now), rule, JSON.stringify(change))
  const steps = [
    { day: 10, ppm: 300_000 },
    { day: 30, ppm: 500_000 },
  ]
  assert.equal(brokenRule({ ...good, release: 'steps', steps }, scales, now), undefined)
})

test('CONSOLE-PRESALE-007: texts need English to the end, and other languages to the end or not at all', () => {
  const text = { title: ' New ', overview: 'a', details: 'b', pool: 'c', useOfFunds: 'd', risks: 'e' }
  const empty = draftOf()
  assert.deepEqual([begunIn(empty), completeIn(empty), detailsOf(empty)], [['en'], [], undefined])
  const draft = { ...empty, token: 'NEW', name: ' New Token ', totalSupply: '10,000,000', texts: { ...empty.texts, en: text } }
  const details = detailsOf(draft)!
  assert.deepEqual(details, {
    ...{ token: 'NEW', name: 'New Token', totalSupply: '10000000', contract: null },
    texts: { en: { ...text, title: 'New' } },
  })
  assert.deepEqual(detailsOf(draftOf(details)), details)
  const half = { ...draft, texts: { ...draft.texts, de: { ...text, risks: ' ' } } }
  assert.deepEqual([begunIn(half), completeIn(half), detailsOf(half)], [['de'], ['en'], undefined])
  const both = { ...draft, hasContract: true, network: 'Ethereum', texts: { ...draft.texts, de: text } }
  assert.equal(detailsOf(both), undefined)
  assert.deepEqual(Object.keys(detailsOf({ ...both, address: '0x00' })!.texts), ['en', 'de'])
  const simplified = { ...draft, texts: { ...draft.texts, 'hk-hans': text } }
  assert.deepEqual(Object.keys(detailsOf(simplified)!.texts), ['en', 'hk-hans'])
  for (const totalSupply of ['0', '', '1e9', '-5']) assert.equal(detailsOf({ ...draft, totalSupply }), undefined, totalSupply)
})
