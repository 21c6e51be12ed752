import type { Units } from '../../money/brand.ts'
import type { Row } from '../../ledger/row.ts'
import type { AssetId, KindNumber, MarketId, UserId } from '../../protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TRANSFER } from '../../ledger/reasons.ts'
import { type AccountKind, accountKinds } from '../../protocol/account.ts'
import { movementsFrom } from '../../protocol/ids.ts'
import { dumpState, restoreState } from '../dump.ts'
import { Exchange } from '../exchange.ts'
import { given } from './world.ts'
import type { Told, World } from './world.ts'

function transfer(world: World, name: string, amount: number, more: object = {}): Told {
  return world.do({ type: 'funds.transfer', user: world.user(name), clientId: '', asset: 1, from: 'spot', to: 'perp', amount, ...more })
}

function faucet(world: World, name: string, amount: number, more: object = {}): Told {
  return world.do({ type: 'funds.faucet', user: world.user(name), clientId: '', asset: 1, amount, ...more })
}

test('FUNDS-LEDGER-001: every command’s entries sum to zero per asset, and so do all accounts', () => {
  const world = given({ alice: { USDT: '10' } })
  const told = faucet(world, 'alice', 5_000_000)
  assert.deepEqual(
    told
      .of('entry')
      .map(({ account, reason, delta, available }) => ['system' in account ? account.system : 'user', reason, delta, available]),
    [
      ['outside:sandbox', 'faucet', -5_000_000, -15_000_000],
      ['user', 'faucet', 5_000_000, 15_000_000],
    ],
  )
  assert.deepEqual(world.exchange.trialBalance(), { sums: [0, 0, 0, 0], violations: [] })
})

test('FUNDS-FAUCET-001: the faucet credits the given amount, up to the largest supply of the asset', () => {
  const world = given({ alice: {} })
  faucet(world, 'alice', 0).isRefused('AMOUNT_NOT_POSITIVE')
  faucet(world, 'alice', -1).isRefused('AMOUNT_NOT_POSITIVE')
  faucet(world, 'alice', 1, { asset: 9 }).isRefused('ASSET_UNKNOWN')
  faucet(world, 'alice', 1, { user: 77 }).isRefused('USER_UNKNOWN')
  faucet(world, 'alice', 2 ** 52 - 5).isAccepted()
  faucet(world, 'bob', 6).isRefused('SUPPLY_EXCEEDED')
  faucet(world, 'bob', 5).isAccepted()
  world.do({ type: 'user.set', user: world.user('bob'), isFrozen: true }).isAccepted()
  faucet(world, 'bob', 1, { asset: 2 }).isRefused('USER_FROZEN')
})

test('FUNDS-TRANSFER-001: a transfer moves available money between two accounts of one user', () => {
  const world = given({ alice: { USDT: '10' } })
  const told = transfer(world, 'alice', 4_000_000).isAccepted()
  assert.deepEqual(
    told.of('entry').map(({ account, delta }) => ['kind' in account && account.kind, delta]),
    [
      ['spot', -4_000_000],
      ['perp', 4_000_000],
    ],
  )
  world.has('alice', 'USDT', '6')
  transfer(world, 'alice', 4_000_000, { from: 'perp', to: 'spot' }).isAccepted()
  world.has('alice', 'USDT', '10').isReplayable()
  // Neither of the two makes a margin account.
  assert.equal(restoreState(world.exchange.dump()).margin.find(world.user('alice') as UserId, 0 as MarketId), undefined)
})

test('FUNDS-TRANSFER-002: a transfer to the same account, to lent money, or to an isolated account without its market is refused', () => {
  const world = given({ alice: { USDT: '10' } })
  transfer(world, 'alice', 1, { to: 'spot' }).isRefused('ACCOUNT_SAME')
  transfer(world, 'alice', 1, { to: 'lend' }).isRefused('ACCOUNT_CLOSED')
  transfer(world, 'alice', 1, { from: 'lend' }).isRefused('ACCOUNT_CLOSED')
  for (const way of [{ to: 'margin-isolated' }, { from: 'margin-isolated', to: 'spot' }]) {
    transfer(world, 'alice', 1, way).isRefused('ACCOUNT_CLOSED')
    transfer(world, 'alice', 1, { ...way, market: 3 }).isRefused('MARKET_UNKNOWN')
    transfer(world, 'alice', 1, { ...way, asset: 9, market: 3 }).isRefused('ASSET_UNKNOWN')
  }
  for (const amount of [0, -1]) transfer(world, 'alice', amount).isRefused('AMOUNT_NOT_POSITIVE')
  // A market is only asked for where there is one account for each.
  transfer(world, 'alice', 1, { market: 9 }).isAccepted()
})

test('FUNDS-TRANSFER-003: a transfer above the balance, or of held money, is refused and moves nothing', () => {
  const world = given({ alice: { USDT: '10' } })
  transfer(world, 'alice', 10_000_001).isRefused('INSUFFICIENT_BALANCE')
  world.buy('alice', 100, 90).isAccepted()
  transfer(world, 'alice', 1_000_001).isRefused('INSUFFICIENT_BALANCE')
  transfer(world, 'alice', 1_000_000).isAccepted()
})

test('FUNDS-TRANSFER-004: Futures and Second accounts accept only USDT, and another asset that is already there can leave', () => {
  const world = given({ alice: { USDT: '10', BTC: '1' } })
  for (const to of ['perp', 'option']) {
    transfer(world, 'alice', 2e8, { asset: 2, to }).isRefused('INSUFFICIENT_BALANCE')
    transfer(world, 'alice', 1e8, { asset: 2, to }).isRefused('ASSET_NOT_IN_ACCOUNT')
    transfer(world, 'alice', 1, { to }).isAccepted()
    layBtc(world, 'alice', to as AccountKind, 1e7)
    transfer(world, 'alice', 1e7, { asset: 2, from: to, to: to === 'perp' ? 'option' : 'perp' }).isRefused('ASSET_NOT_IN_ACCOUNT')
    transfer(world, 'alice', 1e7, { asset: 2, from: to, to: 'spot' }).isAccepted()
  }
  world.has('alice', 'USDT', '9.999998').has('alice', 'BTC', '1')
})

/** Puts BTC into an account that no command can credit: dumps the state, changes it and restores it. */
function layBtc(world: World, name: string, kind: AccountKind, amount: number): void {
  const x = restoreState(world.exchange.dump())
  const row = (of: AccountKind): number => x.ledger.row(world.user(name) as UserId, accountKinds.indexOf(of) as KindNumber, 2 as AssetId)
  x.ledger.debit(row('spot') as Row, amount as Units, TRANSFER)
  x.ledger.credit(row(kind) as Row, amount as Units, TRANSFER)
  const { data, length } = dumpState(x)
  world.exchange = Exchange.restore(new Uint8Array(data.buffer, data.byteOffset, length * 8))
}

test('FUNDS-ONCE-001: a transfer or faucet credit that is sent twice with one client id is executed once', () => {
  const world = given({ alice: { USDT: '10' } })
  transfer(world, 'alice', 1_000_000, { clientId: 't' }).isAccepted()
  assert.equal(transfer(world, 'alice', 1_000_000, { clientId: 't' }).isAccepted().outcome.isRepeat, true)
  transfer(world, 'alice', 2_000_000, { clientId: 't' }).isRefused('CLIENT_ID_REUSED')
  faucet(world, 'alice', 5, { clientId: 'f' }).isAccepted()
  faucet(world, 'alice', 5, { clientId: 'f' }).isAccepted()
  world.has('alice', 'USDT', '9.000005')
})

test('FUNDS-ONCE-002: a transfer has a unique number that no order has, and a repeat returns the number of the first', () => {
  const world = given({ alice: { USDT: '10' } })
  const first = transfer(world, 'alice', 1_000_000, { clientId: 'a' }).isAccepted().outcome
  assert.equal(first.order, movementsFrom + first.seq)
  const { order } = world.buy('alice', 100, 1)
  const second = transfer(world, 'alice', 1_000_000, { clientId: 'b' }).isAccepted().outcome
  assert.equal(second.order, movementsFrom + second.seq)
  assert.ok(order < movementsFrom)
  assert.equal(transfer(world, 'alice', 1_000_000, { clientId: 'a' }).isAccepted().outcome.order, first.order)
  assert.equal(transfer(world, 'alice', 99_000_000, { clientId: 'c' }).isRefused('INSUFFICIENT_BALANCE').outcome.order, 0)
  world
    .do({ type: 'spot.cancel', user: world.user('alice'), clientId: '', market: 1, order: 0, orderClientId: 'a' })
    .isRefused('ORDER_UNKNOWN')
  world.isReplayable()
})

test('FUNDS-USER-001: users are numbered from 1, and opening twice under one request id opens one user', () => {
  const world = given()
  const open = (requestId: string, referrer = 0): Told => world.do({ type: 'user.open', requestId, class: 'retail', referrer })
  assert.equal(open('r1').isAccepted().outcome.user, 1)
  const second = open('r2', 1).isAccepted()
  assert.equal(second.outcome.user, 2)
  assert.deepEqual(second.of('user.opened'), [{ type: 'user.opened', user: 2, class: 'retail', referrer: 1 }])
  const again = open('r1').isAccepted().outcome
  assert.deepEqual([again.user, again.isRepeat], [1, true])
  open('r3', 99).isRefused('REFERRER_UNKNOWN')
  open('r4', -1).isRefused('REFERRER_UNKNOWN')
  assert.equal(world.exchange.userCount, 2)
  for (const isHouse of [true, false]) {
    const told = world.do({ type: 'user.house', user: 2, isHouse }).isAccepted()
    assert.deepEqual(told.of('user.housed'), [{ type: 'user.housed', user: 2, isHouse }])
    world.isReplayable()
  }
  world.do({ type: 'user.house', user: 3, isHouse: true }).isRefused('USER_UNKNOWN')
})

test('FUNDS-USER-002: a frozen user can’t place, amend or transfer, but can cancel', () => {
  const world = given({ alice: { USDT: '20' } })
  const { order } = world.buy('alice', 100, 100)
  const frozen = world.do({ type: 'user.set', user: world.user('alice'), isFrozen: true }).isAccepted()
  assert.deepEqual(frozen.of('user.changed'), [{ type: 'user.changed', user: world.user('alice'), isFrozen: true }])
  world.buy('alice', 100, 100).isRefused('USER_FROZEN')
  world.amend('alice', order, { lots: 50 }).isRefused('USER_FROZEN')
  transfer(world, 'alice', 1).isRefused('USER_FROZEN')
  world.cancel('alice', order).isAccepted()
  const thawed = world.do({ type: 'user.set', user: world.user('alice'), isFrozen: false }).isAccepted()
  assert.deepEqual(thawed.of('user.changed'), [{ type: 'user.changed', user: world.user('alice'), isFrozen: false }])
  world.buy('alice', 100, 100).isAccepted()
})

test('FUNDS-USER-002: freezing and unfreezing a user changes neither class nor verification nor house flag', () => {
  const world = given()
  const user = world.do({ type: 'user.open', requestId: '', class: 'maker', referrer: 0 }).isAccepted().outcome.user
  world.do({ type: 'user.certify', user, isCertified: true }).isAccepted()
  world.do({ type: 'user.house', user, isHouse: true }).isAccepted()
  for (const isFrozen of [true, false]) {
    world.do({ type: 'user.set', user, isFrozen }).isAccepted()
    const x = restoreState(world.exchange.dump())
    const id = user as UserId
    assert.deepEqual([x.isFrozen(id), x.isMaker(id), x.isCertified(id), x.isHouse(id)], [isFrozen, true, true, true])
  }
})

test('FUNDS-USER-003: a user counts as verified from the command that verifies them until a command that revokes it', () => {
  const world = given({ alice: { USDT: '20' } })
  const certify = (user: number, isCertified: boolean): Told => world.do({ type: 'user.certify', user, isCertified })
  const before = world.exchange.hash()
  const told = certify(world.user('alice'), true).isAccepted()
  assert.deepEqual(told.of('user.certified'), [{ type: 'user.certified', user: world.user('alice'), isCertified: true }])
  assert.notEqual(world.exchange.hash(), before)
  world.do({ type: 'user.set', user: world.user('alice'), isFrozen: true }).isAccepted()
  world.do({ type: 'user.set', user: world.user('alice'), isFrozen: false }).isAccepted()
  world.isReplayable()
  certify(world.user('alice'), true).isAccepted()
  const revoked = certify(world.user('alice'), false).isAccepted()
  assert.deepEqual(revoked.of('user.certified'), [{ type: 'user.certified', user: world.user('alice'), isCertified: false }])
  certify(99, true).isRefused('USER_UNKNOWN')
  world.isReplayable()
})

test('FUNDS-SYSTEM-001: a fund of the exchange is endowed from `outside:sandbox`, up to the largest supply of the asset', () => {
  const world = given({ alice: { USDT: '10' } })
  const endow = (amount: number, more: object = {}): Told =>
    world.do({ type: 'funds.system', account: 'insurance', asset: 1, amount, ...more })
  const told = endow(1_000_000_000_000).isAccepted()
  assert.deepEqual(
    told.of('entry').map(({ account, reason, delta }) => ['system' in account && account.system, reason, delta]),
    [
      ['outside:sandbox', 'endowment', -1_000_000_000_000],
      ['insurance', 'endowment', 1_000_000_000_000],
    ],
  )
  endow(5, { account: 'option-house', asset: 2 }).isAccepted()
  endow(0).isRefused('AMOUNT_NOT_POSITIVE')
  endow(1, { asset: 9 }).isRefused('ASSET_UNKNOWN')
  endow(-1).isRefused('AMOUNT_NOT_POSITIVE')
  endow(1, { asset: 0 }).isRefused('ASSET_UNKNOWN')
  const left = 2 ** 52 - 1_000_000_000_000 - 10_000_000
  endow(left + 1).isRefused('SUPPLY_EXCEEDED')
  endow(left, { account: 'insurance-margin' }).isAccepted()
  endow(1).isRefused('SUPPLY_EXCEEDED')
  const held = world.exchange.accounts().find(({ account }) => 'system' in account && account.system === 'insurance')
  assert.equal(held?.available, 1_000_000_000_000)
  world.isReplayable()
})
