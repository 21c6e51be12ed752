/** Records of margin trading on their own: outages, and the ordered list of accounts with debt. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis } from '../../../money/brand.ts'
import type { MarketId, UserId } from '../../../protocol/ids.ts'
import { Account, accountKey } from '../records/account.ts'
import { Indebted } from '../records/indebted.ts'
import { Outage } from '../records/outage.ts'

const at = (ms: number): Millis => ms as Millis
const account = (user: number, market: number): Account => new Account(user as UserId, market as MarketId)
const keyOf = ({ user, market }: Account): number => accountKey(user, market)

test('MARGIN-LIQ-013: an outage of 2,999 ms leaves no trace, one of 3,000 ms bars openings for 5 s and liquidations for 10 s', () => {
  const short = new Outage()
  short.begin(at(100_000))
  assert.deepEqual([short.opens(at(100_000)), short.liquidates(at(100_000))], [false, false])
  // A second bad tick does not make the outage younger.
  short.begin(at(102_000))
  assert.equal(short.sinceMs, 100_000)
  short.end(at(102_999))
  assert.deepEqual([short.sinceMs, short.returnedMs, short.opens(at(102_999)), short.liquidates(at(102_999))], [0, 0, true, true])

  const long = new Outage()
  long.begin(at(100_000))
  long.end(at(103_000))
  assert.deepEqual([long.sinceMs, long.returnedMs], [0, 103_000])
  assert.deepEqual([long.opens(at(107_999)), long.opens(at(108_000))], [false, true])
  assert.deepEqual([long.liquidates(at(112_999)), long.liquidates(at(113_000))], [false, true])
  // An end without an outage changes nothing, and neither does a short outage long afterwards.
  long.end(at(120_000))
  assert.equal(long.returnedMs, 103_000)
  long.begin(at(130_000))
  assert.deepEqual([long.opens(at(150_000)), long.liquidates(at(150_000))], [false, false])
  long.end(at(131_000))
  assert.deepEqual([long.returnedMs, long.opens(at(131_000)), long.liquidates(at(131_000))], [103_000, true, true])
})

test('MARGIN-LIQ-016: accounts with debt are listed once each, by user and then by market', () => {
  const [cross, isolated, older, younger] = [account(5, 0), account(5, 3), account(4, 9), account(6, 0)]
  const list = new Indebted()
  for (const one of [isolated, younger, cross, older, cross, younger]) list.add(one)
  assert.equal(list.size, 4)
  assert.deepEqual(
    [0, 1, 2, 3].map((place) => list.at(place)),
    [older, cross, isolated, younger],
  )
  assert.equal(list.at(4), undefined)
  assert.deepEqual(
    [older, cross, isolated, younger].map((one) => list.placeOf(keyOf(one))),
    [0, 1, 2, 3],
  )
  assert.deepEqual([list.placeOf(0), list.placeOf(keyOf(cross) + 1), list.placeOf(keyOf(younger) + 1)], [0, 2, 4])
  assert.deepEqual([list.has(cross), list.has(account(5, 1)), list.has(account(7, 0))], [true, false, false])

  // What is not in the list removes nothing.
  list.delete(account(5, 1))
  list.delete(account(5, 0))
  assert.equal(list.size, 4)
  list.delete(cross)
  assert.deepEqual([list.size, list.has(cross), list.at(1), list.has(isolated)], [3, false, isolated, true])
})

test('an account’s key tells users and markets apart, and keeps their order', () => {
  assert.equal(keyOf(account(3, 2)), 3_145_730)
  assert.ok(keyOf(account(3, 1_048_575)) < keyOf(account(4, 0)))
})
