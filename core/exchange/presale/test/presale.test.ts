import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { allocate, costOf, releasedBy } from '../../../risk/presale.ts'
import type { Days, Units } from '../../../money/brand.ts'
import { asProduction } from '../../test/production.ts'
import { Exchange } from '../../exchange.ts'
import { asTerms, beginsAt, dayMs, endsAt, hourMs, presaleTerms, presaleWorld, token, usdt, whole } from './presale-world.ts'

test('PRESALE-OPEN-001: an opened presale holds its whole supply; terms change until it begins, and the hold with them', () => {
  const presale = presaleWorld()
  const told = presale.set().isAccepted()
  assert.deepEqual(told.of('presale.set'), [{ type: 'presale.set', presale: 1, terms: presaleTerms }])
  assert.deepEqual(presale.system('presale-tokens', token), [900_000 * whole.token, 100_000 * whole.token])
  presale.set({ supply: 1_000_000 * whole.token }).isAccepted()
  assert.deepEqual(presale.system('presale-tokens', token), [0, 1_000_000 * whole.token])
  presale.set({ supply: 600_000 * whole.token }).isAccepted()
  // A repeat opens no second one.
  presale.set({ supply: 600_000 * whole.token }).isAccepted()
  assert.deepEqual(presale.system('presale-tokens', token), [400_000 * whole.token, 600_000 * whole.token])
  assert.equal(presale.world.exchange.presale.all().length, 1)
  presale.at(beginsAt).allRefused('PRESALE_STATE', () => presale.set({ supply: 5 * whole.token, purchaseLimit: 1 }))
  presale.world.isReplayable()
})

test('PRESALE-OPEN-002: tokens that another presale promises, or that the exchange does not have, are refused by name', () => {
  const presale = presaleWorld()
  presale.set({ supply: 600_000 * whole.token }).isAccepted()
  presale.allRefused(
    'PRESALE_SUPPLY',
    () => presale.set({ supply: 400_001 * whole.token }, 2),
    () => presale.set({ supply: 1_000_001 * whole.token }),
  )
  presale.set({ supply: 400_000 * whole.token }, 2).isAccepted()
  presale.allRefused(
    'FIELD_INVALID',
    () => presale.set({}, 0),
    () => presale.set({ supply: 0 }, 3),
  )
  presale.allRefused(
    'ASSET_UNKNOWN',
    () => presale.set({ token: 9 }, 3),
    () => presale.set({ pay: 2 }, 3),
    () => presale.set({ token: usdt }, 3),
  )
  presale.at(endsAt).allRefused('PRESALE_STATE', () => presale.set({}, 3))
  presale.world.isReplayable()
})

test('PRESALE-OPEN-003: in production two members of the staff open and cancel a presale, and one alone does neither', () => {
  const presale = presaleWorld('alice')
  asProduction(presale.world)
  const operate = (change: object, approver: number) =>
    presale.do({ type: 'exchange.operate', proposer: 1, approver, reason: 'presale', change })
  const set = { type: 'presale.set', presale: 1, terms: presaleTerms }
  const cancel = { type: 'presale.cancel', presale: 1 }
  presale.allRefused(
    'FORBIDDEN',
    () => presale.set(),
    () => operate(set, 1),
  )
  operate(set, 2).isAccepted()
  presale.allRefused(
    'FORBIDDEN',
    () => presale.cancel(),
    () => operate(cancel, 1),
  )
  assert.equal(operate(cancel, 2).isAccepted().of('presale.ended')[0]!.outcome, 'cancelled')
})

test('PRESALE-SUBSCRIBE-001: a subscription moves the sum into escrow; more of them add up to the largest sum, and a repeat counts once', () => {
  const presale = presaleWorld('alice', 'bob')
  presale.set().isAccepted()
  presale.at(beginsAt)
  const told = presale.subscribe('alice', 1000, { clientId: 'one' }).isAccepted()
  const { seq } = presale.world.exchange
  assert.equal(told.order, 2 ** 52 + seq)
  const user = presale.world.user('alice')
  const sum = 1000 * whole.usdt
  assert.deepEqual(told.of('presale.subscribed'), [
    { type: 'presale.subscribed', presale: 1, user, amount: sum, total: sum, subscribed: sum, subscribers: 1 },
  ])
  const again = presale.subscribe('alice', 1000, { clientId: 'one' })
  assert.deepEqual([again.outcome.isRepeat, again.order, again.events.length], [true, told.order, 1])
  presale.subscribe('alice', 0.5).isAccepted()
  presale.subscribe('bob', 50_000).isAccepted()
  presale.world.has('alice', 'USDT', '98999.5').has('bob', 'USDT', '50000')
  assert.deepEqual(presale.system('presale-escrow', usdt), [51_000.5 * whole.usdt, 0])
  assert.equal(presale.subscribed('alice'), 1000.5 * whole.usdt)
  presale.allRefused('PRESALE_LIMIT', () => presale.subscribe('bob', 0.000001))
  presale.world.isReplayable()
})

test('PRESALE-SUBSCRIBE-002: only verified customers who are neither frozen, resting nor the house subscribe, and only while it is open', () => {
  const presale = presaleWorld('alice', 'frozen', 'resting', 'staff', 'house')
  const { world } = presale
  const user = (name: string) => world.user(name)
  world.gives('unverified', 'USDT', '1000')
  presale.set().isAccepted()
  presale.allRefused('PRESALE_STATE', () => presale.subscribe('alice', 10))
  presale.at(beginsAt)
  presale.do({ type: 'user.set', user: user('frozen'), isFrozen: true }).isAccepted()
  presale.do({ type: 'user.rest', user: user('resting'), until: endsAt }).isAccepted()
  presale.do({ type: 'user.staff', user: user('staff'), isStaff: true }).isAccepted()
  presale.do({ type: 'user.house', user: user('house'), isHouse: true }).isAccepted()
  presale.allRefused('USER_FROZEN', () => presale.subscribe('frozen', 10))
  presale.allRefused('RESTING', () => presale.subscribe('resting', 10))
  presale.allRefused(
    'STAFF_BARRED',
    () => presale.subscribe('staff', 10),
    () => presale.subscribe('house', 10),
  )
  presale.allRefused('NOT_CERTIFIED', () => presale.subscribe('unverified', 10))
  presale.allRefused('PRESALE_UNKNOWN', () => presale.subscribe('alice', 10, { presale: 2 }))
  presale.allRefused(
    'AMOUNT_NOT_POSITIVE',
    () => presale.subscribe('alice', 0),
    () => presale.subscribe('alice', -5),
  )
  presale.allRefused('INSUFFICIENT_BALANCE', () => presale.subscribe('alice', 100_001))
  presale.allRefused('AMOUNT_TOO_SMALL', () => presale.subscribe('alice', 9.999999))
  presale
    .at(endsAt - 1)
    .subscribe('alice', 10)
    .isAccepted()
  presale.at(endsAt).allRefused('PRESALE_STATE', () => presale.subscribe('alice', 10))
  presale.ticks(endsAt)
  presale.allRefused('PRESALE_STATE', () => presale.subscribe('alice', 10))
  world.isReplayable()
})

test('PRESALE-END-001: at the end one command allocates, refunds the rest to the unit, and takes the cost as proceeds', () => {
  const presale = presaleWorld('alice', 'bob', 'carol')
  presale.set({ supply: 1000 * whole.token, purchaseLimit: 600 * whole.token }).isAccepted()
  presale.at(beginsAt)
  for (const [name, sum] of [
    ['alice', 300],
    ['bob', 100],
    ['carol', 50],
  ] as const)
    presale.subscribe(name, sum).isAccepted()
  const told = presale.ticks(endsAt)
  assert.equal(told.length, 1)
  // 1000 tokens at 0.25: alice's two thirds are cut to the limit, and the others share what is left 2 : 1.
  const allocated = told[0]!.of('presale.allocated').map((one) => [one.allocated, one.cost, one.refunded, one.released])
  const [third, free] = [133_333_333, 53_333_333]
  assert.deepEqual(allocated, [
    [600 * whole.token, 150 * whole.usdt, 150 * whole.usdt, 120 * whole.token],
    [1000 * whole.token - 600 * whole.token - third, 66_666_667, 33_333_333, free],
    [third, 33_333_334, 16_666_666, 26_666_666],
  ])
  const [ended] = told[0]!.of('presale.ended')
  assert.deepEqual(ended, { type: 'presale.ended', presale: 1, outcome: 'allocated', sold: 1000 * whole.token, proceeds: 250_000_001 })
  assert.deepEqual(presale.system('presale-proceeds', usdt), [250_000_001, 0])
  assert.deepEqual(presale.system('presale-escrow', usdt), [0, 0])
  assert.deepEqual(presale.system('presale-tokens', token), [999_000 * whole.token, 0])
  assert.deepEqual(presale.units('alice', token), [120 * whole.token, 480 * whole.token])
  presale.world.has('alice', 'USDT', '99850').isReplayable()
})

test('PRESALE-END-002: a sale that would bring less than its soft cap refunds everything and gives the tokens free', () => {
  for (const [softCap, outcome] of [
    [1000 * whole.usdt, 'allocated'],
    [1000 * whole.usdt + 1, 'missed'],
  ] as const) {
    const presale = presaleWorld('alice', 'bob')
    presale.set({ softCap, purchaseLimit: 2000 * whole.token }).isAccepted()
    // 5,500 are subscribed, but the limits let each pay no more than 500.
    presale.at(beginsAt).subscribe('alice', 5000).isAccepted()
    presale.subscribe('bob', 500).isAccepted()
    const [told] = presale.ticks(endsAt)
    assert.equal(told!.of('presale.ended')[0]!.outcome, outcome)
    if (outcome === 'allocated') continue
    presale.world.has('alice', 'USDT', '100000').has('bob', 'USDT', '100000')
    assert.deepEqual(presale.system('presale-tokens', token), [1_000_000 * whole.token, 0])
    assert.deepEqual(presale.units('alice', token), [0, 0])
    assert.equal(told!.of('presale.unlocked').length, 0)
    presale.world.isReplayable()
  }
})

test('PRESALE-END-003: until its end a presale can be cancelled, which refunds everything; its number is not used again', () => {
  const presale = presaleWorld('alice')
  presale.set().isAccepted()
  presale.at(beginsAt).subscribe('alice', 5000).isAccepted()
  presale.cancel().isAccepted()
  presale.world.has('alice', 'USDT', '100000')
  assert.deepEqual(presale.system('presale-tokens', token), [1_000_000 * whole.token, 0])
  presale.allRefused(
    'PRESALE_STATE',
    () => presale.cancel(),
    () => presale.set({ startsAt: endsAt, endsAt: endsAt + 1 }),
    () => presale.subscribe('alice', 10),
  )
  presale.allRefused('PRESALE_UNKNOWN', () => presale.cancel(2))
  presale.set({}, 2).isAccepted()
  presale.at(endsAt).allRefused('PRESALE_STATE', () => presale.cancel(2))
  presale.world.isReplayable()
})

const releases = {
  linear: presaleTerms.release,
  cliff: { atListingPpm: 0, kind: 'cliff', lockDays: 7, steps: [] },
  steps: {
    atListingPpm: 100_000,
    kind: 'steps',
    lockDays: 20,
    steps: [
      { day: 5, ppm: 333_333 },
      { day: 20, ppm: 566_667 },
    ],
  },
  free: { atListingPpm: 1_000_000, kind: 'linear', lockDays: 0, steps: [] },
} as const

for (const [name, release] of Object.entries(releases))
  test(`PRESALE-RELEASE-002: locked tokens become free by themselves on the days of the schedule, to the unit (${name})`, () => {
    const presale = presaleWorld('alice', 'bob')
    presale.set({ release, supply: 1_000_003, purchaseLimit: 1_000_003, price: { pay: 1, per: 1 }, subscriptionMin: 1 }).isAccepted()
    presale.at(beginsAt).subscribe('alice', 1).isAccepted()
    presale.subscribe('bob', 0.000003).isAccepted()
    const all = { alice: 1_000_000, bob: 3 } as const
    for (let day = 0; day <= release.lockDays; day++) {
      // Half a day earlier nothing is free that was not before.
      if (day > 0) assert.deepEqual(presale.ticks(endsAt + day * dayMs - 1), [])
      presale.ticks(endsAt + day * dayMs)
      for (const who of ['alice', 'bob'] as const) {
        const free = releasedBy(all[who] as Units, asTerms({ release }).release, day as Days)
        assert.deepEqual(presale.units(who, token), [free, all[who] - free], `${who} on day ${day}`)
      }
    }
    assert.deepEqual(presale.units('alice', token), [1_000_000, 0])
    assert.deepEqual(presale.world.exchange.presale.all(), [])
    assert.equal(presale.world.exchange.nextDueAtMs, Infinity)
    presale.world.isReplayable()
  })

test('PRESALE-RELEASE-003: a clock that stood still for days releases them at once, and locked tokens can’t be spent', () => {
  const presale = presaleWorld('alice')
  presale.set().isAccepted()
  presale.at(beginsAt).subscribe('alice', 250).isAccepted()
  presale.ticks(endsAt)
  const user = presale.world.user('alice')
  const move = (amount: number) =>
    presale.do({ type: 'funds.transfer', user, clientId: '', asset: token, from: 'spot', to: 'margin-cross', amount })
  move(200 * whole.token + 1).isRefused('INSUFFICIENT_BALANCE')
  assert.deepEqual(presale.units('alice', token), [200 * whole.token, 800 * whole.token])
  const told = presale.ticks(endsAt + 17 * dayMs + hourMs)
  assert.deepEqual(
    told.map((one) => one.of('presale.released').map(({ day, amount }) => [day, amount])),
    [[[17, Math.floor((800 * whole.token * 17) / 30)]]],
  )
  presale.ticks(endsAt + 900 * dayMs)
  assert.deepEqual(presale.units('alice', token), [1000 * whole.token, 0])
})

test('PRESALE-RELEASE-004: one tick releases to at most 256 holders, and the next goes on where it stopped, also after a restore', () => {
  const names = Array.from({ length: 300 }, (_, n) => `user ${n}`)
  const presale = presaleWorld()
  for (const name of names) presale.customer(name, '10')
  presale.set().isAccepted()
  presale.at(beginsAt)
  for (const name of names) presale.subscribe(name, 10).isAccepted()
  presale.ticks(endsAt)
  presale.at(endsAt + dayMs)
  assert.equal(presale.world.tick().of('presale.released').length, 256)
  presale.world.exchange = Exchange.restore(presale.world.exchange.dump())
  // The next day begins before the first is done.
  presale.at(endsAt + 2 * dayMs)
  assert.deepEqual(
    [
      ...new Set(
        presale.world
          .tick()
          .of('presale.released')
          .map(({ day }) => day),
      ),
    ],
    [1],
  )
  const told = presale.ticks(endsAt + 2 * dayMs)
  assert.deepEqual(
    told.map((one) => one.of('presale.released').length),
    [256, 44],
  )
  presale.world.isReplayable()
})

test('PRESALE-FULL-001: 10,000 customers subscribe to one presale, the next is refused, and one command allocates to all', () => {
  const presale = presaleWorld('early', 'late')
  presale.set({ purchaseLimit: 20 * whole.token }).isAccepted()
  presale.at(beginsAt).subscribe('early', 10).isAccepted()
  presale.fill(9999, (n) => 10 + (n % 90))
  presale.allRefused('PRESALE_FULL', () => presale.subscribe('late', 10))
  presale.subscribe('early', 1).isAccepted()
  presale.at(endsAt)
  const allocated = presale.world.tick().isAccepted().of('presale.allocated')
  assert.equal(allocated.length, 10_000)
  assert.equal(
    allocated.reduce((sum, one) => sum + one.allocated, 0),
    100_000 * whole.token,
  )
  assert.ok(allocated.every((one) => one.allocated <= 20 * whole.token && one.refunded >= 0))
  assert.deepEqual(presale.ticks(endsAt), [])
})

test('PRESALE-BOOKS-001: whatever customers subscribe, cost and refund make up each subscription, and a replay gives the same state', () => {
  const sums = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 10_000_000, max: 9_000_000_000 })), { maxLength: 25 })
  fc.assert(
    fc.property(sums, fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 999 }), (bids, pay, per) => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f']
      const presale = presaleWorld(...names)
      const terms = { price: { pay, per }, supply: 10_000_000, purchaseLimit: 3_000_000, subscriptionMin: pay }
      presale.set({ ...terms, subscriptionMax: 2 ** 40 }).isAccepted()
      presale.at(beginsAt)
      const own = new Map<string, number>()
      for (const [who, sum] of bids) {
        const name = names[who]!
        const user = presale.world.user(name)
        const told = presale.do({ type: 'presale.subscribe', user, clientId: '', presale: 1, amount: sum })
        if (told.outcome.refusal === undefined) own.set(name, (own.get(name) ?? 0) + sum)
      }
      const [told] = presale.ticks(endsAt)
      const shares = allocate([...own.values()] as Units[], asTerms(terms))
      const got = told!.of('presale.allocated')
      assert.deepEqual(
        got.map((one) => one.allocated),
        shares,
      )
      for (const [n, sum] of [...own.values()].entries()) {
        assert.equal(got[n]!.cost, costOf(shares[n]!, asTerms(terms).price))
        assert.equal(got[n]!.cost + got[n]!.refunded, sum)
      }
      presale.ticks(endsAt + 40 * dayMs)
      for (const [n, name] of [...own.keys()].entries()) assert.deepEqual(presale.units(name, token), [shares[n], 0])
      presale.world.isReplayable()
    }),
    { numRuns: 25 },
  )
})
