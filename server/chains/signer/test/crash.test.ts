import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseTransaction } from 'viem'
import type { Signed } from '../../ports.ts'
import type { SignerLink } from '../connect.ts'
import { SignerRefused } from '../reasons.ts'
import { attestedDigest, type Payment } from '../statement.ts'
import { Custody, evmSlot, kill, openLink } from './custody.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Starts the process; `diesAtUse`: at which use of a key it kills itself, after the journal was written and before it signs. */
async function start(custody: Custody, diesAtUse = 0): Promise<ChildProcess> {
  const keys = join(custody.run, 'keys.json')
  const { journalKey, evmKey, tronKey } = custody
  writeFileSync(keys, JSON.stringify({ journalKey: hex(journalKey), evmKey: hex(evmKey), tronKey: hex(tronKey), diesAtUse }))
  const script = join(import.meta.dirname, 'crash-child.ts')
  const child = spawn(process.execPath, [script, custody.folder, custody.door, keys], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  assert.ok(Buffer.isBuffer(said), 'the signer did not start')
  return child
}

async function linked(custody: Custody): Promise<SignerLink> {
  const link = await openLink(custody)
  const { seq, head } = await link.status()
  const { kind: _, ...beat } = custody.heartbeat({ at: Date.now(), isMatch: true, seq, head }) as Extract<
    ReturnType<Custody['heartbeat']>,
    { kind: 'heartbeat' }
  >
  await link.beat(beat)
  return link
}

function requestOf(custody: Custody, payment: Payment, nonce = payment.withdrawal - 1) {
  custody.now = Date.now()
  const { kind: _, ...request } = custody.request(payment, { slot: evmSlot(nonce) })
  return { ...request, customer: { kind: 'attested' as const, signature: custody.login.sign(attestedDigest(payment)) } }
}

const payment = (custody: Custody, withdrawal: number): Payment => custody.payment({ withdrawal, user: withdrawal, value: 1_000_000n })

/** A broken link is expected, a refusal is not. */
function unlessRefused(cause: unknown): undefined {
  if (cause instanceof SignerRefused) throw cause
}

async function reason(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'signed',
    (cause: unknown) => (cause instanceof SignerRefused ? cause.reason : 'lost'),
  )
}

test('SIGNER-CRASH-001: killed between its journal and the key, the signer knows the nonce of the withdrawal when it is back', async () => {
  using custody = new Custody()
  let child = await start(custody, 2)
  let link = await linked(custody)
  await link.sign(requestOf(custody, payment(custody, 1)))
  const second = requestOf(custody, payment(custody, 2))
  assert.equal(await reason(link.sign(second)), 'lost')
  await kill(child)
  child = await start(custody)
  try {
    link = await linked(custody)
    // What a thief, or a program in a hurry, would try after the crash.
    const third = requestOf(custody, payment(custody, 3), 1)
    assert.equal(await reason(link.sign(third)), 'NONCE_TAKEN')
    assert.equal(await reason(link.sign(requestOf(custody, payment(custody, 2), 2))), 'NONCE_BOUND')
    assert.equal(await reason(link.sign(requestOf(custody, { ...payment(custody, 2), value: 2_000_000n }, 1))), 'INTENT_CHANGED')
    assert.equal(await reason(link.sign(requestOf(custody, { ...payment(custody, 3), user: 2, clientId: 'w2' }, 2))), 'PROOF_USED')
    const signed = await link.sign(second)
    assert.deepEqual(await link.sign(second), signed)
  } finally {
    link[Symbol.dispose]()
    await kill(child)
  }
})

test('SIGNER-CRASH-002: killed at any moment, the signer signs each withdrawal with one nonce, and each nonce for one withdrawal', async () => {
  using custody = new Custody()
  const signed = new Map<number, Signed>()
  let kills = 0
  let child = await start(custody)
  let link = await linked(custody)
  const again = async (): Promise<void> => {
    await kill(child)
    kills++
    child = await start(custody)
    link = await linked(custody)
  }
  for (let withdrawal = 1; withdrawal <= 30; ) {
    const request = requestOf(custody, payment(custody, withdrawal))
    const answer = link.sign(request).catch(unlessRefused)
    // Every fifth time the process is killed while it works, a little later each time.
    if (withdrawal % 5 === 0 && kills < withdrawal / 5) {
      for (let i = 0; i < kills * 2; i++) await new Promise(setImmediate)
      child.kill('SIGKILL')
    }
    const found = await answer
    if (found === undefined) await again()
    else {
      assert.deepEqual(await link.sign(request).catch(() => found), found)
      signed.set(withdrawal, found)
      withdrawal++
    }
    if (child.exitCode !== null || child.signalCode !== null) await again()
  }
  await kill(child)
  assert.ok(kills >= 6)
  const journal = readFileSync(join(custody.folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n')
  const entries = journal.map((line) => (JSON.parse(line) as { entry: { kind: string; withdrawal: number; raw: string } }).entry)
  const raws = new Map<number, Set<string>>()
  for (const { kind, withdrawal, raw } of entries) {
    if (kind === 'signed') raws.set(withdrawal, (raws.get(withdrawal) ?? new Set()).add(raw))
  }
  for (const [withdrawal, { raw }] of signed) {
    assert.deepEqual([...(raws.get(withdrawal) ?? [])], [raw])
    assert.equal(parseTransaction(raw as `0x02${string}`).nonce ?? 0, withdrawal - 1)
  }
  assert.equal(new Set([...signed.values()].map(({ txid }) => txid)).size, 30)
})
