import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeFunctionData, type Hex, parseTransaction, serializeTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Intent } from '../ports.ts'
import { checked } from '../signer/chain-signer.ts'
import { softSigner } from '../signer/test/custody.ts'
import { assembleEvm, buildEvm, bumpedFees, decodeEvm, type EvmSlot, isBump } from './build.ts'

const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const intent: Intent = { withdrawal: 1, network: 'ethereum', chainId: 1, contract: usdt, to: `0x${'11'.repeat(20)}`, value: 5_000_000n }
const slot: EvmSlot = { kind: 'evm', nonce: 3, gas: 90_000n, maxFee: 30_000_000_000n, maxTip: 1_000_000_000n }
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)

test('SIGNER-EVM-001: a payment on an EVM network is decoded to what was asked for, and signed like viem signs it', async () => {
  const secret = `0x${'42'.repeat(32)}` as const
  const key = softSigner(Buffer.from(secret.slice(2), 'hex'))
  const account = privateKeyToAccount(secret)
  const payments = fc.asyncProperty(address, fc.bigInt(1n, 2n ** 256n - 1n), fc.nat(), fc.boolean(), async (to, value, nonce, isNative) => {
    const { contract: _, ...native } = { ...intent, to, value }
    const unsigned = buildEvm(isNative ? native : { ...native, contract: usdt }, { ...slot, nonce })
    const { kind: _kind, ...rest } = { ...slot, nonce }
    assert.deepEqual(decodeEvm(unsigned.bytes), { chainId: 1, to, value, ...(isNative ? {} : { contract: usdt }), ...rest })
    const signed = assembleEvm(unsigned, checked(unsigned.digest, await key.sign(unsigned), key.publicKey))
    const hex = `0x${Buffer.from(unsigned.bytes).toString('hex')}` as `0x02${string}`
    assert.equal(signed.raw, await account.signTransaction({ ...parseTransaction(hex), type: 'eip1559' }))
  })
  await fc.assert(payments, { numRuns: 100 })
})

test('SIGNER-EVM-002: nothing but a plain transfer is decoded', () => {
  const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n } as const
  const base = { type: 'eip1559', chainId: 1, nonce: 0, gas: 90_000n, to: usdt, value: 0n, ...fees } as const
  const approve = encodeFunctionData({
    abi: [
      { type: 'function', name: 'approve', stateMutability: 'nonpayable', inputs: [{ type: 'address' }, { type: 'uint256' }], outputs: [] },
    ],
    args: [usdt, 1n],
  })
  const transfer = parseTransaction(`0x${Buffer.from(buildEvm(intent, slot).bytes).toString('hex')}` as `0x02${string}`).data as Hex
  const others: readonly Parameters<typeof serializeTransaction>[0][] = [
    { ...base, data: approve },
    { ...base, data: transfer, value: 1n },
    { ...base, data: `${transfer}00` },
    { ...base, data: transfer.slice(0, -2) as Hex },
    { ...base, data: transfer.replace('a9059cbb000000000000000000000000', 'a9059cbb000000000000000000000001') as Hex },
    { ...base, data: '0x01' },
    { ...base, data: transfer, accessList: [{ address: usdt, storageKeys: [] }] },
    { ...base, to: null, data: transfer },
    { type: 'eip2930', chainId: 1, nonce: 0, gas: 1n, gasPrice: 1n, to: usdt, data: transfer, accessList: [] },
    { type: 'legacy', chainId: 1, nonce: 0, gas: 1n, gasPrice: 1n, to: usdt, data: transfer },
  ]
  for (const [i, tx] of others.entries()) {
    const bytes = Buffer.from(serializeTransaction(tx).slice(2), 'hex')
    assert.throws(() => decodeEvm(bytes), `transaction ${i}`)
  }
  for (const change of [{ value: 0n }, { value: -1n }, { value: 2n ** 256n }, { to: '0x11' }, { contract: 'T' }, { chainId: 0.5 }]) {
    assert.throws(() => buildEvm({ ...intent, ...change }, slot), JSON.stringify(Object.keys(change)))
  }
  assert.throws(() => buildEvm(intent, { ...slot, maxTip: slot.maxFee + 1n }))
})

test('SIGNER-EVM-003: a replacement keeps its nonce and offers at least 12.5 % more on both fees', () => {
  const fee = fc.bigInt(0n, 2n ** 64n)
  fc.assert(
    fc.property(fee, fee, fee, fee, (maxFee, maxTip, nowFee, nowTip) => {
      const before = { ...slot, maxFee, maxTip }
      const next = bumpedFees(before, { maxFee: nowFee, maxTip: nowTip })
      assert.equal(next.nonce, before.nonce)
      assert.ok(isBump(before, next))
      assert.ok(next.maxFee >= nowFee && next.maxTip >= nowTip)
      for (const [a, b] of [
        [next.maxFee, maxFee],
        [next.maxTip, maxTip],
      ] as const)
        assert.ok(a * 8n >= b * 9n)
    }),
  )
  const before = { maxFee: 1_000n, maxTip: 80n }
  assert.ok(isBump(before, { maxFee: 1_125n, maxTip: 90n }))
  assert.ok(!isBump(before, { maxFee: 1_124n, maxTip: 90n }))
  assert.ok(!isBump(before, { maxFee: 1_125n, maxTip: 89n }))
})
