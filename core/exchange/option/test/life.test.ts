import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from '../../exchange.ts'
import { firstTerms, given, start, usdt } from './world.ts'

test('OPTION-OPEN-001: an accepted order holds its stake and its possible profit, and fixes all terms that decide it', () => {
  const world = given()
  world.trader('alice', 100)
  world.world.atMs += 100
  const told = world.open('alice', 'up', { stake: 12.34, seconds: 120, guardPpm: 500, clientId: 'a1' }).isAccepted()
  const [opened] = told.of('option.opened')
  const { user: _, ...rest } = opened!
  assert.deepEqual(rest, {
    type: 'option.opened',
    order: told.order,
    clientId: 'a1',
    market: 1,
    direction: 'up',
    stake: 12_340_000,
    profitPpm: 840_000,
    profit: 10_365_600,
    acceptedAt: start + 100,
    strikeFrom: start + 1600,
    expiresAt: start + 121_600,
    windowMs: 5000,
    gapMaxMs: 3000,
    guardPpm: 500,
    reference: usdt(60_000),
  })
  assert.equal(world.balance('alice'), '87.66+12.34')
  assert.equal(world.balance('option-house'), '999989.6344+10.3656')
  world.world.isReplayable()
})

test('OPTION-STRIKE-001: the strike is the price at the first tick stamped at least the delay after acceptance, whatever the price before', () => {
  const world = given()
  world.trader('alice')
  const { order } = world.open('alice', 'up')
  world.world.atMs += 1499
  assert.deepEqual(world.tick({ 1: 61_000 }).of('option.struck'), [])
  world.world.atMs += 1
  const [struck] = world.tick({ 1: 62_000 }).of('option.struck')
  assert.deepEqual([struck!.order, struck!.strike, struck!.at, struck!.tick], [order, usdt(62_000), start + 1500, 3])
})

test('OPTION-STRIKE-002: at a tick without a change, the strike is the last price', () => {
  const world = given()
  world.trader('alice')
  world.open('alice', 'up')
  world.world.atMs += 1600
  const [struck] = world.tick().of('option.struck')
  assert.deepEqual([struck!.strike, struck!.at], [usdt(60_000), start + 1600])
})

test('OPTION-SETTLE-001: Up wins above its strike, Down below it, and the house pays the profit', () => {
  const world = given()
  world.trader('alice', 100)
  world.trader('bob', 100)
  const up = world.open('alice', 'up').order
  const down = world.open('bob', 'down').order
  world.run(1500, () => 60_000).run(30_000, () => 60_010)
  world.isSettled(up, 'win 60010').isSettled(down, 'lose 60010')
  assert.deepEqual([world.balance('alice'), world.balance('bob'), world.balance('option-house')], ['108+0', '90+0', '1000002+0'])
  assert.equal(world.settled.get(up)!.payout, 18_000_000)
  assert.equal(world.settled.get(down)!.payout, 0)
  world.world.isReplayable()
})

test('OPTION-SETTLE-002: an equal price refunds the stake in either direction', () => {
  const world = given()
  world.trader('alice', 100)
  world.trader('bob', 100)
  const up = world.open('alice', 'up').order
  const down = world.open('bob', 'down').order
  world.run(31_500, (ms) => (ms > 10_000 && ms < 20_000 ? 61_000 : 60_000))
  world.isSettled(up, 'tie 60000').isSettled(down, 'tie 60000')
  assert.deepEqual([world.balance('alice'), world.balance('bob'), world.balance('option-house')], ['100+0', '100+0', '1000000+0'])
  assert.equal(world.settled.get(up)!.payout, 10_000_000)
})

test('OPTION-SETTLE-003: an order settles at the first tick at or after expiry, and that tick’s own price does not count', () => {
  const world = given()
  world.trader('alice', 100)
  const { order } = world.open('alice', 'up')
  world.run(31_499, () => 60_000, 251)
  assert.equal(world.settled.size, 0)
  world.world.atMs = start + 31_500
  world.tick({ 1: 70_000 })
  world.isSettled(order, 'tie 60000')
  assert.equal(world.settled.get(order)!.at, start + 31_500)
})

test('OPTION-SETTLE-004: the settlement price is the lower weighted median of the window', () => {
  // The window of an order of 30 s is 3 s: [28,500, 31,500) ms after acceptance.
  const cases: readonly (readonly [(ms: number) => number, number])[] = [
    [(ms) => (ms < 30_000 ? 60_001 : 60_005), 60_001],
    [(ms) => (ms < 29_900 ? 60_001 : 60_005), 60_005],
    [(ms) => (ms < 30_000 ? 60_005 : 60_001), 60_001],
    [(ms) => (ms < 28_500 ? 99_000 : ms < 29_500 ? 60_003 : ms < 30_500 ? 60_002 : 60_001), 60_002],
    [(ms) => (ms < 31_300 ? 60_002 : 1), 60_002],
  ]
  for (const [price, expected] of cases) {
    const world = given()
    world.trader('alice', 100)
    const { order } = world.open('alice', 'up')
    world.run(31_500, (ms) => (ms <= 1500 ? 60_000 : price(ms)), 100)
    world.isSettled(order, `win ${expected}`)
  }
})

test('OPTION-VOID-001: an order is void when its strike comes later than the longest gap', () => {
  const world = given()
  world.trader('alice', 100)
  const { order } = world.open('alice', 'up')
  world.silence(4500)
  assert.equal(world.settled.size, 0, 'a tick in this millisecond would be in time')
  world.silence(1)
  world.isSettled(order, 'void gap')
  assert.deepEqual([world.balance('alice'), world.balance('option-house')], ['100+0', '1000000+0'])

  const late = given()
  late.trader('alice', 100)
  const inTime = late.open('alice', 'up').order
  late.world.atMs += 4500
  assert.equal(late.tick({ 1: 60_000 }).of('option.struck')[0]!.order, inTime)
})

test('OPTION-VOID-002: an order is void when the index is not good at its strike', () => {
  const world = given()
  world.trader('alice', 100)
  const { order } = world.open('alice', 'up')
  world.world.atMs += 1500
  const told = world.tick({ 1: 60_000 }, { isGood: false, sources: 2 })
  world.isSettled(order, 'void sources')
  assert.deepEqual(told.of('option.struck'), [])
})

test('OPTION-VOID-003: a strike outside the guard voids the order, a strike at its limit does not', () => {
  for (const [price, expected] of [
    [60_030, 'open'],
    [59_970, 'open'],
    [60_031, 'void guard'],
    [59_969, 'void guard'],
  ] as const) {
    const world = given()
    world.trader('alice', 100)
    const { order } = world.open('alice', 'up', { guardPpm: 500 })
    world.world.atMs += 1500
    const told = world.tick({ 1: price })
    world.isSettled(order, expected)
    assert.equal(told.of('option.struck')[0]!.strike, usdt(price), 'what the guard refused is in the record')
  }
})

test('OPTION-VOID-004: a silence longer than the gap voids the order if it touches the window, and not if it ends before', () => {
  const at = (from: number, gapMs: number): string => {
    const world = given()
    world.trader('alice', 100)
    const { order } = world.open('alice', 'up')
    world.run(from, () => 60_000)
    world.silence(gapMs - 250)
    world.run(40_250 - from - gapMs, () => 60_000)
    world.isSettled(order, world.settled.get(order)?.result === 'void' ? 'void gap' : 'tie 60000')
    return world.settled.get(order)!.result
  }
  assert.equal(at(20_000, 8000), 'tie', 'over before the window of 28.5 s to 31.5 s opens')
  assert.equal(at(20_000, 8500), 'tie', 'a tick just as it opens')
  assert.equal(at(20_000, 8750), 'void')
  assert.equal(at(28_750, 3000), 'tie', 'as long as allowed')
  assert.equal(at(28_750, 3001), 'void')
  assert.equal(at(31_250, 3001), 'void', 'it ends after expiry, but touches the window')
  assert.equal(at(31_250, 2900), 'tie')
  assert.equal(at(31_500, 9000), 'tie', 'settled before it')
})

test('OPTION-VOID-005: without a tick after expiry, the clock voids the order when the gap is over', () => {
  const world = given()
  world.trader('alice', 100)
  const { order } = world.open('alice', 'up')
  world.run(31_250, () => 60_000)
  assert.equal(world.world.exchange.nextDueAtMs, start + 34_500)
  world.silence(3249)
  assert.equal(world.settled.size, 0)
  world.silence(1)
  world.isSettled(order, 'void gap')
  assert.equal(world.world.exchange.nextDueAtMs, Infinity)
})

test('OPTION-VOID-007: each order waits for its own gap, whatever gap the orders before it have', () => {
  const opened = (isStruck: boolean) => {
    const world = given({ gapMaxMs: 5000 })
    world.trader('alice', 100)
    const patient = world.open('alice', 'up').isAccepted().order
    world.do({ type: 'option.setTerms', terms: { ...firstTerms, gapMaxMs: 800 } }).isAccepted()
    world.world.atMs += 100
    const hasty = world.open('alice', 'down').isAccepted().order
    world.do({ type: 'option.setTerms', terms: { ...firstTerms, gapMaxMs: 2000 } }).isAccepted()
    if (isStruck) world.run(31_150, () => 60_000)
    return { world, patient, hasty }
  }
  for (const isRestored of [false, true]) {
    const ends = [
      { isStruck: false, hastyAt: start + 100 + 1500 + 800 + 1, patientAt: start + 1500 + 5000 + 1 },
      { isStruck: true, hastyAt: start + 100 + 31_500 + 800, patientAt: start + 31_500 + 5000 },
    ]
    for (const { isStruck, hastyAt, patientAt } of ends) {
      const { world, patient, hasty } = opened(isStruck)
      if (isRestored) world.world.exchange = Exchange.restore(world.world.exchange.dump())
      assert.equal(world.world.exchange.nextDueAtMs, hastyAt)
      world.silence(10_000)
      world.isSettled(hasty, 'void gap').isSettled(patient, 'void gap')
      assert.deepEqual([world.settled.get(hasty)!.at, world.settled.get(patient)!.at], [hastyAt, patientAt])
      assert.equal(world.world.exchange.nextDueAtMs, Infinity)
      assert.equal(world.balance('option-house'), '1000000+0')
      world.world.isReplayable()
    }
  }
})

test('OPTION-VOID-007: an order with a long gap gets its strike and settles after an order with a short gap became void', () => {
  const world = given({ gapMaxMs: 5000 })
  world.trader('alice', 100)
  const patient = world.open('alice', 'up').isAccepted().order
  world.do({ type: 'option.setTerms', terms: { ...firstTerms, gapMaxMs: 800 } }).isAccepted()
  const hasty = world.open('alice', 'up').isAccepted().order
  world.silence(4000)
  world.isSettled(hasty, 'void gap').isSettled(patient, 'open')
  assert.equal(world.tick({ 1: 60_001 }).of('option.struck')[0]!.order, patient)
  world.run(27_500, () => 60_002)
  world.isSettled(patient, 'win 60002')
  world.world.isReplayable()
})

test('OPTION-VOID-006: an order is void when the index is not good at any time in the window', () => {
  const run = (from: number, ms: number): string => {
    const world = given()
    world.trader('alice', 100)
    const { order } = world.open('alice', 'up')
    world.run(from, () => 60_000)
    world.tick({ 1: 60_000 }, { isGood: false, sources: 2 })
    world.run(ms, () => undefined)
    world.tick({ 1: 60_000 })
    world.run(40_000 - from - ms, () => 60_000)
    const settled = world.settled.get(order)!
    return `${settled.result} ${settled.reason}`
  }
  assert.equal(run(20_000, 2000), 'tie none', 'good again before the window')
  assert.equal(run(27_000, 2000), 'void sources')
  assert.equal(run(30_000, 250), 'void sources')
  assert.equal(run(31_500, 250), 'tie none')
})

test('OPTION-SETTLE-005: orders that one command can’t settle are settled by the clock, at the same prices', () => {
  const world = given({ openMax: 10 ** 12 })
  world.trader('alice', 10_000)
  const orders = Array.from({ length: 150 }, () => world.open('alice', 'up', { stake: 5 }).isAccepted().order)
  world.run(1500, () => 60_000)
  const struck = new Set<number>()
  world.world.atMs = start + 1500
  for (let n = 0; n < 3 && world.world.exchange.nextDueAtMs <= world.world.atMs; n++) {
    for (const { order, strike } of world.do({ type: 'clock.tick' }).of('option.struck')) {
      struck.add(order)
      assert.equal(strike, usdt(60_000))
    }
  }
  assert.equal(struck.size, 86, '64 came with the tick')
  world.run(29_750, () => 60_001)
  world.world.atMs = start + 31_500
  assert.equal(world.tick({ 1: 1000 }).of('option.settled').length, 64)
  world.tick({ 1: 500 })
  world.do({ type: 'clock.tick' })
  for (const order of orders) world.isSettled(order, 'win 60001')
  const times = [...world.settled.keys()]
  assert.deepEqual(times, orders, 'in the order in which they were opened')
  world.world.isReplayable()
})

test('OPTION-OPEN-002: a repeat of the same request returns the same order, and another body under its id is refused', () => {
  const world = given()
  world.trader('alice', 100)
  const first = world.open('alice', 'up', { clientId: 'once' }).isAccepted()
  const again = world.open('alice', 'up', { clientId: 'once' })
  assert.deepEqual([again.order, again.outcome.isRepeat, again.events.length], [first.order, true, 1])
  world.open('alice', 'down', { clientId: 'once' }).isRefused('CLIENT_ID_REUSED')
  assert.equal(world.balance('alice'), '90+10')
})
