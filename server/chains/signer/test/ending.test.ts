import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as statement from '../statement.ts'
import type { RequestJson } from '../wire.ts'
import { ask, Custody, statusOf } from './custody.ts'

function endOf(custody: Custody, { withdrawal, user, clientId }: statement.Ending = custody.payment(), key = custody.engine): RequestJson {
  const ending = { withdrawal, user, ...(clientId === undefined ? {} : { clientId }) }
  return { kind: 'end', ending, engine: key.sign(statement.endingDigest(ending)) }
}

test('SIGNER-END-001: for a withdrawal that was ended nothing is ever signed, also after a restart and under another number', async () => {
  using custody = new Custody()
  {
    using signer = await custody.ready()
    assert.deepEqual(await ask(signer, endOf(custody, custody.payment(), custody.login)), { ok: false, reason: 'ENGINE_SIGNATURE' })
    for (let time = 0; time < 2; time++) assert.deepEqual(await ask(signer, endOf(custody)), { ok: true })
    assert.deepEqual(await ask(signer, custody.request()), { ok: false, reason: 'ENDED' })
  }
  using again = custody.signer()
  await custody.beat(again)
  assert.deepEqual(await ask(again, custody.request()), { ok: false, reason: 'ENDED' })
  const moved = custody.payment({ withdrawal: 2, clientId: custody.payment().clientId })
  assert.deepEqual(await ask(again, custody.request(moved)), { ok: false, reason: 'PROOF_USED' })
  assert.equal((await ask(again, custody.request(custody.payment({ withdrawal: 3 }), { slot: custody.request().slot }))).ok, true)
})

test('SIGNER-END-002: a withdrawal that has its place on the chain can’t be ended', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  assert.equal((await ask(signer, custody.request())).ok, true)
  assert.deepEqual(await ask(signer, endOf(custody)), { ok: false, reason: 'ALREADY_BOUND' })
  assert.equal((await ask(signer, custody.request())).ok, true)
})

test('SIGNER-END-003: a withdrawal whose request of the customer is not known is ended by its number; the engine’s word for a payment, or for another number or customer, ends none', async () => {
  using custody = new Custody()
  {
    using signer = await custody.ready()
    const { withdrawal, user } = custody.payment()
    const known = endOf(custody) as Extract<RequestJson, { kind: 'end' }>
    const wrong = [
      { ...known, engine: custody.engine.sign(statement.intentDigest(custody.payment())) },
      ...[{ withdrawal: 2 }, { user: 8 }, { clientId: 'other' }].map((change) => ({ ...known, ending: { ...known.ending, ...change } })),
      { ...known, ending: { withdrawal, user } },
    ]
    for (const each of wrong) assert.deepEqual(await ask(signer, each), { ok: false, reason: 'ENGINE_SIGNATURE' })
    assert.deepEqual(await ask(signer, endOf(custody, { withdrawal, user })), { ok: true })
  }
  using again = custody.signer()
  await custody.beat(again)
  assert.deepEqual(await ask(again, custody.request()), { ok: false, reason: 'ENDED' })
  assert.equal((await ask(again, custody.request(custody.payment({ withdrawal: 2 })))).ok, true)
})

test('SIGNER-END-004: a signer with an older copy of its journal, which may have signed the payment, promises nothing', async () => {
  using custody = new Custody()
  const files = ['journal.jsonl', 'journal.head'] as const
  const newest = await (async () => {
    using signer = await custody.ready()
    for (const name of files) copyFileSync(join(custody.folder, name), join(custody.run, name))
    assert.equal((await ask(signer, custody.request())).ok, true)
    return statusOf(signer)
  })()
  for (const name of files) copyFileSync(join(custody.run, name), join(custody.folder, name))
  using restored = custody.signer()
  assert.deepEqual(await ask(restored, endOf(custody)), { ok: false, reason: 'HEARTBEAT_STALE' })
  custody.now += 1
  const beat = custody.heartbeat({ at: custody.now, isMatch: true, seq: newest.seq, head: newest.head })
  assert.deepEqual(await ask(restored, beat), { ok: false, reason: 'JOURNAL_BEHIND' })
  assert.deepEqual(await ask(restored, endOf(custody)), { ok: false, reason: 'HEARTBEAT_STALE' })
})
