import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeTron } from '../../tron/build.ts'
import { Fields } from '../../tron/proto.ts'
import type { Reason } from '../reasons.ts'
import type { Signer } from '../signer.ts'
import * as statement from '../statement.ts'
import { ask, Custody, customer, customerTron, evmSlot, Key, type PolicyJson, type SignJson, softSigner } from './custody.ts'

async function signed(signer: Signer, request: SignJson): Promise<{ readonly raw: string; readonly txid: string }> {
  const answer = await ask(signer, request)
  assert.ok(answer.ok && 'signed' in answer, JSON.stringify(answer))
  return answer.signed
}

async function refused(signer: Signer, request: SignJson, reason: Reason): Promise<void> {
  assert.deepEqual(await ask(signer, request), { ok: false, reason })
}

test('SIGNER-SLOT-001: a withdrawal keeps its nonce for ever, and no other gets it', async () => {
  using custody = new Custody()
  let signer = await custody.ready()
  const first = custody.request(custody.payment(), { slot: evmSlot(5) })
  await signed(signer, first)
  const second = (nonce: number) => custody.request(custody.payment({ withdrawal: 2 }), { slot: evmSlot(nonce) })
  const checks = async (): Promise<void> => {
    for (const nonce of [0, 4, 6, 7]) await refused(signer, { ...first, slot: evmSlot(nonce) }, 'NONCE_BOUND')
    await refused(signer, { ...first, slot: evmSlot(6, 60_000_000_000n) }, 'NONCE_BOUND')
    await refused(signer, second(5), 'NONCE_TAKEN')
    await refused(signer, second(4), 'NONCE_TAKEN')
    await refused(signer, second(7), 'NONCE_GAP')
  }
  await checks()
  signer[Symbol.dispose]()
  signer = custody.signer()
  await custody.beat(signer)
  await checks()
  await signed(signer, second(6))
  signer[Symbol.dispose]()
})

test('SIGNER-SLOT-002: a replacement offers 12.5 % more on both fees; each is signed once', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  const request = custody.request()
  const slot = request.slot as Extract<SignJson['slot'], { kind: 'evm' }>
  const first = await signed(signer, request)
  const fees = (maxFee: bigint, maxTip: bigint, more = {}) => ({
    ...request,
    slot: { ...slot, maxFee: `${maxFee}`, maxTip: `${maxTip}`, ...more },
  })
  await refused(signer, fees(33_749_999_999n, 3_375_000_000n), 'BUMP_TOO_SMALL')
  await refused(signer, fees(33_750_000_000n, 3_374_999_999n), 'BUMP_TOO_SMALL')
  await refused(signer, fees(30_000_000_000n, 3_000_000_000n, { gas: '90001' }), 'BUMP_TOO_SMALL')
  await refused(signer, fees(20_000_000_000n, 2_000_000_000n), 'BUMP_TOO_SMALL')
  const bumped = await signed(signer, fees(33_750_000_000n, 3_375_000_000n))
  assert.notEqual(bumped.txid, first.txid)
  assert.deepEqual(await signed(signer, request), first)
  assert.deepEqual(await signed(signer, fees(33_750_000_000n, 3_375_000_000n)), bumped)
  await refused(signer, fees(34_000_000_000n, 3_500_000_000n), 'BUMP_TOO_SMALL')
})

test('SIGNER-SLOT-003: the first nonce of an address that was used before stands in the policy', async () => {
  using custody = new Custody(({ networks: [ethereum] }) => Object.assign(ethereum as object, { firstNonce: 40 }))
  using signer = await custody.ready()
  const at = (nonce: number) => custody.request(custody.payment(), { slot: evmSlot(nonce) })
  await refused(signer, at(39), 'NONCE_TAKEN')
  await refused(signer, at(41), 'NONCE_GAP')
  await signed(signer, at(40))
})

test('SIGNER-SLOT-004: the network’s fee stays under the cap of a transaction and of a day', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  // 0.01 for one, 0.1 for all of 24 hours; gas of 90,000.
  await refused(signer, custody.request(custody.payment(), { slot: evmSlot(0, 111_111_111_112n) }), 'FEE_TOO_HIGH')
  const dear = (withdrawal: number) => custody.request(custody.payment({ withdrawal }), { slot: evmSlot(withdrawal - 1, 111_111_111_111n) })
  for (let withdrawal = 1; withdrawal <= 10; withdrawal++) await signed(signer, dear(withdrawal))
  await refused(signer, dear(11), 'CAP_FEES')
  custody.now += 86_400_000
  await custody.beat(signer)
  await signed(signer, dear(11))
  const tron = (feeLimit: number) => custody.request(custody.payTron({ withdrawal: 12 }), { slot: custody.tronSlot({ feeLimit }) })
  await refused(signer, tron(50_000_001), 'FEE_TOO_HIGH')
  await signed(signer, tron(50_000_000))
})

test('SIGNER-SLOT-005: on TRON a second transaction of a withdrawal is signed only once the first is proved dead', async () => {
  using custody = new Custody()
  let signer = await custody.ready()
  const payment = custody.payTron()
  const first = custody.request(payment)
  const { raw, txid } = await signed(signer, first)
  const decoded = decodeTron(new Fields(Buffer.from(raw, 'hex')).bytes(1))
  assert.deepEqual(
    { to: decoded.to, value: decoded.value, from: decoded.from },
    { to: customerTron, value: payment.value, from: custody.from('tron') },
  )
  assert.deepEqual(await signed(signer, first), { raw, txid })

  const dead = (txids: readonly string[], key: Key = custody.reconciliation, withdrawal = 1) => ({
    dead: { txids: [...txids], signature: key.sign(statement.deadDigest('tron', withdrawal, txids)) },
  })
  const again = (more: Partial<SignJson> = {}) => custody.request(payment, more)
  custody.now += 170_000
  await custody.beat(signer)
  await refused(signer, again(dead([txid])), 'NOT_DEAD')
  custody.now += 20_000
  await refused(signer, again(dead([txid])), 'NOT_DEAD')
  await custody.beat(signer)
  await refused(signer, again(), 'NOT_DEAD')
  await refused(signer, again(dead([txid], custody.engine)), 'NOT_DEAD')
  await refused(signer, again(dead([txid], custody.reconciliation, 2)), 'NOT_DEAD')
  await refused(signer, again(dead(['00'.repeat(32)])), 'NOT_DEAD')
  await refused(signer, again(dead([txid, txid])), 'NOT_DEAD')
  const second = await signed(signer, again(dead([txid])))
  assert.notEqual(second.txid, txid)
  // Now both must be dead, also after a restart.
  signer[Symbol.dispose]()
  signer = custody.signer()
  custody.now += 190_000
  await custody.beat(signer)
  await refused(signer, again(dead([txid])), 'NOT_DEAD')
  await refused(signer, again(dead([second.txid])), 'NOT_DEAD')
  await signed(signer, again(dead([txid, second.txid])))
  signer[Symbol.dispose]()
})

test('SIGNER-CAP-004: on TRON each further transaction of a withdrawal counts again, so that caps hold against a false word that one is dead', async () => {
  using custody = new Custody((policy) => Object.assign(policy.networks[1]!.caps, { hour: 250_000 }))
  let signer = await custody.ready()
  const payment = custody.payTron({ value: usd(1_000) })
  const txids = [(await signed(signer, custody.request(payment))).txid]
  const again = async (): Promise<SignJson> => {
    custody.now += 190_000
    await custody.beat(signer)
    const signature = custody.reconciliation.sign(statement.deadDigest('tron', 1, txids))
    return custody.request(payment, { dead: { txids: [...txids], signature } })
  }
  txids.push((await signed(signer, await again())).txid)
  await refused(signer, await again(), 'CAP_HOUR')
  signer[Symbol.dispose]()
  signer = custody.signer()
  await refused(signer, await again(), 'CAP_HOUR')
  custody.now += 3_600_000
  await signed(signer, await again())
  signer[Symbol.dispose]()
})

test('SIGNER-SLOT-006: a transaction of TRON ends within the next hour', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  const until = (ms: number, timestamp = custody.now) =>
    custody.request(custody.payTron(), { slot: custody.tronSlot({ expiration: custody.now + ms, timestamp }) })
  for (const ms of [-1, 0, 3_600_001, 86_400_000]) await refused(signer, until(ms), 'EXPIRATION')
  await refused(signer, until(60_000, custody.now + 3_600_001), 'EXPIRATION')
  await signed(signer, until(3_600_000))
})

test('SIGNER-SLOT-007: on TRON no two withdrawals get the same transaction', async () => {
  using custody = new Custody()
  let signer = await custody.ready()
  const { now } = custody
  const asked = (withdrawal: number, timestamp = now) =>
    custody.request(custody.payTron({ withdrawal }), { slot: custody.tronSlot({ timestamp }) })
  const first = await signed(signer, asked(1))
  await refused(signer, asked(2), 'SLOT_TAKEN')
  signer[Symbol.dispose]()
  signer = custody.signer()
  await custody.beat(signer)
  await refused(signer, asked(2), 'SLOT_TAKEN')
  assert.deepEqual(await signed(signer, asked(1)), first)
  const second = await signed(signer, asked(2, now + 1))
  assert.notEqual(second.txid, first.txid)
  signer[Symbol.dispose]()
})

const usd = (dollars: number): bigint => BigInt(dollars) * 1_000_000n

test('SIGNER-SLOT-008: a payment that has its nonce and no signature keeps it, also where a newer policy denies it', async () => {
  using custody = new Custody()
  const broken = { ...softSigner(custody.evmKey), sign: () => Promise.reject(new Error('the keeper is away')) }
  {
    const keys = new Map([
      ['ethereum', broken],
      ['tron', softSigner(custody.tronKey)],
    ])
    using signer = await custody.ready({ keys })
    assert.deepEqual(await ask(signer, custody.request()), { ok: false, reason: 'KEY_FAILED' })
  }
  const bent: readonly ((policy: PolicyJson) => unknown)[] = [
    (policy) => Object.assign(policy.networks[0]!, { denied: [customer] }),
    (policy) => (policy.networks[0]!.feeMax = '1'),
    (policy) => Object.assign(policy, { engine: custody.ada.public, operators: [] }),
  ]
  for (const [place, change] of bent.entries()) {
    custody.writePolicy((policy) => (change(policy), (policy.version = place + 2)))
    using signer = custody.signer()
    custody.now += 1
    await custody.beat(signer)
    assert.deepEqual(await ask(signer, custody.request()), { ok: false, reason: 'ALREADY_BOUND' })
  }
  custody.writePolicy((policy) => (policy.version = 9))
  using signer = custody.signer()
  custody.now += 1
  await custody.beat(signer)
  const other = custody.request(custody.payment({ withdrawal: 2 }), { slot: custody.request().slot })
  assert.deepEqual(await ask(signer, other), { ok: false, reason: 'NONCE_TAKEN' })
  assert.equal((await ask(signer, custody.request())).ok, true)
})

test('SIGNER-CAP-001: the caps of a payment, an hour and a day hold for a network and over all, however small the payments are', async () => {
  using custody = new Custody((policy) =>
    Object.assign(policy, { approvalAbove: 100_000_000, caps: { ...policy.caps, userDay: 900_000_000 } }),
  )
  let signer = await custody.ready()
  let withdrawal = 0
  const pay = (dollars: number, network: 'ethereum' | 'tron' = 'ethereum') => {
    const change = { withdrawal: withdrawal + 1, value: usd(dollars) }
    return custody.request(
      network === 'tron' ? custody.payTron(change) : custody.payment(change),
      network === 'tron' ? {} : { slot: evmSlot(nonce) },
    )
  }
  let nonce = 0
  const paid = async (dollars: number, network: 'ethereum' | 'tron' = 'ethereum'): Promise<void> => {
    await signed(signer, pay(dollars, network))
    withdrawal++
    if (network === 'ethereum') nonce++
  }
  await refused(signer, pay(100_001), 'CAP_PAYMENT')
  for (let i = 0; i < 10; i++) await paid(20_000)
  // 200,000 in an hour on this network. One unit more is too much, and the signer knows it after a restart.
  await refused(signer, custody.request(custody.payment({ withdrawal: withdrawal + 1, value: 1n }), { slot: evmSlot(nonce) }), 'CAP_HOUR')
  signer[Symbol.dispose]()
  signer = custody.signer()
  await custody.beat(signer)
  await refused(signer, pay(1), 'CAP_HOUR')
  await paid(99_999, 'tron')
  await refused(signer, pay(2, 'tron'), 'CAP_HOUR')
  const later = async (): Promise<void> => {
    custody.now += 3_600_000
    await custody.beat(signer)
  }
  await later()
  await paid(100_000)
  await paid(100_000)
  await later()
  await paid(100_000)
  await refused(signer, pay(1), 'CAP_DAY')
  await later()
  for (let i = 0; i < 2; i++) await paid(100_000, 'tron')
  await later()
  await paid(1, 'tron')
  // 800,000 in a day over all networks.
  await refused(signer, pay(1, 'tron'), 'CAP_DAY')
  signer[Symbol.dispose]()
})

test('SIGNER-CAP-002: a customer has a cap a day, and lower ones without a passkey', async () => {
  using custody = new Custody((policy) => Object.assign(policy, { approvalAbove: 100_000_000 }))
  using signer = await custody.ready()
  const own = (withdrawal: number, dollars: number) => custody.request(custody.payment({ withdrawal, value: usd(dollars) }))
  await signed(signer, own(1, 100_000))
  await signed(signer, own(2, 20_000))
  await refused(signer, own(3, 1), 'CAP_USER')
  const attested = (withdrawal: number, user: number, dollars: number) => {
    const payment = custody.payment({ withdrawal, user, value: usd(dollars) })
    return custody.request(payment, { customer: { kind: 'attested', signature: custody.login.sign(statement.attestedDigest(payment)) } })
  }
  await refused(signer, attested(3, 8, 1_001), 'CAP_ATTESTED')
  await signed(signer, attested(3, 8, 1_000))
  await signed(signer, attested(4, 8, 500))
  await refused(signer, attested(5, 8, 1), 'CAP_ATTESTED')
  for (let i = 0; i < 8; i++) await signed(signer, attested(5 + i, 10 + i, 1_000))
  await refused(signer, attested(13, 30, 501), 'CAP_ATTESTED')
  await signed(signer, attested(13, 30, 500))
})

test('SIGNER-CAP-003: a payment counts at the policy’s price, rounded up', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  const { contract: _, ...native } = custody.payment()
  // 5,000 USDT a coin: two coins are 10,000, the limit of a payment that nobody approves.
  await refused(signer, custody.request({ ...native, value: 2_000_000_000_000_000_001n }), 'APPROVALS_MISSING')
  await signed(signer, custody.request({ ...native, value: 2_000_000_000_000_000_000n }))
})
