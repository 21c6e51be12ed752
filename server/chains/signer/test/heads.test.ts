/** What the signer says for reserves and writes for anchors, and what nobody gets signed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAnchor } from '@candor/core/proof/chain/anchor.ts'
import { dayOf } from '@candor/core/proof/chain/day.ts'
import { isPossessed, possessionText } from '@candor/core/proof/chain/possession.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { recoverMessageAddress } from 'viem'
import { request } from '../wire.ts'
import type { ChainSigner } from '../chain-signer.ts'
import { ask, Custody, type PolicyJson, sinkTron, softSigner, statusOf } from './custody.ts'

const gwei = 1_000_000_000n
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const hash = 'ab'.repeat(32)

const allow = (policy: PolicyJson, custody: Custody): void => {
  const [ethereum, tron] = policy.networks
  const limits = { feeMax: `${30_000n * 100n * gwei}`, feeDay: `${30_000n * 150n * gwei}` }
  Object.assign(ethereum!, { reserves: { deposits: 0 }, anchor: { from: custody.anchor, ...limits } })
  Object.assign(tron!, { reserves: { deposits: 2 } })
}
const reasonOf = (answer: object) => ('reason' in answer ? answer.reason : 'signed')
const slotOf = (nonce: number, fee: bigint) => ({ kind: 'evm', nonce, gas: '30000', maxFee: `${fee}`, maxTip: `${fee / 10n}` }) as const

function possess(custody: Custody, change: object = {}) {
  return { kind: 'possess', network: 'ethereum', of: 'hot', day: dayOf(custody.now), head: { n: 7, hash }, ...change } as const
}
function anchor(custody: Custody, change: object = {}) {
  return {
    kind: 'anchor',
    network: 'ethereum',
    day: dayOf(custody.now),
    head: { n: 7, hash },
    slot: slotOf(0, 20n * gwei),
    ...change,
  } as const
}

test('SIGNER-RESERVE-001: hot, gas and deposit addresses of TRON sign the message of the day, which wallets read, without a statement about the books', async () => {
  using custody = new Custody(allow)
  using signer = custody.signer()
  const day = dayOf(custody.now)
  for (const [network, of, address] of [
    ['ethereum', 'hot', custody.from('evm')],
    ['ethereum', 'gas', custody.gas('ethereum')],
    ['tron', 'hot', custody.from('tron')],
    ['tron', 4, undefined],
  ] as const) {
    const answer = await ask(signer, possess(custody, { network, of }))
    assert.ok('possessed' in answer, JSON.stringify(answer))
    const { possessed } = answer
    if (address !== undefined) assert.equal(possessed.address, address)
    const [kind, chainId] = network === 'tron' ? (['tron', 728126428] as const) : (['evm', 1] as const)
    const about = { network, kind, chainId, address: possessed.address, day, head: { n: 7, hash } }
    assert.ok(isPossessed(about, possessed.signature))
    if (kind === 'evm')
      assert.equal(
        (await recoverMessageAddress({ message: possessionText(about), signature: `0x${possessed.signature}` })).toLowerCase(),
        possessed.address,
      )
  }
})

test('SIGNER-RESERVE-002: it signs for the present day by its own clock alone, and for an address one head a day, also after a restart', async () => {
  using custody = new Custody(allow)
  const today = possess(custody)
  {
    using signer = custody.signer()
    for (const day of [dayOf(custody.now + dayMs), dayOf(custody.now - dayMs)])
      assert.equal(reasonOf(await ask(signer, possess(custody, { day }))), 'DAY_WRONG')
    assert.equal(reasonOf(await ask(signer, today)), 'signed')
  }
  using signer = custody.signer()
  const [one, again] = [await ask(signer, today), await ask(signer, today)]
  assert.deepEqual(one, again)
  for (const head of [
    { n: 8, hash },
    { n: 7, hash: 'ac'.repeat(32) },
  ])
    assert.equal(reasonOf(await ask(signer, possess(custody, { head }))), 'DAY_TAKEN')
  custody.now += dayMs
  assert.equal(reasonOf(await ask(signer, today)), 'DAY_WRONG')
  assert.equal(reasonOf(await ask(signer, possess(custody, { head: { n: 8, hash } }))), 'signed')
})

test('SIGNER-RESERVE-005: a request that is made again gets the same signature and writes nothing, also with a key that draws its nonces', async () => {
  using custody = new Custody(allow)
  const soft = softSigner(custody.evmKey)
  const drawing: ChainSigner = {
    ...soft,
    publicKey: soft.publicKey,
    sign: async ({ digest }) =>
      secp256k1.Signature.fromBytes(secp256k1.sign(digest, custody.evmKey, { prehash: false, extraEntropy: true })),
  }
  using signer = custody.signer({
    keys: new Map([
      ['ethereum', drawing],
      ['tron', softSigner(custody.tronKey)],
    ]),
  })
  const first = await ask(signer, possess(custody))
  const { seq } = await statusOf(signer)
  for (let round = 0; round < 5; round++) assert.deepEqual(await ask(signer, possess(custody)), first)
  assert.equal((await statusOf(signer)).seq, seq)
})

test('SIGNER-RESERVE-003: nothing that is not exactly such a request is read, and no text of the one who asks is signed', () => {
  using custody = new Custody(allow)
  const good = possess(custody)
  assert.ok(request.safeParse(good).success)
  for (const change of [
    ...[
      { day: '2026-02-30' },
      { day: `${good.day}\nnetwork tron` },
      { head: { n: 7, hash: `${hash}\n` } },
      { head: { n: 7, hash, text: 'a' } },
    ],
    ...[{ head: { n: 0, hash } }, { of: 'sink' }, { of: 0 }, { of: '0x00' }, { network: 'a\nb' }, { message: 'hello' }, { digest: hash }],
  ])
    assert.equal(request.safeParse({ ...good, ...change }).success, false, JSON.stringify(change))
})

test('SIGNER-RESERVE-004: the policy says whether addresses of a network sign, and how many deposit addresses of TRON do in a day', async () => {
  using custody = new Custody(allow)
  using signer = custody.signer()
  for (const place of [1, 2, 1]) assert.equal(reasonOf(await ask(signer, possess(custody, { network: 'tron', of: place }))), 'signed')
  assert.equal(reasonOf(await ask(signer, possess(custody, { network: 'tron', of: 3 }))), 'CAP_DEPOSITS')
  // Forwarders have no key.
  assert.equal(reasonOf(await ask(signer, possess(custody, { of: 1 }))), 'NO_ADDRESSES')
  assert.equal(reasonOf(await ask(signer, possess(custody, { network: 'other' }))), 'NETWORK_UNKNOWN')
  custody.now += dayMs
  assert.equal(reasonOf(await ask(signer, possess(custody, { network: 'tron', of: 3 }))), 'signed')
  using silent = new Custody()
  using other = silent.signer()
  assert.equal(reasonOf(await ask(other, possess(silent))), 'NO_RESERVES')
})

test('SIGNER-ANCHOR-001: an anchor goes from the policy’s address to itself, without a value, with the head in its data, and is the same again', async () => {
  using custody = new Custody(allow)
  using signer = custody.signer()
  const answer = await ask(signer, anchor(custody))
  assert.ok('signed' in answer, JSON.stringify(answer))
  assert.deepEqual(readAnchor(answer.signed.raw), { chainId: 1, from: custody.anchor, txid: answer.signed.txid, n: 7, hash })
  assert.deepEqual(await ask(signer, anchor(custody)), answer)
})

test('SIGNER-ANCHOR-002: a day has one head and one nonce, also after a restart; earlier and later days get none', async () => {
  using custody = new Custody(allow)
  const today = anchor(custody)
  {
    using signer = custody.signer()
    for (const day of [dayOf(custody.now + dayMs), dayOf(custody.now - dayMs)])
      assert.equal(reasonOf(await ask(signer, anchor(custody, { day }))), 'DAY_WRONG')
    assert.equal(reasonOf(await ask(signer, today)), 'signed')
  }
  using signer = custody.signer()
  assert.equal(reasonOf(await ask(signer, anchor(custody, { head: { n: 8, hash } }))), 'DAY_TAKEN')
  assert.equal(reasonOf(await ask(signer, anchor(custody, { slot: slotOf(1, 30n * gwei) }))), 'NONCE_BOUND')
  custody.now += dayMs
  const next = { day: dayOf(custody.now), head: { n: 9, hash } }
  assert.equal(reasonOf(await ask(signer, anchor(custody, { ...next, slot: slotOf(2, 20n * gwei) }))), 'NONCE_GAP')
  assert.equal(reasonOf(await ask(signer, anchor(custody, { ...next, slot: slotOf(0, 20n * gwei) }))), 'NONCE_TAKEN')
  // That of yesterday may be replaced: the one of today waits for it.
  assert.equal(reasonOf(await ask(signer, { ...today, slot: slotOf(0, 25n * gwei) })), 'signed')
  assert.equal(reasonOf(await ask(signer, anchor(custody, { ...next, slot: slotOf(1, 20n * gwei) }))), 'signed')
})

test('SIGNER-ANCHOR-003: one transaction and 24 hours have a cap of fees; a replacement offers 12.5 % more on both', async () => {
  using custody = new Custody(allow)
  custody.now += 23 * hourMs
  using signer = custody.signer()
  assert.equal(reasonOf(await ask(signer, anchor(custody, { slot: slotOf(0, 101n * gwei) }))), 'FEE_TOO_HIGH')
  assert.equal(reasonOf(await ask(signer, anchor(custody, { slot: slotOf(0, 80n * gwei) }))), 'signed')
  assert.equal(reasonOf(await ask(signer, anchor(custody, { slot: slotOf(0, 85n * gwei) }))), 'BUMP_TOO_SMALL')
  assert.equal(reasonOf(await ask(signer, anchor(custody, { slot: slotOf(0, 100n * gwei) }))), 'signed')
  // Two hours later, on the next day.
  custody.now += 2 * hourMs
  const next = { head: { n: 8, hash } }
  assert.equal(reasonOf(await ask(signer, anchor(custody, { ...next, slot: slotOf(1, 60n * gwei) }))), 'CAP_FEES')
  assert.equal(reasonOf(await ask(signer, anchor(custody, { ...next, slot: slotOf(1, 50n * gwei) }))), 'signed')
})

test('SIGNER-ANCHOR-004: without an address in the policy nothing is written, nor with one that pays withdrawals or fees of sweeps', async () => {
  using custody = new Custody()
  using signer = custody.signer()
  assert.equal(reasonOf(await ask(signer, anchor(custody))), 'NO_ANCHOR')
  const limits = { feeMax: '1', feeDay: '1' }
  for (const [network, from] of [
    [0, custody.from('evm')],
    [0, custody.gas('ethereum')],
    [1, sinkTron],
  ] as const) {
    const writes = (policy: PolicyJson): void => void Object.assign(policy.networks[network]!, { anchor: { from, ...limits } })
    assert.throws(() => custody.changePolicy(writes), /heads/)
  }
})
