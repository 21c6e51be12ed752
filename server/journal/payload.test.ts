import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { Records } from '@candor/core/protocol/codec/records.ts'
import { StoreFault } from '../store/fault.ts'
import { Damaged, Fenced, NotWritten } from './fault.ts'
import { beginPayload, decodePayload, encodePayload, sealPayload } from './payload.ts'
import { chain, emptyHead, rowHash } from './row.ts'

const recordsOf = (...slots: number[]): Records => {
  const records = new Records(1)
  records.append(Float64Array.from(slots), 0, slots.length)
  return records
}
const slotsOf = (bytes: Uint8Array): readonly number[] => [...new Float64Array(Uint8Array.from(bytes).buffer)]
const bytesOf = (...slots: number[]): Uint8Array => new Uint8Array(Float64Array.from(slots).buffer)
const plain = (bytes: Uint8Array) => {
  const { commands, refused } = decodePayload(bytes)
  return { commands: [...commands.data.subarray(0, commands.length)], refused }
}

test('a payload has counts of command slots and refusals, the commands, and number and refusal of each refused one', () => {
  const refused = [
    { seq: 4, refusal: 11 },
    { seq: 6, refusal: 12 },
  ]
  const bytes = encodePayload({ commands: recordsOf(7, 8, 9), refused })
  assert.deepEqual(slotsOf(bytes), [3, 2, 7, 8, 9, 4, 11, 6, 12])
  assert.deepEqual(plain(bytes), { commands: [7, 8, 9], refused })
  assert.deepEqual(plain(encodePayload({ commands: recordsOf(), refused: [] })), { commands: [], refused: [] })
  const reused = recordsOf(1, 2, 3, 4, 5, 6, 7, 8, 9)
  beginPayload(reused)
  reused.append(Float64Array.of(5), 0, 1)
  assert.deepEqual(slotsOf(sealPayload(reused, [])), [1, 0, 5])
})

test('a payload reads the same at any alignment of its bytes', () => {
  const bytes = bytesOf(2, 1, 7, 8, 4, 11)
  for (let shift = 0; shift < 9; shift++) {
    const moved = new Uint8Array(bytes.length + shift)
    moved.set(bytes, shift)
    assert.deepEqual(plain(moved.subarray(shift)), { commands: [7, 8], refused: [{ seq: 4, refusal: 11 }] })
  }
})

test('JOURNAL-CHAIN-001: a payload whose parts do not add up is no payload', () => {
  const bad = [
    new Uint8Array(0),
    bytesOf(0),
    bytesOf(1, 0),
    bytesOf(0, 1),
    bytesOf(0, 0, 5),
    bytesOf(1, 1, 5),
    bytesOf(1, 1, 5, 6, 7, 8),
    bytesOf(2, 0, 5),
    bytesOf(-3),
    bytesOf(0, 0).subarray(1),
    Uint8Array.of(...bytesOf(0, 0), 0),
  ]
  for (const bytes of bad) assert.throws(() => decodePayload(bytes), StoreFault, [...bytes].join())
})

test('JOURNAL-CHAIN-001: the hash of a row covers the row before it and every field', () => {
  const digest = new Uint8Array(32).fill(3)
  const batch = { seq: 9, n: 2, firstAt: 77, coreVersion: 5, eventsDigest: digest, payload: Uint8Array.of(1, 2) }
  const before = { seq: 7, hash: new Uint8Array(32).fill(1) }
  const numbers = Buffer.alloc(40)
  ;[9, 4, 2, 77, 5].forEach((value, at) => numbers.writeBigUInt64LE(BigInt(value), at * 8))
  const expected = createHash('sha256').update(before.hash).update(numbers).update(digest).update(batch.payload).digest()
  assert.deepEqual(chain(before, 4, batch), { ...batch, epoch: 4, prevHash: before.hash, hash: expected })
  const hashes = [
    rowHash(before.hash, 4, batch),
    rowHash(emptyHead.hash, 4, batch),
    rowHash(before.hash, 5, batch),
    rowHash(before.hash, 4, { ...batch, seq: 8 }),
    rowHash(before.hash, 4, { ...batch, n: 1 }),
    rowHash(before.hash, 4, { ...batch, firstAt: 78 }),
    rowHash(before.hash, 4, { ...batch, coreVersion: 4 }),
    rowHash(before.hash, 4, { ...batch, eventsDigest: emptyHead.hash }),
    rowHash(before.hash, 4, { ...batch, payload: Uint8Array.of(1, 3) }),
  ]
  assert.equal(new Set(hashes.map((hash) => Buffer.from(hash).toString('hex'))).size, hashes.length)
  assert.deepEqual(emptyHead, { seq: 0, hash: new Uint8Array(32) })
})

test('faults of the journal have names', () => {
  const cause = new Error('why')
  const [sure, unsure] = [new NotWritten(false, cause), new NotWritten(true, cause)]
  assert.deepEqual([sure.isUnknown, unsure.isUnknown, sure.isRetryable, sure.cause, sure.name], [false, true, true, cause, 'NotWritten'])
  assert.match(sure.message, /could not be written/)
  assert.match(unsure.message, /It is not known/)
  const damaged = new Damaged(5, 'what is wrong')
  assert.deepEqual([damaged.seq, damaged.name, damaged.message], [5, 'Damaged', 'Journal damaged at 5: what is wrong'])
  const fenced = new Fenced('another leads')
  assert.deepEqual([fenced.name, fenced.isRetryable, fenced instanceof StoreFault], ['Fenced', false, true])
})
