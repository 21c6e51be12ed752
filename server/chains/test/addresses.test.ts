import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAddress, toChecksum } from '../evm/address.ts'
import { defaultNetworks } from '../networks.ts'
import { fromBase58, toBase58, toHex20 } from '../tron/address.ts'

const tether = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

test('ADDRESS-FORMAT-002: the 21 bytes of an address of TRON, its text and the 20 bytes of contracts are the same address', () => {
  const bytes = fromBase58(tether)
  assert.equal(Buffer.from(bytes).toString('hex'), '41a614f803b6fd780986a42c78ec9c7f77e6ded13c')
  assert.equal(toBase58(bytes), tether)
  assert.equal(toHex20(tether), '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c')
  for (const text of ['', `${tether.slice(0, -1)}u`, '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'])
    assert.throws(() => fromBase58(text), Error)
  for (const wrong of [bytes.subarray(1), Uint8Array.of(0x42, ...bytes.subarray(1))]) assert.throws(() => toBase58(wrong), RangeError)
})

test('ADDRESS-FORMAT-001: contracts of the networks are written as their networks write addresses', () => {
  for (const { kind, tokens } of defaultNetworks)
    for (const { contract } of tokens) {
      if (contract === undefined) continue
      if (kind === 'tron') assert.equal(toBase58(fromBase58(contract)), contract)
      else assert.deepEqual([toChecksum(contract), isAddress(contract)], [contract, true])
    }
  assert.throws(() => toChecksum('0x12'), RangeError)
  assert.equal(isAddress('0xdac17F958D2ee523a2206206994597C13D831ec7'), false)
})
