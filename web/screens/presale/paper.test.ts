import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { isPaper } from './paper.ts'

test('UI-PRESALE-006: a whitepaper counts as checked only if its SHA-256 is the one of the presale', () => {
  const file = new TextEncoder().encode('%PDF-1.7 whitepaper')
  const hash = createHash('sha256').update(file).digest('hex')
  assert.ok(isPaper(file, hash))
  assert.ok(isPaper(file, hash.toUpperCase()))
  assert.ok(!isPaper(new TextEncoder().encode('%PDF-1.7 whitepapeR'), hash))
  assert.ok(!isPaper(new Uint8Array(), hash))
})
