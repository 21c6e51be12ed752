import type { UserId } from '@candor/core/protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeptRequest } from '@candor/core/exchange/requests/kept.ts'
import fc from 'fast-check'
import { BlockPack, blockMax, inBlock, packId } from '../../../store/request-block.ts'
import { SeenIds, seenKept } from '../seen-ids.ts'

const word32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
/** Few different bytes, so that an id's bytes also occur across two others. */
const fewWords = fc.constantFrom(0, 1, 256, 65_536, 16_777_216, -1)
const request: fc.Arbitrary<KeptRequest> = fc.record({
  user: fc.constant(1 as UserId),
  ...{ idLow: fc.oneof(word32, fewWords), idHigh: fc.oneof(word32, fewWords), bodyLow: word32, bodyHigh: word32 },
  ...{ number: fc.maxSafeNat(), refusal: fc.nat(2_047) },
})

function loaded(kept?: number): SeenIds {
  const seen = new SeenIds(kept)
  // Without rows it is done at once.
  void seen.load([])
  return seen
}

test('GATEWAY-ONCE-002: a block gives each id its stored outcome, and none to other ids', () => {
  const requests = fc.uniqueArray(request, { maxLength: 80, selector: ({ idLow, idHigh }) => `${idLow} ${idHigh}` })
  fc.assert(
    fc.property(requests, request, (list, other) => {
      const pack = new BlockPack()
      for (const one of list) pack.add(one)
      for (const { user: _, idLow, idHigh, ...outcome } of list) assert.deepEqual(inBlock(pack, packId(idLow, idHigh)), outcome)
      const isIn = list.some(({ idLow, idHigh }) => idLow === other.idLow && idHigh === other.idHigh)
      assert.equal(inBlock(pack, packId(other.idLow, other.idHigh)) !== undefined, isIn)
    }),
  )
})

test('GATEWAY-ONCE-002: ids in the tables are found with their position; other ids match by mistake at most once in 200', () => {
  const seen = loaded()
  const ids: Buffer[] = []
  let total = 0
  let state = 1
  const next = (): number => (state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b) | 0
  for (let seq = 1; total < seenKept; seq++) {
    const pack = new BlockPack()
    const count = seq % 20 === 0 ? blockMax : 1 + (seq % 40)
    for (let n = 0; n < count; n++)
      pack.add({ user: 1 as UserId, idLow: next(), idHigh: next(), bodyLow: 0, bodyHigh: 0, number: 0, refusal: 0 })
    assert.equal(pack.isFull, count === blockMax)
    ids.push(Buffer.from(pack.ids))
    seen.add(seq, pack.ids)
    total += count
  }
  for (const [n, block] of ids.entries()) {
    for (let at = 0; at < block.length; at += 8) {
      const [low, high] = [block.readInt32BE(at), block.readInt32BE(at + 4)]
      assert.ok(seen.has(low, high))
      assert.ok([...seen.spansOf(low, high)].some(({ from, to }) => from <= n + 1 && n + 1 <= to))
    }
  }
  let wrong = 0
  for (let n = 0; n < 100_000; n++) if (seen.has(next(), next())) wrong++
  assert.ok(wrong <= 500, `${wrong} of 100,000`)
})

test('GATEWAY-ONCE-001: an id is looked for at its position even if new rows came before the old ones', () => {
  const seen = loaded()
  const ids = [packId(1, 2), packId(3, 4), packId(5, 6)]
  seen.add(900, ids[0]!)
  seen.add(100, ids[1]!)
  seen.add(500, ids[2]!)
  for (const [n, seq] of [900, 100, 500].entries()) {
    const [low, high] = [ids[n]!.readInt32BE(0), ids[n]!.readInt32BE(4)]
    assert.ok([...seen.spansOf(low, high)].some(({ from, to }) => from <= seq && seq <= to))
  }
})

test('GATEWAY-ONCE-002: nobody can choose ids that make other ids match', () => {
  const seen = loaded()
  let state = 1
  const next = (): number => (state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b) | 0
  const chosen = (): number => next() << 14
  for (let seq = 1; seq <= 10; seq++) {
    const pack = new BlockPack()
    for (let n = 0; n < blockMax; n++)
      pack.add({ user: 1 as UserId, idLow: chosen(), idHigh: next(), bodyLow: 0, bodyHigh: 0, number: 0, refusal: 0 })
    seen.add(seq, pack.ids)
  }
  let looks = 0
  for (let n = 0; n < 10_000; n++) {
    const [low, high] = [chosen(), next()]
    if (seen.has(low, high)) looks += [...seen.spansOf(low, high)].length
  }
  assert.ok(looks <= 100, `${looks} for 10,000`)
})

test('GATEWAY-ONCE-001: the spans of the journal in which ids are looked for leave no gap', () => {
  const seen = loaded()
  const block = (n: number): Buffer => Buffer.concat(Array.from({ length: 1_500 }, (_, at) => packId(n, at * 7_919)))
  for (let n = 1; n <= 4; n++) seen.add(n * 100, block(n))
  const last = packId(3, 0)
  // The database lost the third row, and its ids came again in two.
  assert.ok([...seen.spansOf(last.readInt32BE(0), last.readInt32BE(4))].some(({ from, to }) => from <= 250 && 250 <= to))
})

test('GATEWAY-ONCE-002: ids that share half of their hash do not make others with that half match', () => {
  const seen = loaded()
  const high = 0x1234567
  for (let n = 0; n < 1_200; n++) seen.add(n, packId(Math.imul(n, 0x9e3779b1) | 0, high))
  let wrong = 0
  for (let n = 1_200; n < 11_200; n++) if (seen.has(Math.imul(n, 0x9e3779b1) | 0, high)) wrong++
  assert.ok(wrong <= 50, `${wrong} of 10,000`)
})

/** A row of ids that no other row has. */
const rowOf = (n: number, count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, at) => packId(n, Math.imul(at, 0x9e3779b1) | 0)))
const holds = (seen: SeenIds, row: Buffer): boolean => {
  for (let at = 0; at < row.length; at += 8) if (!seen.has(row.readInt32BE(at), row.readInt32BE(at + 4))) return false
  return true
}

test('GATEWAY-ONCE-008: the last ids of a user are certain however many there are, and take little more memory than these', () => {
  const [kept, perRow] = [32_768, 256]
  const seen = loaded(kept)
  let most = 0
  for (let n = 0; n < 4_000; n++) {
    seen.add(n, rowOf(n, perRow))
    most = Math.max(most, seen.bytes)
    if (n % 500 !== 499) continue
    for (let last = Math.max(0, n - kept / perRow + 1); last <= n; last++)
      assert.ok(holds(seen, rowOf(last, perRow)), `row ${last} of ${n}`)
  }
  assert.ok(most <= 2.25 * kept * 8, `${most} bytes`)
  const forgotten = Array.from({ length: 100 }, (_, n) => holds(seen, rowOf(n, perRow)))
  assert.ok(forgotten.every((isHeld) => !isHeld))
})

test('GATEWAY-ONCE-008: new rows that come while the old ones are being read are forgotten after them', async () => {
  const [kept, perRow] = [8_192, 256]
  const seen = new SeenIds(kept)
  seen.add(1_000, rowOf(1_000, perRow))
  await seen.load(Array.from({ length: kept / perRow }, (_, n) => ({ seq: n, ids: rowOf(n, perRow) })))
  for (let n = 1; n < kept / perRow; n++) {
    seen.add(1_000 + n, rowOf(1_000 + n, perRow))
    assert.ok(holds(seen, rowOf(1_000, perRow)), `after ${n} rows`)
  }
})
