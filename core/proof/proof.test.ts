import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { genesisHash, rowHash } from './hash-chain.ts'
import { fromHex, Sha256, sha256, toHex } from './sha256.ts'

test('PROOF-SHA-001: the digest equals the platform’s, for every length around the block borders', () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255)
    assert.equal(toHex(sha256(bytes)), createHash('sha256').update(bytes).digest('hex'))
  }
})

test('PROOF-SHA-002: bytes added in pieces give the digest of the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 }), (pieces) => {
      const ours = new Sha256()
      const theirs = createHash('sha256')
      for (const piece of pieces) {
        ours.update(piece)
        theirs.update(piece)
      }
      assert.equal(toHex(ours.digest()), theirs.digest('hex'))
    }),
    { numRuns: 500 },
  )
})

test('PROOF-SHA-003: printed bytes read back the same, and text that is not hexadecimal is refused', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => assert.deepEqual(fromHex(toHex(bytes)), new Uint8Array(bytes))))
  for (const text of ['a', 'zz', '0x', 'a b ', '１１']) assert.equal(fromHex(text), undefined)
})

test('PROOF-SHA-004: a hash accepts no bytes after its digest is taken', () => {
  const hash = new Sha256()
  hash.digest()
  assert.throws(() => hash.update(new Uint8Array(1)))
  assert.throws(() => hash.digest())
})

const row = {
  seq: 7,
  epoch: 2,
  n: 3,
  firstAt: 1_790_000_000_123,
  coreVersion: 1,
  eventsDigest: new Uint8Array(32).fill(9),
  payload: new Uint8Array([1, 2]),
}

test('PROOF-CHAIN-001: the hash of a row is SHA-256 over the documented bytes', () => {
  const numbers = new BigUint64Array([7n, 2n, 3n, 1_790_000_000_123n, 1n])
  const prev = new Uint8Array(32).fill(5)
  const expected = createHash('sha256').update(prev).update(numbers).update(row.eventsDigest).update(row.payload).digest('hex')
  assert.equal(toHex(rowHash(prev, row)), expected)
})

test('PROOF-CHAIN-002: every field of a row changes its hash', () => {
  const hashes = [
    rowHash(genesisHash, row),
    rowHash(new Uint8Array(32).fill(1), row),
    rowHash(genesisHash, { ...row, seq: 8 }),
    rowHash(genesisHash, { ...row, seq: 7 + 2 ** 32 }),
    rowHash(genesisHash, { ...row, epoch: 3 }),
    rowHash(genesisHash, { ...row, n: 4 }),
    rowHash(genesisHash, { ...row, firstAt: row.firstAt + 1 }),
    rowHash(genesisHash, { ...row, coreVersion: 2 }),
    rowHash(genesisHash, { ...row, eventsDigest: new Uint8Array(32) }),
    rowHash(genesisHash, { ...row, payload: new Uint8Array([1, 3]) }),
    rowHash(genesisHash, { ...row, payload: new Uint8Array([1, 2, 0]) }),
  ].map(toHex)
  assert.equal(new Set(hashes).size, hashes.length)
})

test('PROOF-CHAIN-003: a row with a number that is not whole, or with a hash of another length, is refused', () => {
  assert.throws(() => rowHash(genesisHash, { ...row, seq: 1.5 }))
  assert.throws(() => rowHash(genesisHash, { ...row, seq: -1 }))
  assert.throws(() => rowHash(new Uint8Array(31), row))
  assert.throws(() => rowHash(genesisHash, { ...row, eventsDigest: new Uint8Array(31) }))
})
