import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import fc from 'fast-check'
import { fromBase58Check, toBase58Check } from './base58.ts'

const other = createBase58check(sha256)

test('ADDRESS-FORMAT-005: Base58Check is written and read as by another library, leading zeros too', () => {
  fc.assert(
    fc.property(fc.nat(3), fc.uint8Array({ minLength: 1, maxLength: 30 }), (zeros, rest) => {
      const bytes = Uint8Array.from([...new Uint8Array(zeros), ...rest])
      const text = toBase58Check(bytes)
      assert.equal(text, other.encode(bytes))
      assert.deepEqual(fromBase58Check(text, bytes.length), bytes)
      assert.equal(fromBase58Check(text, bytes.length + 1), undefined)
    }),
  )
})

test('ADDRESS-FORMAT-005: a text with one other, one more or one missing character is not read', () => {
  const text = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
  assert.equal(Buffer.from(fromBase58Check(text, 21)!).toString('hex'), '41a614f803b6fd780986a42c78ec9c7f77e6ded13c')
  const wrong = Array.from(text, (char, at) => `${text.slice(0, at)}${char === '2' ? '3' : '2'}${text.slice(at + 1)}`)
  for (const one of [
    ...wrong,
    `1${text}`,
    `${text}1`,
    text.slice(1),
    text.slice(0, -1),
    `${text} `,
    '',
    '1'.repeat(10_000),
    text.replace('7', '0'),
  ])
    assert.equal(fromBase58Check(one, 21), undefined, one.slice(0, 40))
})
