/** Thirty-day volumes of users and the fee tiers that follow from them. */
import type { Millis, Units } from '../../../money/brand.ts'
import type { UserId } from '../../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Records } from '../../../protocol/codec/records.ts'
import type { FeeTier } from '../../../protocol/market.ts'
import { refuseLarge } from '../../test/short-memory.ts'
import { Volumes } from '../volumes.ts'

const dayMs = 86_400_000
const firstDay = 20_255
const most = 2 ** 48
/** The last millisecond of a day, or another moment of it. */
const ms = (day: number, later = dayMs - 1): Millis => ((firstDay + day) * dayMs + later) as Millis
const id = (user: number): UserId => user as UserId
const tiers: readonly FeeTier[] = [0, 1_000, 5_000].map((volumeMin) => ({ volumeMin, makerPpm: 10, takerPpm: 20 }) as FeeTier)

function withTiers(): Volumes {
  const volumes = new Volumes()
  volumes.setTiers(tiers)
  return volumes
}

function dumped(volumes: Volumes): Records {
  const into = new Records()
  into.reserve(2)
  for (const _ of volumes.dump(into));
  return into
}

function restored(volumes: Volumes): Volumes {
  const into = dumped(volumes)
  const copy = withTiers()
  assert.equal(copy.restore(into.data, 2, 13), into.length)
  assert.deepEqual(Buffer.from(dumped(copy).bytes()), Buffer.from(into.bytes()))
  return copy
}

test('SPOT-FEE-002: a day’s volume counts on that day and on the 29 after it', () => {
  const volumes = withTiers()
  volumes.add(id(7), ms(0, 0), 100)
  volumes.add(id(7), ms(0), 20)
  volumes.add(id(7), ms(1, 0), 3)
  for (const one of [volumes, restored(volumes)]) {
    const seen = (day: number): number => one.volume(id(7), ms(day))
    assert.deepEqual([1, 2, 28, 29, 30, 31, 32, 60, 400].map(seen), [123, 123, 123, 123, 3, 0, 0, 0, 0])
    // Asking for the tier drops past days, and changes no volume.
    one.tier(id(7), ms(29))
    assert.deepEqual([29, 30, 31].map(seen), [123, 3, 0])
    one.add(id(7), ms(30, 0), 4_000)
    assert.deepEqual([30, 31, 59, 60].map(seen), [4_003, 4_000, 4_000, 0])
    one.add(id(7), ms(100), 5)
    assert.deepEqual([100, 129, 130].map(seen), [5, 5, 0])
  }
})

test('SPOT-FEE-002: any trades on any days give the sum of the last thirty days', () => {
  let volumes = withTiers()
  const twin = new Map<string, number>()
  const sum = (user: number, day: number): number => {
    let total = 0
    for (let back = 0; back < 30; back++) total += twin.get(`${user} ${day - back}`) ?? 0
    return total
  }
  let [state, day] = [1, 0]
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  for (let step = 0; step < 3_000; step++) {
    if (below(4) === 0) day += below(12) === 0 ? below(70) : below(3)
    const user = 1 + below(12) * (below(2) === 0 ? 1 : 997)
    const amount = below(400)
    volumes.add(id(user), ms(day, below(dayMs)), amount)
    twin.set(`${user} ${day}`, (twin.get(`${user} ${day}`) ?? 0) + amount)
    const other = 1 + below(12)
    const expected = [user, other].map((one) => sum(one, day))
    assert.deepEqual([volumes.volume(id(user), ms(day)), volumes.volume(id(other), ms(day))], expected)
    assert.equal(
      volumes.tier(id(other), ms(day)),
      tiers.findLastIndex(({ volumeMin }) => expected[1]! >= volumeMin),
    )
    if (step % 250 === 0) volumes = restored(volumes)
  }
})

test('SPOT-FEE-002: a tier rises with the trade that reaches its volume, falls when days drop out, and is told once', () => {
  const volumes = withTiers()
  assert.deepEqual([volumes.tier(id(7), ms(0)), volumes.find(id(7), ms(0))], [0, 0])
  assert.deepEqual([volumes.add(id(7), ms(0), 999), volumes.tier(id(7), ms(0))], [false, 0])
  assert.deepEqual([volumes.add(id(7), ms(1), 1), volumes.tier(id(7), ms(1))], [true, 1])
  assert.deepEqual([volumes.add(id(7), ms(1), 3_999), volumes.tier(id(7), ms(1))], [false, 1])
  assert.deepEqual([volumes.add(id(7), ms(1), 1), volumes.tier(id(7), ms(1))], [true, 2])
  assert.equal(volumes.add(id(7), ms(2), 1_000_000), false)
  for (const one of [volumes, restored(volumes)]) {
    assert.deepEqual([one.tier(id(7), ms(31)), one.tier(id(7), ms(32))], [2, 0])
    assert.deepEqual([one.add(id(7), ms(32), 1), one.add(id(7), ms(32), 1)], [true, false])
  }
  const fresh = withTiers()
  assert.deepEqual([fresh.add(id(7), ms(0), 5_000), fresh.tier(id(7), ms(0))], [true, 2])
  const found = fresh.find(id(7), ms(1))
  assert.deepEqual([fresh.tierAt(found), fresh.addAt(found, id(7), ms(1), 1), fresh.volume(id(7), ms(1))], [2, false, 5_001])
  // Not found at the beginning of a command that then counts two trades.
  assert.deepEqual([fresh.addAt(0, id(8), ms(1), 600), fresh.addAt(0, id(8), ms(1), 400), fresh.volume(id(8), ms(1))], [false, true, 1_000])
})

test('SPOT-FEE-004: a new schedule moves every trader to its tiers at once, and the next trade tells it', () => {
  const volumes = withTiers()
  for (const [user, amount] of [
    [1, 10],
    [2, 2_000],
    [3, 9_000],
  ] as const)
    volumes.add(id(user), ms(0), amount)
  volumes.setTiers([tiers[0]!, { ...tiers[1]!, volumeMin: 5 as Units }, { ...tiers[2]!, volumeMin: 20 as Units }])
  assert.deepEqual(
    [1, 2, 3].map((user) => volumes.tier(id(user), ms(0))),
    [1, 2, 2],
  )
  assert.deepEqual(
    [1, 2, 3].map((user) => volumes.add(id(user), ms(0), 0)),
    [true, true, false],
  )
  assert.equal(volumes.tiers.length, 3)
  volumes.setTiers(tiers)
  // A tier that was not told before a restart is told after it.
  const copy = restored(volumes)
  for (const one of [volumes, copy])
    assert.deepEqual(
      [1, 2, 3].map((user) => one.add(id(user), ms(0), 0)),
      [true, true, false],
    )
})

test('SPOT-FEE-005: one day counts at most 2^48 units, and thirty such days add up exactly', () => {
  const volumes = withTiers()
  volumes.add(id(7), ms(0), most - 5)
  volumes.add(id(7), ms(0), 4)
  assert.equal(volumes.volume(id(7), ms(0)), most - 1)
  for (const amount of [1, 1, 2 ** 52]) {
    volumes.add(id(7), ms(0), amount)
    assert.equal(volumes.volume(id(7), ms(0)), most)
  }
  for (let day = 1; day < 30; day++) volumes.add(id(7), ms(day), 2 ** 52)
  assert.equal(volumes.volume(id(7), ms(29)), 30 * most)
  volumes.add(id(7), ms(30), 7)
  assert.equal(restored(volumes).volume(id(7), ms(30)), 29 * most + 7)
})

test('SPOT-CORE-002: a dump has the days with volume only, and the tier that was told last', () => {
  const volumes = withTiers()
  volumes.add(id(9), ms(0), 6_000)
  volumes.add(id(4), ms(1), 70)
  volumes.add(id(9), ms(2), 0)
  volumes.add(id(9), ms(3), 8)
  const { data, length } = dumped(volumes)
  const bit = (day: number): number => 1 << ((firstDay + day) % 30)
  assert.ok((firstDay % 30) + 3 < 30)
  const [four, nine] = [
    [4, (firstDay + 1) * 256, bit(1), 70],
    [9, (firstDay + 3) * 256 + 2, bit(0) | bit(3), 6_000, 8],
  ]
  assert.deepEqual([...data.subarray(2, length)], [...four, ...nine, 0])
})

test('SPOT-CORE-002: the volumes of a dump of version 12, with all days of each trader, are read back', () => {
  const day = firstDay + 31
  const days = Array.from({ length: 30 }, (_, n) => (n % 5 === 0 ? 0 : 10 + n))
  const total = days.reduce((sum, volume) => sum + volume, 0)
  const data = Float64Array.from([99, 2, 5, day, 1, ...days, 6, day - 29, 0, ...days.map((volume) => volume * 10), 98])
  const volumes = withTiers()
  assert.equal(volumes.restore(data, 1, 12), data.length - 1)
  assert.deepEqual([volumes.volume(id(5), ms(31)), volumes.volume(id(6), ms(31))], [total, days[(firstDay + 2) % 30]! * 10])
  assert.deepEqual([volumes.volume(id(6), ms(2)), volumes.tier(id(6), ms(2))], [total * 10, 2])
  // Tier 1 was told to trader 5, whose volume reaches tier 0 only.
  assert.deepEqual([volumes.add(id(5), ms(31), 0), volumes.add(id(5), ms(31), 0)], [true, false])
  assert.equal(volumes.add(id(6), ms(31), 0), false)
})

test('FUNDS-ROWS-002: volumes keep their users while the tables grow, and a dump pauses after every 1,024 users', () => {
  const volumes = withTiers()
  const users = 5_000
  for (let user = 1; user <= users; user += 2) volumes.add(id(user), ms(0), user)
  volumes.add(id(60_000), ms(0), 1_000)
  volumes.add(id(2 ** 23), ms(0), 70)
  assert.equal(volumes.volume(id(2 ** 23), ms(0)), 70)
  assert.equal(volumes.volume(id(70_000), ms(0)), 0)
  assert.equal(volumes.tier(id(70_000), ms(0)), 0)
  for (const one of [volumes, restored(volumes)]) {
    for (let user = 1; user <= users; user++) assert.equal(one.volume(id(user), ms(0)), user % 2 === 0 ? 0 : user)
    assert.equal(one.volume(id(60_000), ms(0)), 1_000)
    let pauses = 0
    for (const _ of one.dump(new Records())) pauses++
    assert.equal(pauses, 2 ** 23 / 1_024)
  }
})

test('SPOT-FEE-002: a user who never traded has no volume and tier 0, also at the end of the young table', () => {
  assert.deepEqual([new Volumes().tiers, new Volumes().volume(id(7), ms(0))], [[], 0])
  const volumes = withTiers()
  assert.deepEqual([volumes.find(id(1_024), ms(0)), volumes.tier(id(1_024), ms(0))], [0, 0])
  volumes.add(id(1_024), ms(0), 30)
  assert.equal(volumes.volume(id(1_024), ms(0)), 30)
})

test('FUNDS-ROWS-005: the memory for all traders is allocated at once, and keeps the volumes', () => {
  const volumes = withTiers()
  volumes.add(id(7), ms(0), 1_500)
  assert.equal(volumes.reserve(), true)
  volumes.add(id(2 ** 23), ms(0), 6_000)
  volumes.add(id(7), ms(1), 4_000)
  assert.deepEqual([volumes.volume(id(7), ms(1)), volumes.tier(id(7), ms(1))], [5_500, 2])
  assert.deepEqual([volumes.volume(id(2 ** 23), ms(1)), volumes.tier(id(2 ** 23), ms(1))], [6_000, 2])
})

test('FUNDS-ROWS-007: volumes report when the system gives the memory of one table only, and keep what was counted', (t) => {
  for (const refused of [0, 1]) {
    const volumes = withTiers()
    volumes.add(id(7), ms(0), 1_500)
    refuseLarge(t, refused)
    assert.equal(volumes.reserve(), false, `table ${refused}`)
    t.mock.restoreAll()
    for (let user = 8; user < 3_000; user++) volumes.add(id(user), ms(0), user)
    assert.deepEqual([volumes.volume(id(7), ms(1)), volumes.volume(id(8), ms(1)), volumes.volume(id(2_999), ms(1))], [1_500, 8, 2_999])
  }
})
