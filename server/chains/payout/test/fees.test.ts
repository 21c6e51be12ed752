import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBump } from '../../evm/build.ts'
import { agreed, type Proof } from '../chain.ts'
import { bumpFor, feesFor, feeTerms } from '../fees.ts'

const gwei = 1_000_000_000n

test('PAYOUT-FEES-001: a replacement offers at least 12.5 % more on both fees, and never more than the cap', () => {
  let slot = { kind: 'evm' as const, nonce: 3, gas: 80_000n, ...feesFor(gwei, [gwei / 10n], feeTerms) }
  for (let base = gwei; ; base += 3n * gwei) {
    const now = { base, fees: feesFor(base, [gwei], feeTerms) }
    const next = bumpFor(slot, now, { ageMs: 4 * feeTerms.bumpMs, isFirst: true }, feeTerms)
    if (next === undefined) break
    assert.ok(isBump(slot, next) && next.maxFee <= feeTerms.feeMax && next.nonce === 3 && next.gas === 80_000n)
    slot = next
  }
  assert.ok(slot.maxFee * 1_125n > feeTerms.feeMax * 500n)
})

test('PAYOUT-NODES-001: what is settled needs two nodes that agree; what is impossible needs all of them', async () => {
  const paid: Proof = { kind: 'settled', txid: '0x1', isSuccess: true, moved: 5n, block: 7, fee: 1n }
  const said = async (...proofs: readonly (Proof | Error)[]) =>
    agreed(await Promise.allSettled(proofs.map(async (each) => (each instanceof Error ? Promise.reject(each) : each)))).kind
  assert.equal(await said(paid), 'settled')
  assert.equal(await said(paid, paid), 'settled')
  assert.equal(await said(paid, new Error('away')), 'seen')
  assert.equal(await said(paid, { ...paid, isSuccess: false }), 'seen')
  assert.equal(await said({ kind: 'impossible' }, { kind: 'impossible' }), 'impossible')
  assert.equal(await said({ kind: 'impossible' }, new Error('away')), 'seen')
  assert.equal(await said({ kind: 'impossible' }, { kind: 'absent' }), 'seen')
})
