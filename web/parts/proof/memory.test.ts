import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Evidence } from '@candor/core/proof/evidence.ts'
import { both, keys, Story } from '../../../core/proof/test/story.ts'
import { findings, keepFinding } from './memory.ts'

test('UI-PROOF-010: evidence of two signed heads takes the place of what nobody signed, never the other way round', () => {
  const kept = new Map<string, string>()
  const own = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
  const storage = { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, text: string) => void kept.set(name, text) }
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
  try {
    const [story, other] = [new Story(12), new Story(12, { from: 1 })]
    const of = (n: number, found: Evidence['found']): Evidence => ({
      ...{ evidence: 'candor heads 1', found, at: n, host: 'exchange.example', path: null },
      ...{ remembered: { keys, head: story.head(n) }, shown: { keys: both, head: other.head(n) } },
    })
    const all = () => findings().map(({ evidence }) => `${evidence.found} ${evidence.at}`)
    for (let n = 1; n <= 6; n++) keepFinding(of(n, 'signature'))
    assert.deepEqual(all(), ['signature 1', 'signature 2', 'signature 3', 'signature 4', 'signature 5'])
    keepFinding(of(7, 'twin'))
    assert.deepEqual(all(), ['signature 1', 'signature 2', 'signature 3', 'signature 4', 'twin 7'])
    for (let n = 8; n <= 12; n++) keepFinding(of(n, 'back'))
    assert.deepEqual(all(), ['twin 7', 'back 8', 'back 9', 'back 10', 'back 11'])
    keepFinding(of(1, 'gone'))
    assert.equal(all().length, 5)
  } finally {
    if (own === undefined) Reflect.deleteProperty(globalThis, 'localStorage')
    else Object.defineProperty(globalThis, 'localStorage', own)
  }
})
