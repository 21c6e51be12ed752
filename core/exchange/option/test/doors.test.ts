/** Who and what Second admits, in which order it decides, and what it counts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketTerms, perpTerms } from '../../perp/test/world.ts'
import { World, given as givenSpot } from '../../test/world.ts'
import { firstTerms, given, start, units, unlimited } from './world.ts'

test('OPTION-ADMIT-002: a user who only set limits, or did nothing yet, is not admitted', () => {
  const world = given()
  const bob = world.trader('alice') && world.world.user('bob')
  world.world.gives('bob', 'USDT', '100')
  world.do({ type: 'funds.transfer', user: bob, clientId: '', asset: 1, from: 'spot', to: 'option', amount: units(100) }).isAccepted()
  world.do({ type: 'user.certify', user: bob, isCertified: true }).isAccepted()
  world.open('bob', 'up', { guardPpm: 500 }).isRefused('NOT_ADMITTED')
  world.do({ type: 'option.setLimits', user: bob, lossMax: units(50), coolOffUntil: 0 }).isAccepted()
  assert.equal(world.world.exchange.optionMe(bob).isAdmitted, false)
  world.open('bob', 'up').isRefused('NOT_ADMITTED')
  const told = world.do({ type: 'option.admit', user: bob }).isAccepted()
  assert.deepEqual(
    told.of('option.admitted').map(({ user }) => user),
    [bob],
  )
})

test('OPTION-REFUSE-001: Second is not offered on Futures markets', () => {
  const world = given()
  world.trader('alice')
  const contract = { symbol: 'BTCUSDTPERP', base: 2, quote: 1, tick: '1', lot: '0.001', terms: marketTerms, perp: perpTerms }
  world.do({ type: 'perp.list', ...contract }).isAccepted()
  world.open('alice', 'up', { market: 4 }).isRefused('MARKET_UNKNOWN')
  assert.deepEqual(
    world.world.exchange.optionTerms().markets.map(({ market }) => market as number),
    [1, 3],
  )
})

test('OPTION-HOUSE-001: before its first terms Second has no fund and tells nothing, and closed terms open nothing', () => {
  assert.equal(new World().exchange.optionTerms().fund, 0)
  const world = givenSpot()
  assert.deepEqual(world.index(60_000).isAccepted().of('option.house'), [])
  assert.deepEqual(world.exchange.optionTerms().markets, [{ market: 1, isPaused: false }])
  const told = world.do({ type: 'option.setTerms', terms: { ...firstTerms, isOpen: false } }).isAccepted()
  assert.deepEqual(told.of('option.house'), [])
})

test('OPTION-SETTLE-005: orders are struck and settled by their own times, not by their numbers', () => {
  const world = given({ strikeDelayMs: 20_000 })
  world.trader('alice')
  const late = world.open('alice', 'up', { seconds: 60 }).isAccepted().order
  world.do({ type: 'option.setTerms', terms: firstTerms }).isAccepted()
  const early = world.open('alice', 'up').isAccepted().order
  world.run(1_500, () => 60_000)
  assert.deepEqual([...world.struck.keys()], [early])
  world.run(30_000, () => 60_001)
  assert.deepEqual([...world.struck.keys()], [early, late])
  world.isSettled(early, 'win 60001').isSettled(late, 'open')
  world.run(48_500, () => 60_002)
  world.isSettled(late, 'win 60002')
  assert.equal(world.settled.get(late)!.at, start + 80_000)
})

test('OPTION-GUARD-002: an order without a guard that is void before its strike frees no guard', () => {
  const world = given({ guardVoidsFree: 1, guardVoidsPpm: 0 })
  world.trader('alice')
  const { order } = world.open('alice', 'up').isAccepted()
  world.silence(4_501)
  world.isSettled(order, 'void gap')
  world.tick({ 1: 60_000 })
  const isSpent = (): boolean => world.world.exchange.optionMe(world.world.user('alice')).isGuardSpent
  assert.equal(isSpent(), false)
  world.open('alice', 'up', { guardPpm: 500 }).isAccepted()
  assert.equal(isSpent(), true)
  world.open('alice', 'up', { guardPpm: 500 }).isRefused('GUARD_LIMIT')
})

test('OPTION-EXPOSURE-003: beyond every share, an order that does not raise a worst case is still accepted', () => {
  const world = given({ ...unlimited, stakeMax: units(3_000), openMax: units(1_000_000) })
  world.trader('alice', 20_000)
  world.open('alice', 'up', { stake: 1_000 }).isAccepted()
  const none = { marketExposurePpm: 0, totalExposurePpm: 0 }
  const terms = { ...firstTerms, ...unlimited, stakeMax: units(3_000), openMax: units(1_000_000) }
  world.do({ type: 'option.setTerms', terms: { ...terms, ...none } }).isAccepted()
  // A rise costs 800. Down orders of 2,250 make a fall cost 1,800 less the stake of 1,000: 800 too.
  world.open('alice', 'down', { stake: 2_250.000002 }).isRefused('EXPOSURE_LIMIT')
  world.open('alice', 'down', { stake: 2_250 }).isAccepted()

  const groups = given({ ...unlimited, groupPpm: 0 })
  groups.trader('bob', 20_000)
  groups.open('bob', 'up', { stake: 1_000, market: 3 }).isAccepted()
  groups.do({ type: 'option.setTerms', terms: { ...firstTerms, ...unlimited, groupPpm: 0, groupExposurePpm: 0 } }).isAccepted()
  // Without a share of the other markets, the group costs as much as its dearest market: 800.
  groups.open('bob', 'up', { stake: 5, market: 3 }).isRefused('EXPOSURE_GROUP_LIMIT')
  groups.open('bob', 'up', { stake: 1_000 }).isAccepted()
  groups.open('bob', 'up', { stake: 5 }).isRefused('EXPOSURE_GROUP_LIMIT')
})

test('OPTION-LIMITS-003: no limit instead of no limit waits for nothing', () => {
  const world = given()
  const user = world.trader('alice')
  const [told] = world.do({ type: 'option.setLimits', user, lossMax: 0, coolOffUntil: 0 }).isAccepted().of('option.limits')
  assert.deepEqual([told!.lossMax, told!.nextLossMax, told!.nextAt], [0, 0, 0])
})
