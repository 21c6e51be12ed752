import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ChainSigner } from '../chain-signer.ts'
import { request as requestSchema } from '../wire.ts'
import { ask, Custody, evmSlot, softSigner } from './custody.ts'

/** Kinds of the journal's last lines. */
function kinds({ folder }: Custody, count: number): readonly string[] {
  const lines = readFileSync(join(folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n').slice(-count)
  return lines.map((line) => (JSON.parse(line) as { entry: { kind: string } }).entry.kind)
}

test('SIGNER-GROUP-001: payments that are asked for together have their places on disk before a key is used, and their signatures before they leave', async () => {
  using custody = new Custody()
  const seen: (readonly string[])[] = []
  const key = softSigner(custody.evmKey)
  const sign: ChainSigner['sign'] = (unsigned) => {
    seen.push(kinds(custody, 6))
    return key.sign(unsigned)
  }
  const keys = new Map([
    ['ethereum', { ...key, sign }],
    ['tron', softSigner(custody.tronKey)],
  ])
  using signer = await custody.ready({ keys })
  const requests = [1, 2, 3].map((withdrawal) => custody.request(custody.payment({ withdrawal })))
  const answer = await ask(signer, { kind: 'sign.all', requests })
  assert.deepEqual(
    seen,
    [1, 2, 3].map(() => ['bound', 'slot', 'bound', 'slot', 'bound', 'slot']),
  )
  assert.deepEqual(kinds(custody, 3), ['signed', 'signed', 'signed'])
  assert.ok('all' in answer && answer.all.length === 3 && answer.all.every(({ ok }) => ok))
  assert.deepEqual(await ask(signer, { kind: 'sign.all', requests }), answer)
  assert.deepEqual(await ask(signer, requests[1]!), answer.all[1])
})

test('SIGNER-GROUP-002: a payment that is refused concerns the others only by the gap of its nonce, and a withdrawal is in a request once', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  const requests = [1, 2, 3].map((withdrawal) => custody.request(custody.payment({ withdrawal })))
  const bad = { ...requests[1]!, engine: requests[0]!.engine }
  const answer = await ask(signer, { kind: 'sign.all', requests: [requests[0]!, bad, requests[2]!] })
  assert.ok('all' in answer)
  const said = answer.all.map((each) => (each.ok ? 'signed' : each.reason))
  assert.deepEqual(said, ['signed', 'ENGINE_SIGNATURE', 'NONCE_GAP'])
  const moved = { ...requests[2]!, slot: evmSlot(1) }
  const again = await ask(signer, { kind: 'sign.all', requests: [bad, moved] })
  assert.deepEqual('all' in again && again.all.map(({ ok }) => ok), [false, true])
  assert.equal(requestSchema.safeParse({ kind: 'sign.all', requests: [requests[0], requests[0]] }).success, false)
})

test('SIGNER-GROUP-003: each of several payments above a cap is told so at once, and not only the first one', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  const above = [2, 3].map((withdrawal) => {
    const payment = custody.payment({ withdrawal, value: 10n ** 12n })
    return custody.request(payment, { approvals: [custody.approval('ada', payment), custody.approval('ben', payment)] })
  })
  const [first, last] = [1, 4].map((withdrawal) => custody.request(custody.payment({ withdrawal })))
  const answer = await ask(signer, { kind: 'sign.all', requests: [first!, ...above, last!] })
  const said = 'all' in answer && answer.all.map((each) => (each.ok ? 'signed' : each.reason))
  assert.deepEqual(said, ['signed', 'CAP_PAYMENT', 'CAP_PAYMENT', 'NONCE_GAP'])
})
