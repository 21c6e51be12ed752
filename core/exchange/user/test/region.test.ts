import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis } from '../../../money/brand.ts'
import { encodeCommand } from '../../../protocol/codec/command.ts'
import { decodeEvents } from '../../../protocol/codec/event.ts'
import { LOCATE_REGION } from '../../../protocol/codec/layout.ts'
import { Records } from '../../../protocol/codec/records.ts'
import { everywhere, type HomeNumber, homeNumber, homeWord, regionNumber } from '../../../protocol/codec/region.ts'
import type { MarketId, UserId } from '../../../protocol/ids.ts'
import { restoreState } from '../../dump.ts'
import { Exchange } from '../../exchange.ts'
import { btcusdt, free, open as givenMargin } from '../../margin/test/world.ts'
import { given as givenOption } from '../../option/test/world.ts'
import { givenPerp } from '../../perp/test/world.ts'
import { asProduction } from '../../test/production.ts'
import { Told, type World } from '../../test/world.ts'

const dayMs = 86_400_000
type Opening = {
  readonly region?: string
  readonly leverage?: boolean
  readonly second?: boolean
  readonly approver?: string
  readonly reason?: string
}

function operate(world: World, { region = '*', leverage = true, second = true, approver = 'olga', reason = 'licence 12' }: Opening) {
  const people = { proposer: 900, approver: approver === 'otto' ? 900 : 901, reason }
  return world.do({ type: 'region.operate', region, isLeverageOpen: leverage, isSecondOpen: second, ...people })
}

const locate = (world: World, name: string, region: string) =>
  world.do({ type: 'user.locate', user: world.user(name), region }).isAccepted()

test('USER-REGION-001: in production a user of a region where nothing was opened has a leverage of at most 2, in a sandbox more', () => {
  const perp = givenPerp({ alice: '10000', bob: '10000' })
  perp.index(100)
  perp.leverage('alice', 10).isAccepted()
  asProduction(perp.world)
  perp.leverage('bob', 3).isRefused('LEVERAGE_CEILING')
  perp.leverage('bob', 2).isAccepted()
  perp.buy('bob', 100, 100).isAccepted()
})

test('USER-REGION-002: a user whose leverage is above the ceiling keeps the position and can close it, but can’t enlarge it', () => {
  const perp = givenPerp({ alice: '10000', bob: '10000' })
  perp.index(100)
  for (const name of ['alice', 'bob']) perp.leverage(name, 10).isAccepted()
  perp.sell('bob', 100, 1000).isAccepted()
  perp.buy('alice', 100, 500).isAccepted()
  asProduction(perp.world)
  perp.buy('alice', 100, 100).isRefused('LEVERAGE_CEILING')
  perp.sell('alice', 101, 600).isRefused('LEVERAGE_CEILING')
  perp.sell('alice', 101, 500).isAccepted()
  perp.world.exchange = Exchange.restore(perp.world.exchange.dump())
  perp.buy('alice', 100, 100).isRefused('LEVERAGE_CEILING')
  operate(perp.world, {}).isAccepted()
  perp.world.atMs += 7 * dayMs
  perp.index(100)
  perp.buy('alice', 100, 100).isAccepted()
})

test('USER-REGION-003: for the first 7 days a customer has a leverage of at most 5, then as much as the market allows', () => {
  const perp = givenPerp({})
  asProduction(perp.world)
  operate(perp.world, {}).isAccepted()
  const user = perp.id('new')
  perp.do({ type: 'user.certify', user, isCertified: true }).isAccepted()
  perp.leverage('new', 6).isRefused('LEVERAGE_CEILING')
  perp.leverage('new', 5).isAccepted()
  perp.world.atMs += 7 * dayMs - 1
  perp.leverage('new', 6).isRefused('LEVERAGE_CEILING')
  perp.world.exchange = Exchange.restore(perp.world.exchange.dump())
  perp.world.atMs += 1
  perp.leverage('new', 10).isAccepted()
})

test('USER-REGION-004: an unknown region gets the strictest rules; a known one has its own row, or the row of all others', () => {
  const perp = givenPerp({ swiss: '100', french: '100', nobody: '100' })
  perp.world.atMs += 7 * dayMs
  asProduction(perp.world)
  locate(perp.world, 'swiss', 'CH')
  locate(perp.world, 'french', 'FR')
  perp.leverage('swiss', 3).isRefused('LEVERAGE_CEILING')
  operate(perp.world, { region: '*' }).isAccepted()
  for (const name of ['swiss', 'french', 'nobody']) perp.leverage(name, 3).isAccepted()
  operate(perp.world, { region: 'FR', leverage: false }).isAccepted()
  perp.leverage('swiss', 4).isAccepted()
  for (const name of ['french', 'nobody']) perp.leverage(name, 4).isRefused('LEVERAGE_CEILING')
  locate(perp.world, 'nobody', 'AT')
  perp.leverage('nobody', 4).isAccepted()
  locate(perp.world, 'nobody', '')
  perp.leverage('nobody', 5).isRefused('LEVERAGE_CEILING')
  perp.world.do({ type: 'user.locate', user: perp.id('nobody'), region: '*' }).isRefused('FIELD_INVALID')
  locate(perp.world, 'nobody', 'ZZ')
  perp.leverage('nobody', 5).isAccepted()
  perp.world.do({ type: 'user.locate', user: 9_999, region: 'CH' }).isRefused('USER_UNKNOWN')
  perp.world.exchange = Exchange.restore(perp.world.exchange.dump())
  perp.leverage('nobody', 6).isAccepted()
})

test('USER-REGION-004: slots with a number that no region has are refused, and the region stays', () => {
  const { world } = givenPerp({})
  const user = world.user('alice') as UserId
  locate(world, 'alice', 'CH')
  for (const number of [-1, everywhere, Number.NaN, 1024, 1 + 1024 * everywhere, 2 ** 30, 0.5]) {
    const [commands, events] = [new Records(), new Records()]
    const command = { type: 'user.locate', user, region: 'FR' } as const
    encodeCommand(command, { seq: world.exchange.seq + 1, at: world.atMs as Millis, keyId: 0 }, commands)
    commands.data[LOCATE_REGION] = number
    world.exchange.execute(commands.data, 0, events)
    assert.equal(new Told(decodeEvents(events.data, 0, events.length)).outcome.refusal, 'FIELD_INVALID')
    assert.equal(restoreState(world.exchange.dump()).facts.region(user), regionNumber('CH'))
  }
})

test('USER-REGION-011: what is closed in one of a user’s regions is closed to the user', () => {
  const perp = givenPerp({ both: '10000', french: '10000' })
  perp.index(100)
  asProduction(perp.world)
  locate(perp.world, 'both', 'CH+FR')
  locate(perp.world, 'french', 'FR')
  operate(perp.world, { region: 'FR' }).isAccepted()
  perp.leverage('french', 4).isAccepted()
  perp.leverage('both', 4).isRefused('LEVERAGE_CEILING')
  operate(perp.world, { region: 'CH' }).isAccepted()
  perp.leverage('both', 4).isAccepted()
  perp.world.exchange = Exchange.restore(perp.world.exchange.dump())
  operate(perp.world, { region: 'FR', leverage: false }).isAccepted()
  for (const name of ['french', 'both']) perp.leverage(name, 5).isRefused('LEVERAGE_CEILING')
  for (const home of ['', 'AA', 'ZZ', 'DE+FR', 'ZZ+AA+CH']) assert.equal(homeWord(homeNumber(home)), home)
  for (const home of ['DE+', '+', 'DE+FR+CH+AT', 'de', 'DEFR']) assert.throws(() => homeNumber(home))
  for (const number of [-1, 0.5, everywhere, 2 ** 30, 1024]) assert.throws(() => homeWord(number as HomeNumber))
})

test('USER-REGION-005: two people of the staff with a reason open a region; one alone can only close it', () => {
  const { world } = givenPerp({})
  const closed = { leverage: false, second: false }
  for (const reason of ['', ' ']) operate(world, { reason }).isRefused('FIELD_INVALID')
  operate(world, { region: '' }).isRefused('FIELD_INVALID')
  operate(world, { approver: 'otto' }).isRefused('FORBIDDEN')
  operate(world, { approver: 'otto', leverage: true, second: false }).isRefused('FORBIDDEN')
  operate(world, { approver: 'otto', ...closed }).isAccepted()
  operate(world, { approver: 'otto', leverage: false }).isRefused('FORBIDDEN')
  operate(world, {}).isAccepted()
  operate(world, { region: 'US', approver: 'otto', ...closed }).isAccepted()
  // Of what is open already, one operator may keep some.
  operate(world, { region: 'FR', approver: 'otto' }).isAccepted()
  operate(world, { region: 'FR', approver: 'otto', second: false }).isAccepted()
  operate(world, { region: 'FR', approver: 'otto' }).isRefused('FORBIDDEN')
  for (const [proposer, approver] of [
    [0, 2],
    [2, 0],
    [-1, -1],
  ]) {
    const command = { type: 'region.operate', region: '*', isLeverageOpen: false, isSecondOpen: false, proposer, approver, reason: 'why' }
    world.do(command).isRefused('FIELD_INVALID')
  }
  assert.deepEqual(world.exchange.regions(), [
    { region: 'FR', isLeverageOpen: true, isSecondOpen: false },
    { region: 'US', isLeverageOpen: false, isSecondOpen: false },
    { region: '*', isLeverageOpen: true, isSecondOpen: true },
  ])
  world.isReplayable()
})

test('USER-REGION-006: margin accounts borrow up to the ceiling, and no transfer out may raise their leverage above it', () => {
  const desk = givenMargin(free).user('alice', { USDT: '1000' })
  desk.enter('alice', 'USDT', '1000', btcusdt).isAccepted()
  asProduction(desk.world)
  desk.borrow('alice', 'USDT', '1001', btcusdt).isRefused('LEVERAGE_CEILING')
  desk.borrow('alice', 'USDT', '990', btcusdt).isAccepted()
  desk.leave('alice', 'USDT', '500', btcusdt).isRefused('LEVERAGE_CEILING')
  desk.repay('alice', 'USDT', '600', btcusdt).isAccepted()
  desk.leave('alice', 'USDT', '500', btcusdt).isAccepted()
  operate(desk.world, {}).isAccepted()
  desk.world.atMs += 7 * dayMs
  desk.prices(50_000, 2_500)
  desk.borrow('alice', 'USDT', '700', btcusdt).isAccepted()
})

test('USER-REGION-007: Second refuses orders from a region where operators closed it, and settles running ones', () => {
  const option = givenOption()
  option.trader('alice')
  option.trader('bob')
  asProduction(option.world)
  option.open('alice', 'up').isRefused('REGION_CLOSED')
  operate(option.world, { leverage: false, second: true }).isAccepted()
  const running = option.open('alice', 'up').isAccepted().order
  operate(option.world, { region: 'GB', leverage: false, second: false, approver: 'otto' }).isAccepted()
  locate(option.world, 'alice', 'GB')
  locate(option.world, 'bob', 'CH')
  option.open('alice', 'up').isRefused('REGION_CLOSED')
  option.open('bob', 'up').isAccepted()
  locate(option.world, 'bob', '')
  option.open('bob', 'up').isRefused('REGION_CLOSED')
  const isOpen = (name: string) => option.world.exchange.optionMe(option.world.user(name) as UserId).isOpenInRegion
  assert.deepEqual([isOpen('alice'), isOpen('bob')], [false, false])
  locate(option.world, 'bob', 'CH')
  assert.ok(isOpen('bob'), 'both read it before an order')
  option.run(1500, () => 60_000).run(30_000, () => 61_000)
  assert.equal(option.settled.get(running)?.result, 'win')
})

test('USER-REGION-007: in a sandbox Second is open in every region, whatever operators closed', () => {
  const option = givenOption()
  const user = option.trader('alice') as UserId
  locate(option.world, 'alice', 'GB')
  operate(option.world, { region: 'GB', second: false }).isAccepted()
  assert.ok(option.world.exchange.optionMe(user).isOpenInRegion)
  option.open('alice', 'up').isAccepted()
  asProduction(option.world)
  option.open('alice', 'up').isRefused('REGION_CLOSED')
})

test('USER-REGION-009: customers read their ceiling with its reason', () => {
  const perp = givenPerp({ old: '100' })
  const ceiling = (name: string) => perp.exchange.perpAccount(perp.id(name) as UserId).ceiling
  assert.equal(ceiling('old'), null, 'a sandbox has none')
  perp.world.atMs += 7 * dayMs
  asProduction(perp.world)
  const cameAt = perp.world.atMs
  perp.do({ type: 'user.certify', user: perp.id('new'), isCertified: true }).isAccepted()
  for (const name of ['old', 'new']) assert.deepEqual(ceiling(name), { leverage: 2, reason: 'region', until: null })
  operate(perp.world, {}).isAccepted()
  assert.deepEqual([ceiling('old'), ceiling('new')], [null, { leverage: 5, reason: 'new', until: cameAt + 7 * dayMs }])
  perp.world.exchange = Exchange.restore(perp.world.exchange.dump())
  assert.equal(ceiling('new')?.until, cameAt + 7 * dayMs)
  operate(perp.world, { region: 'DE', leverage: false }).isAccepted()
  assert.deepEqual(perp.exchange.regions(), [
    { region: 'DE', isLeverageOpen: false, isSecondOpen: true },
    { region: '*', isLeverageOpen: true, isSecondOpen: true },
  ])
  perp.world.atMs += 7 * dayMs
  locate(perp.world, 'new', 'CH')
  assert.equal(ceiling('new'), null)
})

test('USER-REGION-009: a ceiling that the region sets is not said to end with the first week', () => {
  const perp = givenPerp({})
  asProduction(perp.world)
  const ceiling = () => perp.exchange.perpAccount(perp.id('new') as UserId).ceiling
  perp.do({ type: 'user.certify', user: perp.id('new'), isCertified: true }).isAccepted()
  const cameAt = perp.world.atMs
  perp.world.atMs += 3 * dayMs
  perp.tick()
  assert.deepEqual(ceiling(), { leverage: 2, reason: 'region', until: null })
  operate(perp.world, {}).isAccepted()
  assert.deepEqual(ceiling(), { leverage: 5, reason: 'new', until: cameAt + 7 * dayMs })
})

test('USER-REGION-010: the amounts shown as available to borrow or transfer out stay within the ceiling, to the unit', () => {
  const desk = givenMargin(free).user('alice', { USDT: '1000' })
  desk.enter('alice', 'USDT', '1000', btcusdt).isAccepted()
  asProduction(desk.world)
  const isolated = () =>
    desk.world.exchange.marginAccounts(desk.world.user('alice') as UserId, btcusdt as MarketId).find(({ market }) => market === btcusdt)!
  const row = () => isolated().balances.find(({ asset }) => asset === 1)!
  assert.deepEqual(isolated().ceiling, { leverage: 2, reason: 'region', until: null })
  const most = row().borrowable
  assert.ok(most > 990e6 && most <= 1000e6, `${most}`)
  desk.borrow('alice', 'USDT', String((most + 1) / 1e6), btcusdt).isRefused('LEVERAGE_CEILING')
  desk.borrow('alice', 'USDT', '900', btcusdt).isAccepted()
  const free1 = row().transferable
  assert.ok(free1 > 0 && free1 <= 100e6, `${free1}`)
  desk.leave('alice', 'USDT', String((free1 + 1) / 1e6), btcusdt).isRefused('LEVERAGE_CEILING')
  desk.leave('alice', 'USDT', String(free1 / 1e6), btcusdt).isAccepted()
})
