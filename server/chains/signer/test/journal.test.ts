import assert from 'node:assert/strict'
import { appendFileSync, copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { beginJournal } from '../journal.ts'
import { CustodyFault } from '../reasons.ts'
import { ask, Custody, statusOf } from './custody.ts'

const journalOf = ({ folder }: Custody): string => join(folder, 'journal.jsonl')
const headOf = ({ folder }: Custody): string => join(folder, 'journal.head')

/** A custody that paid three withdrawals, and its files before the last line was written. */
async function paidThree(): Promise<{ custody: Custody; before: { journal: Buffer; head: Buffer } }> {
  const custody = new Custody()
  using signer = await custody.ready()
  let before = { journal: Buffer.alloc(0), head: Buffer.alloc(0) }
  for (const withdrawal of [1, 2]) assert.equal((await ask(signer, custody.request(custody.payment({ withdrawal })))).ok, true)
  before = { journal: readFileSync(journalOf(custody)), head: readFileSync(headOf(custody)) }
  const user = custody.keyRequest(9, custody.cleo)
  assert.equal((await ask(signer, user)).ok, true)
  return { custody, before }
}

test('SIGNER-JOURNAL-001: a last line that was cut off by a crash is dropped, wherever it was cut', async () => {
  const { custody, before } = await paidThree()
  using _ = custody
  const whole = readFileSync(journalOf(custody))
  const [seq, head] = before.head.toString().split(' ')
  for (let size = before.journal.length; size < whole.length; size += size === whole.length - 2 ? 1 : 7) {
    writeFileSync(journalOf(custody), whole.subarray(0, size))
    writeFileSync(headOf(custody), before.head)
    using signer = custody.signer()
    const status = await statusOf(signer)
    assert.deepEqual([String(status.seq), status.head], [seq, head])
    assert.equal(statSync(journalOf(custody)).size, before.journal.length)
    await custody.beat(signer)
    assert.equal((await ask(signer, custody.request(custody.payment({ withdrawal: 3 })))).ok, true)
  }
  // The line is whole, and the crash came before the second file was written.
  writeFileSync(journalOf(custody), whole)
  writeFileSync(headOf(custody), before.head)
  using signer = custody.signer()
  assert.equal((await statusOf(signer)).seq, Number(seq) + 1)
})

test('SIGNER-JOURNAL-002: a changed byte, a removed, doubled or foreign line stops the start', async () => {
  const { custody } = await paidThree()
  using _ = custody
  const whole = readFileSync(journalOf(custody))
  const lines = whole.toString().trimEnd().split('\n')
  const others: string[][] = [
    lines.slice(1),
    lines.toSpliced(2, 1),
    lines.toSpliced(2, 0, lines[2]!),
    lines.toSpliced(1, 2, lines[2]!, lines[1]!),
  ]
  const bent = lines.map((line, i) => lines.with(i, line.replace(/"at":\d/, '"at":9')))
  for (const [i, each] of [...others, ...bent, [...lines, lines[0]!]].entries()) {
    writeFileSync(journalOf(custody), `${each.join('\n')}\n`)
    assert.throws(() => custody.signer(), CustodyFault, `change ${i}`)
  }
  for (let at = 0; at < whole.length - 1; at += 41) {
    writeFileSync(
      journalOf(custody),
      whole.map((byte, i) => (i === at ? byte ^ 1 : byte)),
    )
    assert.throws(() => custody.signer(), CustodyFault, `byte ${at}`)
  }
  // A journal under another key: somebody began one of their own.
  writeFileSync(journalOf(custody), whole)
  assert.throws(() => custody.signer({ journalKey: Buffer.alloc(32) }), CustodyFault)
})

test('SIGNER-JOURNAL-003: an end that was cut off stops the start, and so does a missing file', async () => {
  const { custody, before } = await paidThree()
  using _ = custody
  const whole = readFileSync(journalOf(custody))
  const head = readFileSync(headOf(custody))
  for (const size of [0, before.journal.length, whole.length - 1]) {
    truncateSync(journalOf(custody), size)
    assert.throws(() => custody.signer(), /end of the journal is missing/)
    writeFileSync(journalOf(custody), whole)
  }
  const [seq, mac, proof] = head.toString().trim().split(' ')
  for (const text of ['', `0 ${'0'.repeat(64)} ${proof}`, `${Number(seq) - 1} ${mac} ${proof}`]) {
    writeFileSync(headOf(custody), text)
    assert.throws(() => custody.signer(), CustodyFault)
  }
  writeFileSync(headOf(custody), head)
  rmSync(journalOf(custody))
  assert.throws(() => custody.signer(), /journal is missing/)
  assert.throws(() => beginJournal(custody.folder, custody.journalKey), /has a journal already/)
})

test('SIGNER-JOURNAL-004: an older copy of both files is known by the reconciliation’s statement', async () => {
  const { custody, before } = await paidThree()
  using _ = custody
  const status = await (async () => {
    using signer = custody.signer()
    return statusOf(signer)
  })()
  writeFileSync(journalOf(custody), before.journal)
  writeFileSync(headOf(custody), before.head)
  using signer = custody.signer()
  const beat = custody.heartbeat({ at: custody.now, isMatch: true, seq: status.seq, head: status.head })
  assert.deepEqual(await ask(signer, beat), { ok: false, reason: 'JOURNAL_BEHIND' })
  assert.deepEqual(await ask(signer, custody.request(custody.payment({ withdrawal: 3 }))), { ok: false, reason: 'HEARTBEAT_STALE' })
})

test('SIGNER-JOURNAL-005: a journal that somebody else writes while the signer runs stops it', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  copyFileSync(journalOf(custody), join(custody.folder, 'copy'))
  appendFileSync(journalOf(custody), readFileSync(join(custody.folder, 'copy')))
  assert.deepEqual(await ask(signer, custody.request()), { ok: false, reason: 'JOURNAL_FAILED' })
  assert.deepEqual(await ask(signer, custody.request()), { ok: false, reason: 'JOURNAL_FAILED' })
})
