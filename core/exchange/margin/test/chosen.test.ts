/** What a liquidation acts on, and what it leaves alone. Loans bear no interest unless a test says so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Told } from '../../test/world.ts'
import { btcusdt, ethusdt, free, open, units } from './world.ts'
import { cross, endow, isolated, quotes, tick } from './stressed.ts'
import type { MarginWorld } from './world.ts'

const noInterest = { ...free, rateZero: 0, rateKink: 0, rateFull: 0 }

function people(changed: object = noInterest): MarginWorld {
  const desk = open(changed)
  return desk.user('alice', { USDT: '100000', BTC: '2', ETH: '40' }).user('mm', { BTC: '1000', ETH: '10000', USDT: '100000000' })
}

/** Orders that liquidations placed by this command, as "side market". */
const placed = (told: Told): readonly string[] => told.of('order.accepted').map(({ side, market }) => `${side} ${market}`)

/** Alice is long with 1.8981 BTC and owes 85,000 USDT in an isolated account. */
function long(changed: object = noInterest): MarginWorld {
  const desk = people(changed)
  desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  quotes(desk, [], [[50_000, 10_000]])
  desk.world.buy('alice', 50_000, 1_900, isolated('borrow')).isAccepted()
  quotes(desk, [], [])
  return desk
}

test('MARGIN-LIQ-004: the more valuable of two coins is sold first; of equal ones, the one with the lower number', () => {
  for (const [btc, eth, first] of [
    ['0.1', '6', 'sell 3'],
    ['0.3', '2', 'sell 1'],
    ['0.2', '4', 'sell 1'],
  ] as const) {
    const desk = people()
    const { world } = desk
    // Coins worth 20,000 against 9,900, and 10,800 after a fall.
    desk.enter('alice', 'BTC', btc).isAccepted()
    desk.enter('alice', 'ETH', eth).isAccepted()
    desk.borrow('alice', 'USDT', '9900').isAccepted()
    desk.leave('alice', 'USDT', '9900').isAccepted()
    const alone = desk.prices(27_000, 1_350)
    assert.deepEqual([placed(alone), desk.account('alice').state], [[], 'liquidating'], 'without a buyer there is no order')
    quotes(desk, [[27_000, 1_000]], [])
    world.buy('mm', 135_000, 10_000, { market: ethusdt }).isAccepted()
    assert.equal(placed(desk.prices(27_000, 1_350))[0], first, `${btc} BTC, ${eth} ETH`)
    world.isReplayable()
  }
})

test('MARGIN-LIQ-004: the larger of two debts is bought back first; of equal ones, the one with the lower number', () => {
  for (const [btc, eth, first] of [
    [200, 11_200, 'buy 3'],
    [560, 4_000, 'buy 1'],
    [380, 7_600, 'buy 1'],
  ] as const) {
    const desk = people()
    const { world } = desk
    // Both are sold short for 38,000 together, next to 10,000 of own money.
    desk.enter('alice', 'USDT', '10000').isAccepted()
    quotes(desk, [[50_000, 1_000]], [])
    world.buy('mm', 250_000, 100_000, { market: ethusdt }).isAccepted()
    world.sell('alice', 50_000, btc, cross('borrow')).isAccepted()
    world.place('alice', { market: ethusdt, side: 'sell', price: 250_000, lots: eth, ...cross('borrow') }).isAccepted()
    // 15 % more: 47,962 against 43,700.
    quotes(desk, [], [[57_500, 10_000]])
    world.sell('mm', 287_500, 100_000, { market: ethusdt }).isAccepted()
    assert.equal(placed(desk.prices(57_500, 2_875))[0], first, `${btc} BTC, ${eth} ETH`)
    world.isReplayable()
  }
})

test('MARGIN-LIQ-012: an account whose debts all wait for their prices keeps its assets, although another debt was just repaid', () => {
  const desk = people()
  const { world } = desk
  // 0.5 BTC sold short, 10 ETH, and 1,000 USDT that are owed and still there.
  desk.enter('alice', 'ETH', '12').isAccepted()
  desk.borrow('alice', 'USDT', '1000').isAccepted()
  quotes(desk, [[50_000, 10_000]], [])
  world.sell('alice', 50_000, 500, cross('borrow')).isAccepted()
  quotes(desk, [], [])
  const usdt = desk.balance('alice', 'USDT').available
  assert.equal(usdt, units('USDT', '25975'))
  // All the USDT but the owed thousand buy ETH.
  world.sell('mm', 250_000, 100_000, { market: ethusdt }).isAccepted()
  world.place('alice', { market: ethusdt, side: 'buy', price: 250_000, lots: 9_990, ...cross('none') }).isAccepted()
  endow(desk, '50000')
  const before = ['USDT', 'ETH'].map((asset) => desk.balance('alice', asset as 'USDT').available)
  assert.deepEqual(before, [units('USDT', '1000'), units('ETH', '21.98001')])
  // ETH falls while BTC has no good price: 1,000 + 27,475 against 1,000 and 25,000.
  tick(desk, 50_000, false, 2_500, true)
  const told = [tick(desk, 50_000, false, 1_250, true)]
  desk.waits(1_000, (one) => told.push(one))
  assert.equal(desk.account('alice').state, 'liquidating')
  assert.equal(desk.balance('alice', 'USDT').principal, 0, 'the USDT debt is repaid')
  assert.equal(desk.balance('alice', 'ETH').available, units('ETH', '21.98001'), 'the ETH stay the account’s')
  assert.equal(desk.system('insurance-margin', 'ETH'), 0)
  assert.ok(world.exchange.nextDueAtMs > world.atMs, 'nothing is due now')
  assert.deepEqual(
    told.flatMap((one) => one.of('margin.liquidated')),
    [],
  )
  world.isReplayable()
})

test('MARGIN-LIQ-012: while more than a small remainder waits for its price, remainders below a lot are not given up', () => {
  const desk = people({ ...noInterest, loanMin: units('USDT', '10') })
  desk.enter('alice', 'ETH', '10').isAccepted()
  // 0.0009 BTC are worth 45 USDT, more than a small remainder and less than a lot.
  desk.enter('alice', 'BTC', '0.0009').isAccepted()
  desk.borrow('alice', 'USDT', '12000').isAccepted()
  desk.leave('alice', 'USDT', '12000').isAccepted()
  endow(desk, '50000')
  desk.prices(50_000, 1_300)
  assert.equal(desk.account('alice').state, 'liquidating')
  const told = tick(desk, 50_000, true, 1_300, false)
  assert.deepEqual([placed(told), told.of('margin.liquidated')], [[], []])
  assert.equal(desk.balance('alice', 'ETH').available, units('ETH', '10'))
  assert.equal(desk.balance('alice', 'BTC').available, units('BTC', '0.0009'))
  assert.ok(desk.world.exchange.nextDueAtMs > desk.world.atMs, 'nothing is due now')
  desk.world.isReplayable()
})

test('MARGIN-LIQ-012: in an account without a good price nothing is repaid either', () => {
  const desk = long()
  desk.prices(46_900, 2_500)
  assert.equal(desk.account('alice', btcusdt).state, 'liquidating')
  desk.enter('alice', 'USDT', '10', btcusdt).isAccepted()
  assert.deepEqual(tick(desk, 46_900, false, 2_500, true).of('margin.loan'), [])
  assert.equal(desk.balance('alice', 'USDT', btcusdt).available, units('USDT', '10'))
  // With the price, the account's own money repays.
  const [repaid] = tick(desk, 46_900, true, 2_500, true).of('margin.loan')
  assert.deepEqual([repaid!.cause, repaid!.delta], ['liquidation', -units('USDT', '10')])
  assert.equal(desk.balance('alice', 'USDT', btcusdt).available, 0)
})

test('MARGIN-FUND-001: an account is taken over when costs and the reserve of 0.5 % exceed its own money, but not when they equal it', () => {
  // At a level of 1.011123 the account covers costs of 1.1 % exactly: 10^6 − 989,000 − 11,000.
  for (const [ppm, isTaken] of [
    [1_011_123, false],
    [1_011_122, true],
  ] as const) {
    const desk = long()
    endow(desk, '1000000')
    // The level is ⌊1.8981 BTC × price ÷ 85,000⌋.
    const price = Math.ceil((ppm * 85_000 * 100) / 1.8981) / 1e8
    const told = desk.prices(price, 2_500)
    assert.equal(desk.account('alice', btcusdt).levelPpm, ppm)
    assert.equal(told.of('margin.liquidated').length, isTaken ? 1 : 0)
    assert.deepEqual(placed(told), [])
    desk.world.gives('alice', 'USDT', '10')
    assert.equal(desk.enter('alice', 'USDT', '10', btcusdt).outcome.refusal, isTaken ? 'ACCOUNT_LIQUIDATING' : undefined)
  }
})

test('MARGIN-FUND-001: the proceeds of a patient step repay debt at once', () => {
  const desk = long({ ...noInterest, fundAssetPpm: 1_000_000, fundAllPpm: 1_000_000, fundFastPpm: 1_000_000 })
  endow(desk, '1000000')
  desk.world.atMs += 60_000
  desk.prices(44_500, 2_500)
  quotes(desk, [[44_100, 100_000]], [])
  desk.user('taker', { BTC: '1' }).world.sell('taker', 44_100, 1_000).isAccepted()
  const told = desk.prices(44_500, 2_500)
  // A tenth of the last minute's 1,000 lots: 4,410 less 0.1 %. The account owes more than it has, so there is no fee.
  told.traded('44100×100')
  const { principal, available } = desk.balance('alice', 'USDT', btcusdt)
  assert.deepEqual([principal, available], [units('USDT', '85000') - units('USDT', '4405.59'), 0])
  assert.equal(told.of('lend.pool').at(-1)!.borrowed, principal, 'the command reports the pool’s new loans')
})

test('MARGIN-INTEREST-002: a liquidation in a new hour first charges the hour, before the clock tick of that hour', () => {
  const desk = long({ ...free })
  const hour = 3_600_000
  desk.world.atMs = (Math.floor(desk.world.atMs / hour) + 1) * hour
  quotes(desk, [[46_900, 10_000]], [])
  const told = desk.prices(46_900, 2_500)
  const causes = told.of('margin.loan').map(({ cause }) => cause)
  assert.deepEqual(causes, ['interest', 'liquidation'])
})

test('MARGIN-LIQ-010: an account that its owner saved before its turn is not liquidated', () => {
  const desk = open(noInterest).user('mm', { BTC: '1000', USDT: '100000000' })
  const names = Array.from({ length: 20 }, (_, n) => `user${n}`)
  quotes(desk, [], [[50_000, 10_000]])
  for (const name of names) {
    desk.user(name, { USDT: '2000' }).enter(name, 'USDT', '1000', btcusdt).isAccepted()
    desk.world.place(name, { side: 'buy', price: 50_000, lots: 190, ...isolated('borrow') }).isAccepted()
  }
  quotes(desk, [[46_500, 100_000]], [])
  assert.equal(desk.prices(46_500, 2_500).of('margin.liquidated').length, 16)
  desk.enter('user18', 'USDT', '1000', btcusdt).isAccepted()
  assert.equal(desk.account('user18', btcusdt).state, 'safe')
  const told: Told[] = []
  desk.waits(1_000, (one) => told.push(one))
  const users = new Set(told.flatMap((one) => one.of('margin.liquidated').map(({ user }) => user)))
  assert.deepEqual([users.has(desk.world.user('user17')), users.has(desk.world.user('user18'))], [true, false])
  const { available, principal } = desk.balance('user18', 'USDT', btcusdt)
  assert.deepEqual([available, principal], [units('USDT', '1000'), units('USDT', '8500')])
})

test('MARGIN-LIQ-011: the fund buys nothing beyond 1 % from the index, and pays the market’s fee in the bought coin', () => {
  const short = (fee: number): MarginWorld => {
    const desk = people()
    desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
    quotes(desk, [[50_000, 10_000]], [])
    desk.world.sell('alice', 50_000, 1_700, isolated('borrow')).isAccepted()
    const { terms: spot } = desk.world.exchange.listing().markets[0]!
    desk.world.do({ type: 'market.set', market: btcusdt, terms: { ...spot, takerFeePpm: fee } }).isAccepted()
    endow(desk, '50000')
    return desk
  }
  const far = short(1_000)
  quotes(far, [], [[60_000, 1_581]])
  const told = [far.prices(60_000, 2_500)]
  far.waits(1_000, (one) => told.push(one))
  assert.deepEqual(
    told.flatMap((one) => one.of('traded').map(({ lots }) => lots)),
    [1_581],
  )
  assert.deepEqual(
    told.flatMap((one) => one.of('margin.liquidated').map(({ insured }) => insured)),
    [0],
  )
  // The fund has the account's last 55 USDT, and its own.
  assert.equal(far.system('insurance-margin', 'USDT'), units('USDT', '50055'))
  assert.equal(far.balance('alice', 'BTC', btcusdt).principal, units('BTC', '0.120581'))

  // At a fee of 1 %, 1.581 BTC repay 1.56519; 0.13481 ÷ 0.99 are 137 lots, and one more is bought.
  const dear = short(10_000)
  quotes(dear, [], [[60_000, 10_000]])
  const steps = [dear.prices(60_000, 2_500)]
  dear.waits(1_000, (one) => steps.push(one))
  assert.deepEqual(
    steps.flatMap((one) => one.of('traded').map(({ lots }) => lots)),
    [1_581, 138],
  )
})
