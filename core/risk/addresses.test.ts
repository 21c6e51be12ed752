import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { getAddress } from 'viem'
import { toBase58Check } from '../proof/base58.ts'
import { groupsOf } from './address-groups.ts'
import { areAlike, isMiddleOf, kindOfAddress, middleOf, readAddress } from './addresses.ts'

const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const faultOf = (text: string, kind: 'evm' | 'tron') => readAddress(text, kind, keccak_256).fault

test('ADDRESS-FORMAT-001: addresses of EIP-55 are read, and so is text in one case, which gets its checksum', () => {
  const examples = [
    evm,
    ...['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'],
    ...['0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ...['0x8617E340B3D01FA5F11F306F4090FD50E238070D', '0xde709f2102306220921060314715629080e2fb77'],
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
  ]
  for (const address of examples)
    for (const text of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
      assert.deepEqual(readAddress(text, 'evm', keccak_256), { address })
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
      const hex = `0x${Buffer.from(bytes).toString('hex')}` as const
      if (/^0x0{36}/.test(hex)) return
      assert.deepEqual(readAddress(hex, 'evm', keccak_256), { address: getAddress(hex) })
    }),
  )
})

test('ADDRESS-FORMAT-001: one letter in the other case is a wrong checksum', () => {
  for (const [at, char] of [...evm].entries()) {
    if (at < 2 || !/[a-f]/i.test(char)) continue
    const swapped = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()
    assert.equal(faultOf(`${evm.slice(0, at)}${swapped}${evm.slice(at + 1)}`, 'evm'), 'checksum')
  }
})

test('ADDRESS-FORMAT-002: an address of TRON is read only as Base58Check of 21 bytes that begin with 0x41', () => {
  assert.deepEqual(readAddress(tron, 'tron', keccak_256), { address: tron })
  for (const [at, char] of [...tron].entries()) {
    if (at === 0) continue
    assert.equal(faultOf(`${tron.slice(0, at)}${char === 'x' ? 'y' : 'x'}${tron.slice(at + 1)}`, 'tron'), 'checksum')
  }
  assert.equal(faultOf(tron.replace('7', '0'), 'tron'), 'checksum')
  for (const text of ['41a614f803b6fd780986a42c78ec9c7f77e6ded13c', tron.toLowerCase(), tron.slice(0, -1), `${tron}1`])
    assert.equal(faultOf(text, 'tron'), 'invalid', text)
  // 21 bytes with another first byte, whose text is as long.
  const foreign = toBase58Check(Uint8Array.of(0x42, ...new Uint8Array(20).fill(7)))
  assert.notEqual(faultOf(foreign, 'tron'), undefined)
})

test('ADDRESS-FORMAT-003: an address of the other kind of network is named as such, other text is no address', () => {
  assert.equal(faultOf(tron, 'evm'), 'other-network')
  assert.equal(faultOf(evm, 'tron'), 'other-network')
  const others = [
    '',
    ' ',
    '0x',
    evm.slice(0, -1),
    `${evm}0`,
    ` ${evm}`,
    `${evm}\n`,
    evm.replace('0x', '0X'),
    evm.slice(2),
    `ethereum:${evm}`,
  ]
  others.push(
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    '0x５aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  )
  for (const text of others) for (const kind of ['evm', 'tron'] as const) assert.equal(faultOf(text, kind), 'invalid', text)
})

test('ADDRESS-FORMAT-004: the zero address, burning addresses and precompiled contracts belong to nobody, on both kinds of network', () => {
  for (const last of ['0000', '0001', 'dead', 'ffff']) {
    assert.equal(faultOf(`0x${last.padStart(40, '0')}`, 'evm'), 'keyless')
    assert.equal(faultOf(toBase58Check(Buffer.from(`41${last.padStart(40, '0')}`, 'hex')), 'tron'), 'keyless')
  }
  assert.equal(faultOf(`0x${'10000'.padStart(40, '0')}`, 'evm'), undefined)
})

test('ADDRESS-ALIKE-001: addresses are alike when their first and last four characters agree and the rest does not', () => {
  const like = `${evm.slice(0, 6)}${'3'.repeat(32)}${evm.slice(-4)}`
  assert.equal(areAlike(evm, like), true)
  assert.equal(areAlike(evm, like.toLowerCase()), true)
  assert.equal(areAlike(evm, evm.toLowerCase()), false)
  assert.equal(areAlike(evm, `${evm.slice(0, 5)}0${like.slice(6)}`), false)
  assert.equal(areAlike(evm, `${like.slice(0, -1)}0`), false)
  assert.equal(areAlike(tron, `${tron.slice(0, 4)}${'x'.repeat(26)}${tron.slice(-4)}`), true)
  assert.equal(areAlike(tron, `${tron.slice(0, 4).toLowerCase()}${'x'.repeat(26)}${tron.slice(-4)}`), false)
  assert.equal(areAlike(tron, tron), false)
  assert.equal(areAlike(tron, evm), false)
})

test('ADDRESS-ALIKE-001: the middle are two whole groups of the shown address; spaces don’t count, capitals only where they mean something', () => {
  assert.deepEqual(groupsOf(evm), ['0x5aAe', 'b605', '3F3E', '94C9', 'b9A0', '9f33', '6694', '35E7', 'Ef1B', 'eAed'])
  assert.deepEqual(groupsOf(tron), ['TR7N', 'HqjeKQxG'.slice(0, 4), 'KQxG', 'TCi8', 'q8ZY', '4pL8', 'otSz', 'gjLj', '6t'])
  assert.equal(middleOf(evm), 'b9A09f33')
  assert.equal(middleOf(tron), 'TCi8q8ZY')
  for (const typed of ['b9A09f33', 'B9A0 9F33', ' b9a09f33']) assert.equal(isMiddleOf(evm, typed), true, typed)
  for (const typed of ['', 'b9A09f3', 'b9A09f330', '94C9b9A0']) assert.equal(isMiddleOf(evm, typed), false, typed)
  assert.equal(isMiddleOf(tron, 'TCi8 q8ZY'), true)
  assert.equal(isMiddleOf(tron, 'tci8q8zy'), false)
  assert.equal(kindOfAddress(tron), 'tron')
})
