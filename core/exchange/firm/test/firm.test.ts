import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserId } from '../../../protocol/ids.ts'
import { Exchange } from '../../exchange.ts'
import { tron, usdtTerms } from '../../chain/test/chain-world.ts'
import { btc as bitcoin, convertWorld, whole } from '../../convert/test/convert-world.ts'
import { free, open, terms as marginTerms } from '../../margin/test/world.ts'
import { contract, givenPerp } from '../../perp/test/world.ts'
import { beginsAt, presaleWorld } from '../../presale/test/presale-world.ts'
import { given, type Told, type World } from '../../test/world.ts'

const one = 1_000_000
const [usdt, btc] = [1, 2] as const

/** A firm of `main` with the accounts `desk` and `lab`, another one of `rival`, and `ann`, a person. `main` has 1,000 USDT. */
function firmWorld(): World {
  const world = given({})
  for (const name of ['main', 'desk', 'lab', 'rival', 'ann']) world.user(name)
  join(world, 'main', 'main').isAccepted()
  join(world, 'desk', 'main').isAccepted()
  join(world, 'lab', 'main').isAccepted()
  join(world, 'rival', 'rival').isAccepted()
  return world.gives('main', 'USDT', '1000')
}

const join = (world: World, user: string, main: string): Told =>
  world.do({ type: 'firm.join', user: world.user(user), main: world.user(main) })

const move = (world: World, from: string, to: string, amount: number, changed: object = {}): Told =>
  world.do({ type: 'firm.move', user: world.user(from), clientId: '', to: world.user(to), asset: usdt, amount, ...changed })

const terms = (world: World, main: string, changed: object = {}): Told =>
  world.do({ type: 'firm.setTerms', main: world.user(main), tier: 1, withdrawMax: 200_000 * one, ...changed })

const spot = (world: World, name: string): number =>
  world.exchange
    .balances(world.user(name))
    .filter(({ account }) => 'kind' in account && account.kind === 'spot' && account.asset === usdt)
    .reduce((sum, { available }) => sum + available, 0)

test('FIRM-JOIN-001: an account joins one firm, once, and a repeat has no effect', () => {
  const world = firmWorld()
  const standing = (name: string): UserId => world.exchange.firm.standing(world.user(name)).main
  assert.deepEqual(['main', 'desk', 'rival', 'ann'].map(standing), [world.user('main'), world.user('main'), world.user('rival'), 0])
  assert.deepEqual(join(world, 'desk', 'main').isAccepted().of('firm.joined'), [], 'a repeat')
  join(world, 'desk', 'rival').isRefused('FIRM_JOINED')
  join(world, 'desk', 'desk').isRefused('FIRM_JOINED')
  join(world, 'ann', 'desk').isRefused('FIRM_UNKNOWN')
  world.do({ type: 'firm.join', user: world.user('ann'), main: 99 as UserId }).isRefused('FIRM_UNKNOWN')
  world.do({ type: 'firm.join', user: 99 as UserId, main: world.user('main') }).isRefused('USER_UNKNOWN')
})

test('FIRM-JOIN-002: nobody’s own account is taken into a firm: not with money, an inviter, or a place in house or staff', () => {
  const world = firmWorld().gives('ann', 'USDT', '1')
  join(world, 'ann', 'main').isRefused('FORBIDDEN')
  join(world, 'ann', 'ann').isRefused('FORBIDDEN')
  const invited = world.do({ type: 'user.open', requestId: '', class: 'retail', referrer: world.user('ann') }).isAccepted().outcome.user
  world.do({ type: 'firm.join', user: invited, main: world.user('main') }).isRefused('FORBIDDEN')
  world.do({ type: 'user.staff', user: world.user('bob'), isStaff: true }).isAccepted()
  join(world, 'bob', 'main').isRefused('FORBIDDEN')
  world.do({ type: 'user.house', user: world.user('cid'), isHouse: true }).isAccepted()
  join(world, 'cid', 'main').isRefused('FORBIDDEN')
})

test('FIRM-MOVE-001: coins move between accounts of one firm, exactly and nowhere else', () => {
  const world = firmWorld()
  move(world, 'main', 'desk', 400 * one).isAccepted()
  move(world, 'desk', 'lab', 150 * one).isAccepted()
  assert.deepEqual([spot(world, 'main'), spot(world, 'desk'), spot(world, 'lab')], [600 * one, 250 * one, 150 * one])
  move(world, 'main', 'rival', one).isRefused('FIRM_OTHER')
  move(world, 'main', 'ann', one).isRefused('FIRM_OTHER')
  move(world, 'ann', 'main', one).isRefused('FIRM_OTHER')
  move(world, 'main', 'main', one).isRefused('ACCOUNT_SAME')
  move(world, 'main', 'desk', 600 * one + 1).isRefused('INSUFFICIENT_BALANCE')
  move(world, 'main', 'desk', 0).isRefused('AMOUNT_NOT_POSITIVE')
  move(world, 'main', 'desk', -1).isRefused('AMOUNT_NOT_POSITIVE')
  move(world, 'main', 'desk', 1, { asset: 9 }).isRefused('ASSET_UNKNOWN')
  move(world, 'main', 'desk', 1, { asset: btc }).isRefused('INSUFFICIENT_BALANCE')
})

test('FIRM-MOVE-002: what is held stays, and a repeat under its client id moves nothing', () => {
  const world = firmWorld()
  world.buy('main', 50_000, 10).isAccepted()
  move(world, 'main', 'desk', 500 * one + 1).isRefused('INSUFFICIENT_BALANCE')
  const first = move(world, 'main', 'desk', 300 * one, { clientId: 'a' }).isAccepted()
  const again = move(world, 'main', 'desk', 300 * one, { clientId: 'a' })
  assert.deepEqual([again.outcome.isRepeat, again.order, spot(world, 'desk')], [true, first.order, 300 * one])
})

test('FIRM-MOVE-003: neither a frozen account’s money moves, nor money to it', () => {
  const world = firmWorld()
  move(world, 'main', 'desk', 100 * one).isAccepted()
  world.do({ type: 'user.set', user: world.user('desk'), isFrozen: true }).isAccepted()
  move(world, 'desk', 'main', one).isRefused('USER_FROZEN')
  move(world, 'main', 'desk', one).isRefused('USER_FROZEN')
  move(world, 'main', 'lab', one).isAccepted()
})

test('FIRM-MOVE-004: what a deposit may take back does not move, and nothing does while an account owes', () => {
  const world = firmWorld()
  const deposit = { type: 'chain.credit', user: world.user('main'), network: tron, asset: usdt, amount: 300 * one, isFinal: false }
  world.do({ ...deposit, credit: 1 }).isAccepted()
  move(world, 'main', 'desk', 1000 * one + 1).isRefused('DEPOSIT_NOT_FINAL')
  move(world, 'main', 'desk', 1000 * one).isAccepted()
  world.buy('main', 50_000, 6).isAccepted()
  world.do({ type: 'chain.orphan', network: tron, credit: 1 }).isAccepted()
  move(world, 'main', 'desk', 1).isRefused('DEPOSIT_DEBT')
  move(world, 'desk', 'main', one).isAccepted()
})

test('FIRM-TERMS-001: a firm’s accounts pay at most the fees of the tier of its terms, later ones as well', () => {
  const world = firmWorld()
  const tiers = [
    { volumeMin: 0, makerPpm: 1000, takerPpm: 1000 },
    { volumeMin: 1_000_000 * one, makerPpm: 500, takerPpm: 600 },
    { volumeMin: 2_000_000 * one, makerPpm: 100, takerPpm: 200 },
  ]
  world.do({ type: 'fees.set', tiers }).isAccepted()
  const tierOf = (name: string): number => world.exchange.tier(world.user(name)).tier
  terms(world, 'main').isAccepted()
  assert.deepEqual(['main', 'desk', 'lab', 'rival', 'ann'].map(tierOf), [1, 1, 1, 0, 0])
  world.user('late')
  join(world, 'late', 'main').isAccepted()
  assert.equal(tierOf('late'), 1)
  world.gives('ann', 'BTC', '1')
  move(world, 'main', 'desk', 500 * one).isAccepted()
  world.sell('ann', 50_000, 10).isAccepted()
  const [trade] = world.buy('desk', 50_000, 10).isAccepted().of('traded')
  assert.equal(trade?.takerFee, 600)
  terms(world, 'main', { tier: 2 }).isAccepted()
  assert.equal(tierOf('desk'), 2)
  world.do({ type: 'fees.set', tiers: tiers.slice(0, 2) }).isAccepted()
  assert.equal(tierOf('desk'), 1, 'the last tier of a shorter schedule')
  terms(world, 'main', { tier: 0 }).isAccepted()
  assert.equal(tierOf('desk'), 0)
})

test('FIRM-TERMS-002: terms name a firm, a tier of the schedule and a sum', () => {
  const world = firmWorld()
  terms(world, 'desk').isRefused('FIRM_UNKNOWN')
  terms(world, 'ann').isRefused('FIRM_UNKNOWN')
  const count = Math.max(1, world.exchange.listing().fees.length)
  for (const wrong of [{ tier: count }, { tier: -1 }, { withdrawMax: -1 }, { withdrawMax: 2 ** 48 + 1 }])
    terms(world, 'main', wrong).isRefused('FIELD_INVALID')
})

test('FIRM-WITHDRAW-001: only the main account withdraws, up to the terms’ value a day', () => {
  const world = firmWorld()
  world.do({ type: 'withdraw.setTerms', asset: usdt, network: tron, terms: usdtTerms }).isAccepted()
  for (const name of ['main', 'desk']) world.do({ type: 'user.certify', user: world.user(name), isCertified: true }).isAccepted()
  world.gives('main', 'USDT', '300000')
  move(world, 'main', 'desk', 1000 * one).isAccepted()
  const withdraw = (name: string, amount: number): Told =>
    world.do({
      ...{ type: 'withdraw.request', user: world.user(name), clientId: '', asset: usdt, network: tron },
      ...{ amount, fee: usdtTerms.fee, destination: 7 },
    })
  withdraw('desk', 100 * one).isRefused('FIRM_MAIN_ONLY')
  withdraw('main', 60_000 * one).isRefused('DAILY_LIMIT')
  terms(world, 'main', { tier: 0 }).isAccepted()
  withdraw('main', 60_000 * one).isAccepted()
  withdraw('main', 150_000 * one).isRefused('DAILY_LIMIT')
})

test('FIRM-DUMP-001: firms, their terms and tiers are the same after a restart', () => {
  const world = firmWorld()
  terms(world, 'main', { tier: 0 }).isAccepted()
  terms(world, 'rival', { tier: 0, withdrawMax: 5 }).isAccepted()
  const before = world.exchange.dump()
  const restored = Exchange.restore(before)
  assert.deepEqual(Buffer.from(restored.dump()), Buffer.from(before))
  for (const name of ['main', 'desk', 'rival', 'ann']) {
    const user = world.user(name)
    assert.deepEqual([restored.firm.standing(user), restored.tier(user)], [world.exchange.firm.standing(user), world.exchange.tier(user)])
  }
})

test('FIRM-CUSTOMER-001: a firm is one customer in a presale: only its main account subscribes', () => {
  const presale = presaleWorld('ann')
  const { world } = presale
  for (const name of ['main', 'desk']) {
    join(world, name, 'main').isAccepted()
    presale.customer(name, '1000')
  }
  presale.set().isAccepted()
  world.atMs = beginsAt
  const subscribe = (name: string): Told =>
    world.do({ type: 'presale.subscribe', user: world.user(name), clientId: '', presale: 1, amount: 100 * one })
  subscribe('desk').isRefused('FIRM_MAIN_ONLY')
  subscribe('main').isAccepted()
  subscribe('ann').isAccepted()
})

test('FIRM-CUSTOMER-002: the conversions of all accounts of a firm share one limit of the day, over a restart too', () => {
  const convert = convertWorld('ann')
  const { world } = convert
  for (const name of ['main', 'desk']) {
    join(world, name, 'main').isAccepted()
    world.gives(name, 'USDT', '100000')
  }
  convert.terms({ max: 20_000 * whole.usdt, userMax: 30_000 * whole.usdt }).isAccepted()
  const quote = (name: string, amount: number): Told =>
    world.do({
      ...{
        type: 'convert.quote',
        user: world.user(name),
        clientId: '',
        from: usdt,
        to: bitcoin,
        amount: amount * whole.usdt,
        isGet: false,
      },
    })
  const accept = (name: string, { outcome }: Told): Told =>
    world.do({ type: 'convert.accept', user: world.user(name), clientId: '', quote: outcome.seq })
  const [early, late] = [quote('main', 20_000).isAccepted(), quote('desk', 20_000).isAccepted()]
  accept('main', early).isAccepted()
  accept('desk', late).isRefused('CONVERT_LIMIT')
  world.exchange = Exchange.restore(world.exchange.dump())
  quote('desk', 10_001).isRefused('CONVERT_LIMIT')
  assert.deepEqual(
    ['main', 'desk', 'ann'].map((name) => world.exchange.convert.standing(world.user(name)).today.used),
    [20_000 * whole.usdt, 20_000 * whole.usdt, 0],
  )
  quote('ann', 20_000).isAccepted()
  accept('desk', quote('desk', 10_000).isAccepted()).isAccepted()
})

test('FIRM-CUSTOMER-003: positions and opening orders of all accounts of a firm share a customer’s part of the open interest', () => {
  const world = givenPerp({ ann: '10000', bob: '10000' }, { openInterestMax: 10_000 * one, userInterestPpm: 100_000 })
  for (const name of ['main', 'desk', 'lab']) {
    join(world.world, name, 'main').isAccepted()
    world.trader(name, '10000')
  }
  const left = (name: string): readonly number[] => {
    const { buy, sell } = world.exchange.perpAccount(world.id(name)).interest.find(({ market }) => market === contract)!
    return [buy / one, sell / one]
  }
  // Each customer may have 1,000 USDT, ten lots of the thousand at 100.
  world.sell('ann', 100, 4000).isAccepted()
  world.buy('main', 100, 4000).isAccepted().traded('100×4000')
  const resting = world.buy('desk', 99, 3000).isAccepted()
  assert.deepEqual(
    [left('main'), left('desk'), left('lab'), left('ann')],
    [
      [303, 1000],
      [303, 600],
      [303, 600],
      [1000, 600],
    ],
  )
  world.buy('lab', 100, 3031).isRefused('POSITION_TOO_LARGE')
  world.sell('lab', 100, 6001).isRefused('POSITION_TOO_LARGE')
  world.buy('lab', 100, 3030).isAccepted()
  world.cancel('desk', resting.order).isAccepted()
  world.exchange.hash()
  world.world.exchange = Exchange.restore(world.exchange.dump())
  world.buy('desk', 100, 2971).isRefused('POSITION_TOO_LARGE')
  world.buy('desk', 100, 2970).isAccepted()
  world.buy('bob', 100, 10_000).isAccepted()
})

test('FIRM-CUSTOMER-004: the loans of all accounts of a firm share a customer’s part of a pool', () => {
  const desk = open({ ...free, userSharePpm: marginTerms.userSharePpm })
  for (const name of ['main', 'desk']) {
    join(desk.world, name, 'main').isAccepted()
    desk.user(name, { USDT: '300000' }).enter(name, 'USDT', '300000').isAccepted()
  }
  desk.user('ann', { USDT: '300000' }).enter('ann', 'USDT', '300000').isAccepted()
  desk.borrow('main', 'USDT', '200000').isAccepted()
  desk.borrow('desk', 'USDT', '50000').isRefused('POOL_SHARE_LIMIT')
  const { borrowable } = desk.balance('desk', 'USDT', 0)
  assert.ok(borrowable > 49_990 * one && borrowable < 50_000 * one, `${borrowable}`)
  desk.borrow('desk', 'USDT', '49990').isAccepted()
  desk.borrow('main', 'USDT', '20').isRefused('POOL_SHARE_LIMIT')
  desk.borrow('ann', 'USDT', '200000').isAccepted()
})

test('FIRM-CUSTOMER-005: a deposit that one account traded away to another holds back the firm’s withdrawals, and so does what it then owes', () => {
  const world = firmWorld()
  world.do({ type: 'withdraw.setTerms', asset: usdt, network: tron, terms: usdtTerms }).isAccepted()
  for (const name of ['main', 'desk', 'ann']) world.do({ type: 'user.certify', user: world.user(name), isCertified: true }).isAccepted()
  const withdraw = (amount: number, name = 'main'): Told =>
    world.do({
      ...{ type: 'withdraw.request', user: world.user(name), clientId: '', asset: usdt, network: tron },
      ...{ amount, fee: usdtTerms.fee, destination: 7 },
    })
  const decide = ({ outcome }: Told): Told =>
    world.do({ type: 'withdraw.decide', withdrawal: outcome.seq, isApproved: true, first: 1, second: 2, reason: '' })
  const early = withdraw(500 * one).isAccepted()
  world.gives('main', 'BTC', '0.02')
  world.do({ type: 'chain.credit', user: world.user('desk'), network: tron, asset: usdt, amount: 1000 * one, credit: 1, isFinal: false })
  withdraw(10 * one).isAccepted()

  // One account buys from another at a price that nobody else would pay.
  world.sell('main', 50_000, 20).isAccepted()
  assert.equal(world.buy('desk', 50_000, 20).isAccepted().of('traded').length, 1)
  withdraw(400 * one).isRefused('DEPOSIT_NOT_FINAL')
  world.do({ type: 'chain.orphan', network: tron, credit: 1 }).isAccepted()
  withdraw(400 * one).isRefused('DEPOSIT_DEBT')
  decide(early).isRefused('DEPOSIT_DEBT')
  move(world, 'main', 'desk', 1000 * one).isAccepted()
  world.do({ type: 'chain.repay', user: world.user('desk'), asset: usdt }).isAccepted()
  decide(early).isAccepted()
  withdraw(100 * one).isAccepted()
})
