/** Hashes of client ids and bodies, which are stored in dumps and tables. */
import type { UserId } from '../../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientIdSlots, packText } from '../../../protocol/codec/text.ts'
import { RequestHash } from '../hash.ts'
import { expectedMax, ID_HIGH, ID_LOW, EXPECTED, HASH, NOT_EXPECTED, USER } from '../expected-fields.ts'
import { Expected } from '../expected.ts'

/** Hash of a client id that begins at slot 2. */
function hashOf(user: number, text: string, hash = new RequestHash(), data = new Float64Array(20)): readonly number[] {
  packText(text, data, 2, clientIdSlots)
  hash.hashId(user as UserId, data, 2)
  return [hash.low, hash.high]
}

/** Hash of the body in slots from 3 on, of a command with this code. */
function bodyOf(body: readonly number[], code = 11): readonly number[] {
  const data = new Float64Array(20)
  data.set(body, 3)
  const hash = new RequestHash()
  hash.hashId(1 as UserId, data, 12)
  hash.hashBody(code, 3, 3 + body.length)
  return [hash.low, hash.high]
}

test('SPOT-ONCE-001: the hash of a client id is the same in every version, because dumps and tables contain it', () => {
  for (const [user, text, low, high] of [
    [0, '', 0, 0],
    [1, '', 2_099_663_945, 739_971_190],
    [1, 'a', -744_025_743, -290_160_312],
    [2, 'a', -963_089_881, -1_569_578_792],
    [7, 'order-12345678', 713_159_409, -1_389_649_510],
    [7, 'abcdefghijklmnopqrstuvwxyz0123456789', -525_216_611, 457_744_475],
    [8_388_608, 'order-1', 249_201_827, -1_710_807_146],
  ] as const)
    assert.deepEqual(hashOf(user, text), [low, high], `${user} ${text}`)
})

test('SPOT-ONCE-002: the hash of a body is the same in every version, and zeros at its end do not count', () => {
  for (const [body, low, high] of [
    [[], 11, 11],
    [[0, 0], 11, 11],
    [[1], 1_042_178_048, 652_527_616],
    [[1, 0], 1_042_178_048, 652_527_616],
    [[0, 1], 1_651_422_173, -1_677_105_884],
    [[-1.5, 2 ** 52], 1_791_671_972, 1_306_078_811],
    [[3, 4, 5, 0, 6], -1_747_648_619, 623_730_430],
    [[0.1, -0.3], -2_103_981_611, -1_454_646_037],
  ] as const)
    assert.deepEqual(bodyOf(body), [low, high], `${body}`)
  assert.notDeepEqual(bodyOf([1], 12), bodyOf([1]))
})

test('SPOT-ONCE-001: a hash depends only on the slots it is given, also in the middle of a larger memory', () => {
  const hash = new RequestHash()
  const large = new Float64Array(60).fill(9)
  const part = large.subarray(30, 50)
  assert.deepEqual([hash.isAt(large), hash.isAt(part)], [false, false])
  assert.deepEqual(hashOf(7, 'order-12345678', hash, part), [713_159_409, -1_389_649_510])
  assert.deepEqual([hash.isAt(large), hash.isAt(part)], [false, true])
  assert.deepEqual(hashOf(1, 'a', hash, large), [-744_025_743, -290_160_312])
  assert.deepEqual([hash.isAt(large), hash.isAt(part)], [true, false])
  // The longest id fills all of its slots, and the next one belongs to the body.
  const followed = new Float64Array(20).fill(9, 2 + clientIdSlots)
  assert.deepEqual(hashOf(7, 'abcdefghijklmnopqrstuvwxyz0123456789', hash, followed), [-525_216_611, 457_744_475])
})

test('SPOT-ONCE-001: expected requests are taken in their order, each once, and one that was not announced is none of them', () => {
  const expected = new Expected()
  assert.equal(expected.take(0), NOT_EXPECTED)
  for (let n = 0; n < expectedMax; n++) {
    assert.equal(expected.isFull, false)
    expected.add(100 + n, n, ~n, n * 7, (n + 1) as UserId)
  }
  assert.deepEqual([expected.isFull, expected.count], [true, expectedMax])
  assert.equal(expected.take(101), NOT_EXPECTED, 'the first one is expected next')
  for (let n = 0; n < expectedMax; n++) {
    const at = expected.take(100 + n)
    assert.deepEqual(
      [HASH, USER, ID_LOW, ID_HIGH].map((field) => expected.words[at + field]),
      [n * 7, n + 1, n, ~n],
    )
    assert.equal(at, n * EXPECTED)
    assert.equal(expected.take(100 + n), NOT_EXPECTED)
  }
  assert.equal(expected.take(100), NOT_EXPECTED)
  expected.clear()
  assert.deepEqual([expected.isFull, expected.count, expected.take(100)], [false, 0, NOT_EXPECTED])
  expected.add(100, 1, 2, 3, 4 as UserId)
  assert.equal(expected.take(100), 0)
})
