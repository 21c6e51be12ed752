import assert from 'node:assert/strict'
import test from 'node:test'
import { sharedPlace } from './shared.ts'

test('UI-SHARE-001: a shared invitation link opens its invitation, anything else the start page', () => {
  const of = (name: string, text: string): string | undefined => sharedPlace(`?${new URLSearchParams({ [name]: text })}`)
  assert.equal(sharedPlace(''), undefined)
  assert.equal(sharedPlace('?code=ABCD2345'), undefined)
  assert.equal(of('shared-url', 'https://candor.example/#/join?code=ABCD2345'), '/join?code=ABCD2345')
  assert.equal(of('shared-text', 'Trade with me: https://candor.example/#/join?lang=de&code=ABCD2345 !'), '/join?code=ABCD2345')
  assert.equal(of('shared-title', 'news'), '/')
  for (const wrong of ['https://x/#/join?code=', '/join?code=a', `/join?code=${'A'.repeat(17)}`, '/join?code=<b>', '/enjoin code=ABCD2345'])
    assert.equal(of('shared-text', wrong), '/', wrong)
})
