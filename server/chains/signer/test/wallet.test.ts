import assert from 'node:assert/strict'
import { webcrypto } from 'node:crypto'
import { test } from 'node:test'
import { isDepositAddressSigned } from '@candor/core/proof/deposit-address.ts'
import { forwarderAddress } from '../../evm/forwarder.ts'
import { TronAddresses } from '../../tron/deposit-addresses.ts'
import { readPolicy } from '../policy.ts'
import type { Signer } from '../signer.ts'
import { walletKeyOf } from '../wallet.ts'
import { ask, Custody, factory, kill, openLink, sink, startProcess, statusOf } from './custody.ts'

const issue = (signer: Signer, network: string, place: number, uid: string) => ask(signer, { kind: 'address.issue', network, place, uid })

test('SIGNER-ADDRESS-001: the signer’s process computes a deposit address from its policy and signs it for the customer', async () => {
  using custody = new Custody()
  await custody.seal()
  const { child } = await startProcess(custody)
  try {
    using link = await openLink(custody)
    const { walletKey } = await link.status()
    assert.equal(walletKey, walletKeyOf(custody.walletSeed))
    const expected = {
      ethereum: forwarderAddress({ chainId: 1, factory }, 7),
      tron: new TronAddresses(custody.deposits.publicExtendedKey).at(7),
    }
    for (const network of ['ethereum', 'tron'] as const) {
      const { address, signature } = await link.issue({ network, place: 7, uid: '10000007' })
      assert.equal(address, expected[network])
      const key = Uint8Array.from(Buffer.from(walletKey, 'hex'))
      const isSigned = (uid: string) => isDepositAddressSigned(webcrypto.subtle, key, { network, address, uid }, signature)
      assert.equal(await isSigned('10000007'), true)
      assert.equal(await isSigned('10000008'), false)
    }
  } finally {
    await kill(child)
  }
})

test('SIGNER-ADDRESS-002: a place belongs to the first customer who got it, also after a restart', async () => {
  using custody = new Custody()
  let signer = custody.signer()
  const first = await issue(signer, 'tron', 3, '10000001')
  assert.equal(first.ok, true)
  for (let round = 0; round < 2; round++) {
    const { seq } = await statusOf(signer)
    assert.deepEqual(await issue(signer, 'tron', 3, '10000001'), first)
    assert.deepEqual(await issue(signer, 'tron', 3, '10000002'), { ok: false, reason: 'PLACE_TAKEN' })
    assert.equal((await statusOf(signer)).seq, seq)
    signer[Symbol.dispose]()
    signer = custody.signer()
  }
  assert.equal((await issue(signer, 'ethereum', 3, '10000002')).ok, true)
  signer[Symbol.dispose]()
})

test('SIGNER-ADDRESS-003: an address that the policy does not lead to is not given out', async () => {
  using custody = new Custody((policy) => delete (policy.networks[1] as { deposits?: unknown }).deposits)
  using signer = custody.signer()
  assert.deepEqual(await issue(signer, 'tron', 1, '10000001'), { ok: false, reason: 'NO_ADDRESSES' })
  assert.deepEqual(await issue(signer, 'dogecoin', 1, '10000001'), { ok: false, reason: 'NO_ADDRESSES' })
  for (const [place, uid] of [
    [0, '1'],
    [-1, '1'],
    [0x8000_0000, '1'],
    [1.5, '1'],
    [1, ''],
    [1, 'a\nb'],
  ] as const)
    await assert.rejects(async () => issue(signer, 'ethereum', place, uid))
  assert.equal((await statusOf(signer)).seq, 1)
})

test('SIGNER-POLICY-004: own addresses that contradict each other or the network are refused, and none of them is ever paid', async () => {
  using custody = new Custody()
  const xpub = custody.deposits.publicExtendedKey
  const changes: readonly [index: 0 | 1, change: object | 'gas is hot', message: RegExp][] = [
    [0, { deposits: { xpub } }, /another kind/],
    [1, { deposits: { factory } }, /Not a TRON/],
    [1, { deposits: { xpub: custody.deposits.privateExtendedKey } }, /xpub|invalid/i],
    [1, { deposits: { xpub: custody.deposits.deriveChild(0).publicExtendedKey } }, /first account/],
    [1, { sink }, /Not a TRON/],
    [0, 'gas is hot', /one key/],
  ]
  for (const [index, change, message] of changes) {
    using bent = new Custody()
    assert.throws(() => {
      bent.writePolicy((policy) =>
        Object.assign(policy.networks[index] ?? {}, typeof change === 'string' ? { gas: bent.from('evm') } : change),
      )
      readPolicy(bent.folder, bent.owner.public)
    }, message)
  }
  using signer = await custody.ready()
  for (const to of [sink, factory, custody.gas('ethereum')])
    assert.deepEqual(await ask(signer, custody.request(custody.payment({ to }))), { ok: false, reason: 'DESTINATION_DENIED' })
})
