import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Refusal } from '../../../protocol/refusal.ts'
import { refusals } from '../../../protocol/refusal.ts'
import { Exchange } from '../../exchange.ts'
import { firstTerms, given, start, units, unlimited, usdt } from './world.ts'
import type { OptionWorld } from './world.ts'

const dayMs = 86_400_000

test('OPTION-REFUSE-001: each fault of a request has its own refusal, and a refused request holds no money', () => {
  const cases: readonly (readonly [Refusal, (world: OptionWorld) => void, object?])[] = [
    ['FIELD_INVALID', () => undefined, { guardPpm: 1_000_001 }],
    ['FIELD_INVALID', () => undefined, { guardPpm: -1 }],
    ['USER_FROZEN', (world) => world.do({ type: 'user.set', user: world.world.user('alice'), isFrozen: true })],
    ['MARKET_UNKNOWN', () => undefined, { market: 2 }],
    ['MARKET_UNKNOWN', () => undefined, { market: 77 }],
    ['MARKET_HALTED', (world) => world.do({ type: 'market.set', market: 1, terms: { ...marketTerms, isTrading: false } })],
    ['AMOUNT_NOT_POSITIVE', () => undefined, { stake: 0 }],
    ['AMOUNT_NOT_POSITIVE', () => undefined, { stake: -10 }],
    ['INSUFFICIENT_BALANCE', () => undefined, { stake: 500.000001 }],
    ['NOT_CERTIFIED', (world) => world.do({ type: 'user.certify', user: world.world.user('alice'), isCertified: false })],
    ['PRODUCT_CLOSED', (world) => world.do({ type: 'option.setTerms', terms: { ...firstTerms, isOpen: false } })],
    ['NO_INDEX_PRICE', (world) => world.tick({ 1: 60_000 }, { isGood: false, sources: 2 })],
    ['NO_INDEX_PRICE', (world) => world.silence(3001)],
    ['DURATION_UNKNOWN', () => undefined, { seconds: 31 }],
    ['STAKE_TOO_SMALL', () => undefined, { stake: 4.999999 }],
    ['STAKE_TOO_LARGE', (world) => world.do({ type: 'option.setTerms', terms: { ...firstTerms, stakeMax: units(9) } })],
    [
      'STAKES_OPEN_LIMIT',
      (world) => world.do({ type: 'option.setTerms', terms: { ...firstTerms, stakeMax: units(100), openMax: units(100) } }),
      { stake: 100 },
    ],
    ['EXPOSURE_LIMIT', (world) => world.do({ type: 'option.setTerms', terms: { ...firstTerms, marketExposurePpm: 0 } })],
    ['EXPOSURE_LIMIT', (world) => world.do({ type: 'option.setTerms', terms: { ...firstTerms, totalExposurePpm: 0 } })],
    ['LOSS_LIMIT', (world) => limit(world, 19)],
    ['COOLING_OFF', (world) => limit(world, 0, start + 3_600_000)],
  ]
  for (const [refusal, prepare, more = {}] of cases) {
    const world = given()
    world.trader('alice', 500)
    if (refusal === 'STAKES_OPEN_LIMIT') world.open('alice', 'up', { stake: 10 })
    prepare(world)
    const before = world.balance('alice')
    world.open('alice', 'up', more).isRefused(refusal)
    assert.equal(world.balance('alice'), before)
  }
  const stranger = given()
  stranger.trader('alice')
  stranger.world.gives('bob', 'USDT', '100')
  const bob = stranger.world.user('bob')
  stranger.do({ type: 'funds.transfer', user: bob, clientId: '', asset: 1, from: 'spot', to: 'option', amount: units(100) })
  stranger.do({ type: 'user.certify', user: bob, isCertified: true })
  stranger.open('bob', 'up').isRefused('NOT_ADMITTED')
})

function limit(world: OptionWorld, lossMax: number, coolOffUntil = 0): void {
  if (lossMax > 0) world.open('alice', 'up').isAccepted()
  const user = world.world.user('alice')
  world.do({ type: 'option.setLimits', user, lossMax: units(lossMax), coolOffUntil }).isAccepted()
}

const marketTerms = {
  makerFeePpm: 1000,
  takerFeePpm: 1000,
  notionalMin: 5_000_000,
  lotsMin: 1,
  lotsMax: 1_000_000_000,
  bandPpm: 200_000,
  slippagePpm: 50_000,
  openOrdersMax: 200,
  isTrading: true,
}

test('OPTION-REFUSE-002: when several refusals apply, the earliest of the catalogue is given', () => {
  const order = Object.keys(refusals)
  const world = given({ isOpen: false })
  const said: string[] = []
  const user = world.world.user('alice')
  const attempt = (change: object = {}): void => {
    const { outcome } = world.do({
      ...{ type: 'option.open', user, clientId: '', market: 2, direction: 'up', stake: -1, seconds: 1, guardPpm: -1 },
      ...change,
    })
    said.push(outcome.refusal!)
  }
  world.do({ type: 'user.set', user, isFrozen: true })
  world.world.atMs += 60_000
  attempt()
  attempt({ guardPpm: 0 })
  world.do({ type: 'user.set', user, isFrozen: false })
  const rest: Record<string, unknown> = { guardPpm: 0, market: 1 }
  attempt({ guardPpm: 0 })
  attempt(rest)
  attempt({ ...rest, stake: 1 })
  world.world.gives('alice', 'USDT', '2000')
  world.do({ type: 'funds.transfer', user, clientId: '', asset: 1, from: 'spot', to: 'option', amount: units(2000) })
  attempt({ ...rest, stake: 1 })
  world.do({ type: 'user.certify', user, isCertified: true })
  attempt({ ...rest, stake: 1 })
  world.do({ type: 'option.setTerms', terms: { ...firstTerms, marketExposurePpm: 0, openMax: units(1000) } })
  attempt({ ...rest, stake: 1 })
  world.tick({ 1: 60_000 })
  attempt({ ...rest, stake: 1 })
  attempt({ ...rest, stake: 1, seconds: 30 })
  attempt({ ...rest, stake: units(1001), seconds: 30 })
  attempt({ ...rest, stake: units(1000), seconds: 30 })
  assert.deepEqual(said, [
    ...['FIELD_INVALID', 'USER_FROZEN', 'MARKET_UNKNOWN', 'AMOUNT_NOT_POSITIVE', 'INSUFFICIENT_BALANCE', 'NOT_CERTIFIED'],
    ...['PRODUCT_CLOSED', 'NO_INDEX_PRICE', 'DURATION_UNKNOWN', 'STAKE_TOO_SMALL', 'STAKE_TOO_LARGE', 'EXPOSURE_LIMIT'],
  ])
  assert.deepEqual(
    said.map((name) => order.indexOf(name)),
    said.map((name) => order.indexOf(name)).toSorted((a, b) => a - b),
  )
})

test('OPTION-EXPOSURE-002: a market’s worst case stays within its share of the fund; orders in the other direction are accepted', () => {
  // 3 % of 200,000 is 6,000; an order of 1,000 at 80 % adds 800 to one direction.
  const world = given({ openMax: units(1_000_000), sideMax: units(1_000_000), groupExposurePpm: 1_000_000 }, 200_000)
  world.trader('alice', 20_000)
  for (let n = 0; n < 7; n++) world.open('alice', 'up', { stake: 1000 }).isAccepted()
  world.open('alice', 'up', { stake: 500.000002 }).isRefused('EXPOSURE_LIMIT')
  world.open('alice', 'up', { stake: 500 }).isAccepted()
  world.open('alice', 'up', { stake: 5 }).isRefused('EXPOSURE_LIMIT')
  world.open('alice', 'down', { stake: 1000 }).isAccepted()
  world.open('alice', 'up', { stake: 1000 }).isAccepted()
  world.open('alice', 'up', { market: 3 }).isAccepted()
})

test('OPTION-EXPOSURE-003: all markets together stay within their share, and an order that reduces a worst case is always accepted', () => {
  const world = given(
    { openMax: units(1_000_000), sideMax: units(1_000_000), totalExposurePpm: 40_000, groupExposurePpm: 1_000_000 },
    200_000,
  )
  world.trader('alice', 40_000)
  for (let n = 0; n < 7; n++) world.open('alice', 'up', { stake: 1000 }).isAccepted()
  for (let n = 0; n < 3; n++) world.open('alice', 'up', { stake: 1000, market: 3 }).isAccepted()
  world.open('alice', 'up', { stake: 5, market: 3 }).isRefused('EXPOSURE_LIMIT')
  world.do({
    type: 'option.setTerms',
    terms: { ...firstTerms, openMax: units(1_000_000), sideMax: units(1_000_000), totalExposurePpm: 0, marketExposurePpm: 0 },
  })
  world.open('alice', 'down', { stake: 1000, market: 3 }).isAccepted()
  world.open('alice', 'up', { stake: 5, market: 3 }).isRefused('EXPOSURE_LIMIT')
})

test('OPTION-EXPOSURE-004: the house holds every possible profit, so that it can always pay', () => {
  const shares = { ...unlimited, houseFloor: 0, openMax: units(1_000_000) }
  const world = given(shares, 1000)
  world.trader('alice', 10_000)
  world.open('alice', 'up', { stake: 1000 }).isAccepted()
  world.open('alice', 'down', { stake: 1000 }).isRefused('EXPOSURE_LIMIT')
  world.open('alice', 'down', { stake: 250 }).isAccepted()
  assert.equal(world.balance('option-house'), '0+1000')
  world.open('alice', 'down', { stake: 5 }).isRefused('EXPOSURE_LIMIT')
  world.run(1500, () => 60_000).run(30_000, () => 61_000)
  assert.deepEqual([world.balance('alice'), world.balance('option-house')], ['10550+0', '450+0'])
})

test('OPTION-HOUSE-001: Second closes by itself when the fund is below its floor, and reopens when the fund is above it', () => {
  const world = given({ houseFloor: units(100_000) }, 100_500)
  world.trader('alice', 1000)
  const { order } = world.open('alice', 'up', { stake: 700 }).isAccepted()
  world.run(1500, () => 60_000)
  const told: string[] = []
  for (let ms = 0; ms < 30_000; ms += 250) {
    world.world.atMs += 250
    for (const { isOpen, fund } of world.tick({ 1: 60_100 }).of('option.house')) told.push(`${isOpen} ${fund / 1e6}`)
  }
  world.isSettled(order, 'win 60100')
  assert.deepEqual(told, ['false 99940'])
  world.open('alice', 'up').isRefused('PRODUCT_CLOSED')
  world.do({ type: 'funds.system', account: 'option-house', asset: 1, amount: units(60) }).isAccepted()
  world.world.atMs += 250
  assert.deepEqual(world.tick().of('option.house'), [{ type: 'option.house', isOpen: true, fund: units(100_000) }])
  world.open('alice', 'up').isAccepted()
  world.world.isReplayable()
})

test('OPTION-TERMS-002: an order keeps the terms under which it was opened', () => {
  const world = given()
  world.trader('alice', 1000)
  const { order } = world.open('alice', 'up', { seconds: 30 }).isAccepted()
  const changed = { ...firstTerms, isOpen: false, rates: [{ seconds: 300, profitPpm: 10_000 }], windowMaxMs: 1, strikeDelayMs: 60_000 }
  const [told] = world.do({ type: 'option.setTerms', terms: changed }).isAccepted().of('option.terms')
  assert.deepEqual(told!.terms, changed)
  world.run(1500, () => 60_000).run(30_000, (ms) => (ms < 28_400 ? 60_001 : 50_000))
  world.isSettled(order, 'lose 50000')
  const other = given()
  other.trader('alice', 1000)
  const kept = other.open('alice', 'up', { seconds: 30 }).isAccepted().order
  other.run(1500, () => 60_000).run(30_000, (ms) => (ms < 28_600 ? 60_001 : 50_000))
  other.isSettled(kept, 'win 60001')
  assert.equal(other.settled.get(kept)!.payout, units(18))
})

test('OPTION-TERMS-003: terms under which an order could not be decided are refused', () => {
  const world = given()
  const bad: readonly object[] = [
    { rates: [] },
    { rates: Array.from({ length: 21 }, (_, i) => ({ seconds: 30 + i, profitPpm: 1 })) },
    { rates: [{ seconds: 30, profitPpm: 0 }] },
    { rates: [{ seconds: 30, profitPpm: 1_000_001 }] },
    { rates: [{ seconds: 0, profitPpm: 1 }] },
    { rates: [{ seconds: 86_401, profitPpm: 1 }] },
    {
      rates: [
        { seconds: 60, profitPpm: 1 },
        { seconds: 60, profitPpm: 1 },
      ],
    },
    {
      rates: [
        { seconds: 60, profitPpm: 1 },
        { seconds: 30, profitPpm: 1 },
      ],
    },
    { stakeMin: 0 },
    { stakeMin: units(1001) },
    { openMax: units(999) },
    { openMax: 2 ** 50 + 1 },
    { strikeDelayMs: 0 },
    { strikeDelayMs: 60_001 },
    { windowPpm: 0 },
    { windowPpm: 1_000_001 },
    { windowMaxMs: 0 },
    { windowMaxMs: 60_001 },
    { gapMaxMs: 0 },
    { gapMaxMs: 27_000 },
    { windowPpm: 1_000_000, windowMaxMs: 27_000 },
    { marketExposurePpm: -1 },
    { totalExposurePpm: 1_000_001 },
    { houseFloor: -1 },
    { limitWaitMs: -1 },
    { limitWaitMs: 30 * dayMs + 1 },
  ]
  for (const change of bad) world.do({ type: 'option.setTerms', terms: { ...firstTerms, ...change } }).isRefused('FIELD_INVALID')
  world.do({ type: 'option.setTerms', terms: { ...firstTerms, gapMaxMs: 26_999 } }).isAccepted()
})

test('OPTION-LIMITS-002: a UTC day’s losses less gains, with open stakes counted as lost, never exceed the limit', () => {
  const world = given()
  world.world.atMs = Math.ceil(start / dayMs) * dayMs + dayMs / 2
  world.tick({ 1: 60_000 })
  const user = world.trader('alice', 1000)
  world.do({ type: 'option.setLimits', user, lossMax: units(30), coolOffUntil: 0 }).isAccepted()
  const play = (direction: 'up' | 'down', stake: number): void => {
    world.open('alice', direction, { stake }).isAccepted()
    world.run(1500, () => 60_000).run(30_000, (ms) => (ms < 25_000 ? 60_000 : 60_010))
    world.tick({ 1: 60_000 })
  }
  play('down', 20)
  world.open('alice', 'up', { stake: 10.000001 }).isRefused('LOSS_LIMIT')
  play('up', 10)
  // After a loss of 20 and a gain of 8, the customer may lose 18 more.
  world.open('alice', 'up', { stake: 18.000001 }).isRefused('LOSS_LIMIT')
  play('down', 18)
  world.open('alice', 'up', { stake: 5 }).isRefused('LOSS_LIMIT')
  assert.equal(world.world.exchange.optionMe(user).loss, units(30))
  world.world.atMs = (Math.floor(world.atMs / dayMs) + 1) * dayMs - 1
  world.tick({ 1: 60_000 })
  world.open('alice', 'up', { stake: 5 }).isRefused('LOSS_LIMIT')
  world.world.atMs += 1
  world.tick({ 1: 60_000 })
  assert.equal(world.world.exchange.optionMe(user).loss, 0)
  world.open('alice', 'up', { stake: 30 }).isAccepted()
})

test('OPTION-LIMITS-003: a limit is lowered at once, raised or removed after the wait, and a waiting change can be withdrawn', () => {
  const world = given()
  const user = world.trader('alice', 1000)
  const set = (lossMax: number): object => {
    const [told] = world
      .do({ type: 'option.setLimits', user, lossMax: units(lossMax), coolOffUntil: 0 })
      .isAccepted()
      .of('option.limits')
    const { lossMax: now, nextLossMax, nextAt } = told!
    return [now / 1e6, nextLossMax / 1e6, nextAt === 0 ? 0 : nextAt - world.atMs]
  }
  const holds = (): number => world.world.exchange.optionMe(user).lossMax / 1e6
  assert.deepEqual(set(100), [100, 100, 0])
  assert.deepEqual(set(50), [50, 50, 0])
  assert.deepEqual(set(80), [50, 80, dayMs])
  world.silence(dayMs - 1)
  assert.equal(holds(), 50)
  world.silence(1)
  world.tick({ 1: 60_000 })
  assert.equal(holds(), 80)
  assert.deepEqual(set(0), [80, 0, dayMs])
  assert.deepEqual(set(80), [80, 80, 0])
  world.silence(2 * dayMs)
  assert.equal(holds(), 80)
  assert.deepEqual(set(0), [80, 0, dayMs])
  world.silence(dayMs)
  assert.equal(holds(), 80, 'no command has come since')
  world.tick()
  assert.equal(holds(), 0)
  world.do({ type: 'option.setLimits', user, lossMax: -1, coolOffUntil: 0 }).isRefused('LIMIT_INVALID')
})

test('OPTION-LIMITS-004: a pause can be extended but not shortened, and running orders are settled during it', () => {
  const world = given()
  const user = world.trader('alice', 1000)
  const { order } = world.open('alice', 'up').isAccepted()
  const pause = (until: number) => world.do({ type: 'option.setLimits', user, lossMax: 0, coolOffUntil: until })
  pause(world.atMs).isRefused('LIMIT_INVALID')
  pause(world.atMs + 367 * dayMs).isRefused('LIMIT_INVALID')
  pause(world.atMs + 60_000).isAccepted()
  pause(world.atMs + 59_999).isRefused('LIMIT_INVALID')
  pause(0).isAccepted()
  world.run(31_500, () => 60_000)
  world.isSettled(order, 'tie 60000')
  world.open('alice', 'up').isRefused('COOLING_OFF')
  world.run(28_500, () => 60_000)
  world.open('alice', 'up').isAccepted()
})

test('OPTION-ADMIT-002: an admission is permanent, and a second one changes nothing', () => {
  const world = given()
  const user = world.trader('alice')
  assert.equal(world.do({ type: 'option.admit', user }).isAccepted().events.length, 1)
  world.world.exchange = Exchange.restore(world.world.exchange.dump())
  assert.equal(world.world.exchange.optionMe(user).isAdmitted, true)
})

test('OPTION-OPEN-003: the holds are exactly the stakes and possible profits of open orders, and can’t be moved out', () => {
  const world = given()
  const user = world.trader('alice', 100)
  world.open('alice', 'up', { stake: 33.333333, seconds: 900 }).isAccepted()
  world.open('alice', 'down', { stake: 10, seconds: 60 }).isAccepted()
  assert.equal(world.balance('alice'), '56.666667+43.333333')
  assert.equal(world.balance('option-house'), `${(1_000_000_000_000 - 29_333_333 - 8_200_000) / 1e6}+${(29_333_333 + 8_200_000) / 1e6}`)
  const move = { type: 'funds.transfer', user, clientId: '', asset: 1, from: 'option', to: 'spot' }
  assert.notEqual(world.do({ ...move, amount: units(56.666668) }).outcome.refusal, undefined)
  world.do({ ...move, amount: units(56.666667) }).isAccepted()
  const open = world.world.exchange.openOptions(user)
  assert.deepEqual(
    open.map(({ stake, profit, reference }) => [stake, profit, reference]),
    [
      [33_333_333, 29_333_333, usdt(60_000)],
      [10_000_000, 8_200_000, usdt(60_000)],
    ],
  )
})
