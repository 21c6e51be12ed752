/** What the commands of margin trading refuse, and what they tell. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { supplyMax } from '../../../ledger/ledger.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import { restoreState } from '../../dump.ts'
import { btcusdt, free, open, terms, units } from './world.ts'
import { cross, tick } from './stressed.ts'
import type { MarginWorld } from './world.ts'

const hour = 3_600_000
/** Every loan costs 0.1 % an hour, whatever the pool. */
const flat = { ...free, rateZero: 1_000_000_000, rateKink: 1_000_000_000, rateFull: 1_000_000_000 }

function given(changed: object = flat): MarginWorld {
  const desk = open(changed).user('alice', { USDT: '20000', BTC: '2', ETH: '40' }).user('bob', { BTC: '10' }).user('carol', { BTC: '10' })
  desk.world.do({ type: 'asset.list', symbol: 'DUST', scale: 2 }).isAccepted()
  desk.world.do({ type: 'funds.faucet', user: desk.world.user('alice'), clientId: '', asset: 4, amount: 1_000 }).isAccepted()
  return desk
}

test('MARGIN-TERMS-001: each fault of a request has its own refusal', () => {
  const desk = given()
  const { world } = desk
  desk.enter('alice', 'USDT', '1000').isAccepted()
  desk.borrow('alice', 'USDT', '100').isAccepted()
  const loan = (type: string, asset: number, market: number, amount: number) => ({ type, market, asset, amount })
  const lend = (type: string, asset: number, amount: number) => ({ type, asset, amount })
  const move = (from: string, to: string) => ({ type: 'funds.transfer', asset: 1, amount: 1, from, to, market: 99 })
  const cases: readonly (readonly [object, Refusal])[] = [
    [loan('margin.borrow', 9, 0, 1), 'ASSET_UNKNOWN'],
    [loan('margin.borrow', 1, 99, 1), 'MARKET_UNKNOWN'],
    [loan('margin.borrow', 1, 0, 0), 'AMOUNT_NOT_POSITIVE'],
    // Loans and issued units stay below 2^53: of 100.1 USDT owed, the rest of the largest sum is left.
    [loan('margin.borrow', 1, 0, supplyMax - units('USDT', '100.1') + 1), 'POOL_EXHAUSTED'],
    [loan('margin.borrow', 1, 0, supplyMax - units('USDT', '100.1')), 'BORROW_LIMIT'],
    [loan('margin.repay', 9, 0, 1), 'ASSET_UNKNOWN'],
    [loan('margin.repay', 1, 99, 1), 'MARKET_UNKNOWN'],
    [loan('margin.repay', 1, 0, -1), 'AMOUNT_NOT_POSITIVE'],
    [loan('margin.repay', 1, btcusdt, 1), 'NOTHING_OWED'],
    [loan('margin.repay', 2, 0, 1), 'NOTHING_OWED'],
    [lend('lend.supply', 9, 1), 'ASSET_UNKNOWN'],
    [lend('lend.supply', 4, 1), 'NO_INDEX_PRICE'],
    [lend('lend.withdraw', 9, 1), 'ASSET_UNKNOWN'],
    [lend('lend.withdraw', 1, 0), 'AMOUNT_NOT_POSITIVE'],
    [lend('lend.withdraw', 1, -1), 'AMOUNT_NOT_POSITIVE'],
    [lend('lend.withdraw', 4, 1), 'CLAIM_TOO_SMALL'],
    [{ type: 'lend.cancelWithdraw', asset: 9 }, 'ASSET_UNKNOWN'],
    [{ type: 'lend.cancelWithdraw', asset: 4 }, 'QUEUE_EMPTY'],
    [{ type: 'lend.cancelWithdraw', asset: 1 }, 'QUEUE_EMPTY'],
    [move('spot', 'margin-isolated'), 'MARKET_UNKNOWN'],
    [move('margin-isolated', 'spot'), 'MARKET_UNKNOWN'],
  ]
  for (const [command, refusal] of cases) {
    const { outcome } = world.do({ user: world.user('alice'), clientId: '', ...command })
    assert.equal(outcome.refusal, refusal, JSON.stringify(command))
  }
  desk.repay('bob', 'USDT', '1').isRefused('NOTHING_OWED')
  world.do({ type: 'user.set', user: world.user('alice'), isFrozen: true }).isAccepted()
  desk.supply('alice', 'USDT', '1').isRefused('USER_FROZEN')
  desk.withdraw('alice', 'USDT', '1').isRefused('USER_FROZEN')
})

test('MARGIN-REPAY-001: more than is available can’t be repaid, neither of the amount nor of the debt with its interest', () => {
  const desk = given()
  desk.enter('alice', 'BTC', '1').isAccepted()
  desk.borrow('alice', 'USDT', '1000').isAccepted()
  // 1,000 are there, and 1,001 are owed.
  desk.repay('alice', 'USDT', '2000').isRefused('INSUFFICIENT_BALANCE')
  desk.repay('alice', 'USDT', '1000.000001').isRefused('INSUFFICIENT_BALANCE')
  const told = desk.repay('alice', 'USDT', '1000').isAccepted()
  assert.deepEqual(
    told.of('margin.loan').map(({ cause, delta, principal, interest }) => [cause, delta, principal, interest]),
    [['repay', -units('USDT', '1000'), units('USDT', '1'), 0]],
  )
  assert.equal(told.of('lend.pool').at(-1)!.borrowed, units('USDT', '1'))
})

test('MARGIN-INTEREST-002: a repayment in a new hour is charged first, and reports the level that it reaches', () => {
  const desk = given()
  desk.enter('alice', 'BTC', '1').isAccepted()
  desk.borrow('alice', 'USDT', '40000').isAccepted()
  // 40,000 + 6,400 against 40,040: watched at 1.1588.
  assert.deepEqual(
    desk
      .prices(6_400, 2_500)
      .of('margin.level')
      .map(({ state }) => state),
    ['watch'],
  )
  desk.world.atMs = (Math.floor(desk.world.atMs / hour) + 1) * hour
  const told = desk.repay('alice', 'USDT', '30000').isAccepted()
  assert.deepEqual(
    told.of('margin.loan').map(({ cause, delta }) => [cause, delta / 1e6]),
    [
      ['interest', 40],
      ['repay', -30_000],
    ],
  )
  assert.deepEqual(
    told.of('margin.level').map(({ state }) => state),
    ['safe'],
  )
  assert.equal(desk.balance('alice', 'USDT').principal + desk.balance('alice', 'USDT').interest, units('USDT', '10080'))
})

test('MARGIN-BORROW-002: a cross account below its threshold for loans borrows nothing', () => {
  const desk = given()
  desk.enter('alice', 'BTC', '1').isAccepted()
  desk.borrow('alice', 'USDT', '20000').isAccepted()
  desk.leave('alice', 'USDT', '20000').isAccepted()
  // 25,100 against 20,020 allow a loan, 25,000 don't.
  desk.prices(25_100, 2_500)
  desk.borrow('alice', 'USDT', '1').isAccepted()
  desk.prices(25_000, 2_500)
  desk.borrow('alice', 'USDT', '0.01').isRefused('MARGIN_LEVEL_LOW')
})

test('MARGIN-TRANSFER-002: an account without debt may be emptied although its prices are lost', () => {
  const desk = given()
  desk.enter('alice', 'BTC', '1').isAccepted()
  desk.enter('alice', 'USDT', '100').isAccepted()
  tick(desk, 50_000, false, 2_500, false)
  desk.leave('alice', 'BTC', '0.5').isAccepted()
  desk.leave('alice', 'ETH', '1').isRefused('INSUFFICIENT_BALANCE')
  desk.leave('bob', 'BTC', '1').isRefused('INSUFFICIENT_BALANCE')
  tick(desk, 50_000, true, 2_500, true)
  desk.world.atMs += 10_000
  desk.borrow('alice', 'USDT', '10').isAccepted()
  tick(desk, 50_000, false, 2_500, true)
  desk.leave('alice', 'BTC', '0.1').isRefused('NO_INDEX_PRICE')
})

test('LEND-QUEUE-001: a lender has at most twenty places in a queue; a further redemption joins the last, which goes to the end', () => {
  const desk = given()
  desk.supply('bob', 'BTC', '10').isAccepted()
  desk.supply('carol', 'BTC', '10').isAccepted()
  desk.enter('alice', 'USDT', '20000').isAccepted()
  desk.world.gives('alice', 'USDT', '2000000').gives('alice', 'BTC', '1')
  desk.enter('alice', 'USDT', '2000000').isAccepted()
  desk.borrow('alice', 'BTC', '20').isAccepted()
  desk.withdraw('lender', 'BTC', '100').isAccepted()
  const [bob, carol, lender] = ['bob', 'carol', 'lender'].map((name) => desk.world.user(name))
  for (let n = 0; n < 20; n++) desk.withdraw('bob', 'BTC', '0.1').isAccepted()
  desk.withdraw('carol', 'BTC', '0.3').isAccepted()
  const told = desk.withdraw('bob', 'BTC', '0.2').isAccepted()
  const { queue, queued } = restoreState(desk.world.exchange.dump()).margin.pools[2]!
  assert.deepEqual(
    queue.slice(-21).map(({ user, amount }) => [user, amount / 1e8]),
    [...Array.from({ length: 19 }, () => [bob, 0.1]), [carol, 0.3], [bob, 0.3]],
  )
  assert.deepEqual(
    queue.slice(0, -21).map(({ user }) => user),
    [lender],
  )
  assert.deepEqual([told.of('lend.claim')[0]!.queued, told.of('lend.pool')[0]!.queued], [units('BTC', '2.2'), queued])
  assert.ok(told.of('entry').every(({ delta, heldDelta }) => delta !== 0 || heldDelta !== 0))

  // A cancelled redemption leaves the other places as they are, and is told.
  const cancelled = desk.cancel('bob', 'BTC').isAccepted()
  assert.deepEqual(
    cancelled.of('lend.claim').map(({ user, claim, earned, queued: waiting }) => [user, claim, earned, waiting]),
    [[bob, units('BTC', '10'), 0, 0]],
  )
  assert.equal(cancelled.of('lend.pool')[0]!.queued, queued - units('BTC', '2.2'))
  assert.deepEqual(
    restoreState(desk.world.exchange.dump()).margin.pools[2]!.queue.map(({ user }) => user),
    [lender, carol],
  )
  desk.world.isReplayable()
})

test('LEND-QUEUE-002: what one command leaves of a paid queue, the next redemption or cancellation pays on', () => {
  for (const isCancelled of [false, true]) {
    const desk = given()
    const names = ['bob', 'carol', 'dave', 'eve', 'frank', 'grace']
    for (const name of names) {
      desk.user(name, { BTC: '10' })
      desk.supply(name, 'BTC', '10').isAccepted()
    }
    desk.world.gives('alice', 'BTC', '50').gives('alice', 'USDT', '20000000')
    desk.enter('alice', 'USDT', '20000000').isAccepted()
    // 144 of 160 BTC are lent. The lender takes the others out, and waits for the loan's first interest of 0.144.
    desk.borrow('alice', 'BTC', '144').isAccepted()
    desk.withdraw('lender', 'BTC', '16').isAccepted()
    // Then come 75 places of 0.1 BTC. One command pays 64 places: seven of eve's and all of frank's are left.
    const places = [20, 20, 20, 10, 5]
    for (const [n, count] of places.entries()) for (let k = 0; k < count; k++) desk.withdraw(names[n]!, 'BTC', '0.1').isAccepted()
    desk.repay('alice', 'BTC', '10').isAccepted()
    const queued = (): readonly number[] => names.map((name) => desk.claim(name, 'BTC')!.queued)
    assert.deepEqual(queued(), [0, 0, 0, units('BTC', '0.7'), units('BTC', '0.5'), 0])
    const told = isCancelled ? desk.cancel('eve', 'BTC') : desk.withdraw('grace', 'BTC', '0.2')
    told.isAccepted()
    assert.deepEqual(queued(), [0, 0, 0, 0, 0, 0])
    const paid = isCancelled ? [desk.spot('eve', 'BTC'), desk.spot('frank', 'BTC')] : [desk.spot('frank', 'BTC'), desk.spot('grace', 'BTC')]
    assert.deepEqual(paid, isCancelled ? [units('BTC', '0.3'), units('BTC', '0.5')] : [units('BTC', '0.5'), units('BTC', '0.2')])
    desk.world.isReplayable()
  }
})

test('LEND-INTEREST-001: a redemption in a new hour earns the hour that ended, before the clock has come', () => {
  for (const isCancelled of [false, true]) {
    const desk = given()
    desk.enter('alice', 'BTC', '2').isAccepted()
    desk.borrow('alice', 'USDT', '50000').isAccepted()
    // The hour’s interest is 50 USDT; the lender of everything gets 42.50.
    if (isCancelled) desk.withdraw('lender', 'USDT', '1000000').isAccepted()
    desk.world.atMs = (Math.floor(desk.world.atMs / hour) + 1) * hour
    const told = (isCancelled ? desk.cancel('lender', 'USDT') : desk.withdraw('lender', 'USDT', '1')).isAccepted()
    const [claim] = told.of('lend.claim')
    assert.ok(isCancelled ? claim!.earned > 0 : claim!.earned === units('USDT', '42.5'), `${claim!.earned}`)
    assert.ok(told.of('lend.pool').length === 1)
  }
})

test('MARGIN-TERMS-002: new terms are told with the rate of every pool under them', () => {
  const desk = given()
  const changed = { ...terms, ...flat, rateZero: 2_000_000_000, rateKink: 2_000_000_000, rateFull: 2_000_000_000 }
  const told = desk.world.do({ type: 'margin.setTerms', terms: changed }).isAccepted()
  assert.deepEqual(
    told.of('margin.terms').map((one) => one.terms),
    [changed],
  )
  assert.deepEqual(
    told.of('lend.pool').map(({ asset, rate }) => [asset, rate]),
    [1, 2, 3].map((asset) => [asset, 2_000_000_000]),
  )
})

test('LEND-RATE-001: a command tells the pools that it changed once each, by asset, and a later one tells only its own', () => {
  const desk = given().user('mm', { USDT: '100000' })
  desk.enter('alice', 'USDT', '10000').isAccepted()
  desk.borrow('alice', 'USDT', '100').isAccepted()
  desk.world.buy('mm', 50_000, 100).isAccepted()
  // The short sale borrows BTC first, and its proceeds then repay USDT.
  const told = desk.world.sell('alice', 50_000, 100, cross('both')).isAccepted()
  assert.deepEqual(
    told.of('lend.pool').map(({ asset }) => asset),
    [1, 2],
  )
  assert.deepEqual(
    desk
      .supply('bob', 'BTC', '1')
      .isAccepted()
      .of('lend.pool')
      .map(({ asset }) => asset),
    [2],
  )
  // Debts are listed by asset, whichever came first.
  desk.borrow('alice', 'ETH', '1').isAccepted()
  desk.borrow('alice', 'USDT', '100').isAccepted()
  const account = restoreState(desk.world.exchange.dump()).margin.accountsOf(desk.world.user('alice'))[0]!
  assert.deepEqual(
    account.debts.map(({ asset }) => asset),
    [1, 2, 3],
  )
})
