import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditReport } from '../../journal/audit.ts'
import type { CopyReport } from '../../journal/copy/audit.ts'
import { auditLines, copyLines } from '../commands/audit.ts'

const found = { ok: true, from: 0, seq: 42, hash: 'aa', journalHash: 'bb', totals: {}, problems: [] }

test('PROOF-COPY-014: a copy without heads is called consistent with itself alone, and commands after the last head are told', () => {
  const linesOf = (part: Partial<CopyReport>): readonly string[] =>
    copyLines({ ...found, heads: 3, signedTo: 42, head: '', key: 'cc', receipts: undefined, ...part })
  const receipts = 'Receipts were not checked: the copy has no salts'
  assert.deepEqual(linesOf({}), [
    'Consistent up to command 42, state aa',
    'Journal hash bb, 3 signed heads; first key cc',
    'Compare the key and the newest head with what is published: whoever makes up a copy can sign it with a key of their own',
    receipts,
  ])
  assert.deepEqual(linesOf({ heads: 0, signedTo: 0, key: '' }), [
    'Consistent with itself alone up to command 42, state aa',
    'Journal hash bb, no signed head',
    'Nothing in the copy is signed: anybody could have written it. It proves nothing about the exchange',
    receipts,
  ])
  assert.equal(linesOf({ signedTo: 40 })[3], 'Commands after 40 are in no signed head: nothing in the copy proves them')
  assert.equal(linesOf({ ok: false, heads: 0 })[0], 'NOT CONSISTENT up to command 42, state aa')
})

test('JOURNAL-AUDIT-010: a whole audit says when the first rows of the journal are gone', () => {
  const linesOf = (part: Partial<AuditReport>, isWhole = true): readonly string[] =>
    auditLines({ ...found, upgradedAt: 0, projected: 42, ...part }, isWhole)
  const gone = 'The first rows of the journal are gone: nothing before the state at 7 was checked'
  assert.equal(linesOf({}).length, 2)
  assert.deepEqual(linesOf({ from: 7 }).slice(2), [gone])
  assert.equal(linesOf({ from: 7 }, false).length, 2)
  assert.equal(linesOf({ from: 7, upgradedAt: 7 }).includes(gone), false)
})
