import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as statement from '../statement.ts'
import type { RequestJson } from '../wire.ts'
import { ask, Custody } from './custody.ts'

const endOf = (custody: Custody, payment = custody.payment(), key = custody.engine): RequestJson => ({
  ...{ kind: 'end', payment: { ...payment, value: payment.value.toString() }, engine: key.sign(statement.intentDigest(payment)) },
})

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
