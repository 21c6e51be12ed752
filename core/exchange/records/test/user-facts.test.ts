/** Regions and ages of users, and the products that operators opened in each region. */
import type { Millis } from '../../../money/brand.ts'
import type { UserId } from '../../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everywhere, regionNumber } from '../../../protocol/codec/region.ts'
import { Records } from '../../../protocol/codec/records.ts'
import { UserFacts } from '../user-facts.ts'

const weekMs = 7 * 86_400_000
const start = 1_750_000_000_000
const ms = (later: number): Millis => (start + later) as Millis
const id = (user: number): UserId => user as UserId

/** Facts of users 1, 2, …; each was opened this many milliseconds after the start. */
function opened(...moments: readonly number[]): UserFacts {
  const facts = new UserFacts()
  for (const [n, later] of moments.entries()) facts.open(id(n + 1), ms(later))
  return facts
}

function dumped(facts: UserFacts): Records {
  const into = new Records()
  into.reserve(2)
  facts.dump(into)
  return into
}

function restored(facts: UserFacts): UserFacts {
  const into = dumped(facts)
  const copy = new UserFacts()
  assert.equal(copy.restore(into.data, 2, 14), into.length)
  assert.deepEqual(Buffer.from(dumped(copy).bytes()), Buffer.from(into.bytes()))
  return copy
}

test('USER-REGION-003: the age of a new user is exact, and the age of older users is not kept', () => {
  const facts = opened(0, 1_000)
  for (const one of [facts, restored(facts)]) {
    assert.deepEqual([one.ageMs(id(1), ms(5_000)), one.ageMs(id(2), ms(5_000))], [5_000, 4_000])
    assert.deepEqual([one.ageMs(id(3), ms(5_000)), one.ageMs(id(0), ms(5_000))], [Infinity, Infinity])
    one.open(id(3), ms(weekMs))
    assert.deepEqual(
      [one.ageMs(id(1), ms(weekMs)), one.ageMs(id(2), ms(weekMs)), one.ageMs(id(3), ms(weekMs))],
      [Infinity, weekMs - 1_000, 0],
    )
  }
})

test('USER-REGION-003: one new user makes the exchange forget the opening of four others at most', () => {
  const facts = opened(0, 0, 0, 0, 0, 0)
  const known = (): readonly number[] => [1, 2, 3, 4, 5, 6, 7, 8].filter((user) => facts.ageMs(id(user), ms(weekMs)) !== Infinity)
  facts.open(id(7), ms(weekMs - 1))
  assert.deepEqual(known(), [1, 2, 3, 4, 5, 6, 7])
  facts.open(id(8), ms(weekMs))
  assert.deepEqual(known(), [5, 6, 7, 8])
  facts.open(id(9), ms(3 * weekMs))
  assert.deepEqual(known(), [])
  assert.equal(facts.ageMs(id(9), ms(3 * weekMs + 7)), 7)
  // The last user is forgotten too, and the next one is the only new one.
  facts.open(id(10), ms(6 * weekMs))
  assert.deepEqual([facts.ageMs(id(9), ms(6 * weekMs)), facts.ageMs(id(10), ms(6 * weekMs + 3))], [Infinity, 3])
  assert.equal(restored(facts).ageMs(id(10), ms(6 * weekMs + 3)), 3)
})

test('USER-REGION-003: users of a restored exchange that had no new users are not new', () => {
  const facts = restored(new UserFacts())
  assert.equal(facts.ageMs(id(1), ms(0)), Infinity)
  facts.open(id(20), ms(0))
  assert.deepEqual([facts.ageMs(id(19), ms(5)), facts.ageMs(id(20), ms(5))], [Infinity, 5])
})

test('USER-REGION-003: the openings of many new users are kept, in any number of pages', () => {
  const facts = new UserFacts()
  for (let user = 4_000; user <= 12_400; user++) facts.open(id(user), ms(user))
  for (const one of [facts, restored(facts)]) {
    for (let user = 4_000; user <= 12_400; user++) assert.equal(one.ageMs(id(user), ms(20_000)), 20_000 - user)
    assert.equal(one.ageMs(id(3_999), ms(20_000)), Infinity)
  }
})

test('USER-REGION-004: a user’s region is the last one given, and none after it was taken back', () => {
  const facts = new UserFacts()
  const [swiss, french] = [regionNumber('CH'), regionNumber('FR')]
  assert.equal(facts.region(id(1)), 0)
  facts.locate(id(9), french)
  facts.locate(id(1), french)
  facts.locate(id(2), swiss)
  facts.locate(id(1), swiss)
  facts.locate(id(2), 0)
  for (const one of [facts, restored(facts)])
    assert.deepEqual(
      [1, 2, 9].map((user) => one.region(id(user))),
      [swiss, 0, french],
    )
  // Two regions by user, no new users, the row of all regions, and no pauses.
  const { data, length } = dumped(facts)
  assert.deepEqual([...data.subarray(2, length)], [2, 1, swiss, 9, french, 0, 1, everywhere, 0, 0, 0])
})

test('USER-REGION-004: without a region every product counts that is closed anywhere', () => {
  const facts = new UserFacts()
  const [swiss, french] = [regionNumber('CH'), regionNumber('FR')]
  facts.locate(id(1), swiss)
  const seen = (one: UserFacts): readonly unknown[] => [one.opened(id(1)), one.opened(id(2))]
  const [none, all] = [
    { leverage: false, second: false },
    { leverage: true, second: true },
  ]
  assert.deepEqual(seen(facts), [none, none])
  facts.setOpened(everywhere, all)
  assert.deepEqual(seen(facts), [all, all])
  facts.setOpened(french, { leverage: true, second: false })
  assert.deepEqual(seen(facts), [all, { leverage: true, second: false }])
  facts.setOpened(swiss, { leverage: false, second: true })
  for (const one of [facts, restored(facts)]) {
    assert.deepEqual(seen(one), [{ leverage: false, second: true }, none])
    assert.deepEqual(one.openedIn(french), { leverage: true, second: false })
    assert.deepEqual(one.openedIn(regionNumber('AT')), all)
  }
})

test('USER-REGION-009: the rows of regions are listed by code, that of all others last', () => {
  const facts = new UserFacts()
  facts.setOpened(regionNumber('US'), { leverage: false, second: false })
  facts.setOpened(regionNumber('AT'), { leverage: true, second: false })
  for (const one of [facts, restored(facts)])
    assert.deepEqual(one.rows(), [
      { region: 'AT', isLeverageOpen: true, isSecondOpen: false },
      { region: 'US', isLeverageOpen: false, isSecondOpen: false },
      { region: '*', isLeverageOpen: false, isSecondOpen: false },
    ])
})
