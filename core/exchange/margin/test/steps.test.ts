/** Steps of liquidations to the unit. Loans bear no interest here, so that every figure follows from prices and fees alone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Told } from '../../test/world.ts'
import { btcusdt, ethusdt, free, open, units } from './world.ts'
import { cross, isolated, endow, quotes } from './stressed.ts'
import type { MarginWorld } from './world.ts'

const noInterest = { rateZero: 0, rateKink: 0, rateFull: 0 }

function people(changed: object = free): MarginWorld {
  const desk = open({ ...changed, ...noInterest })
  return desk.user('alice', { USDT: '10000', BTC: '1' }).user('mm', { BTC: '1000', ETH: '1000', USDT: '100000000' })
}

/** Alice bought 1.9 BTC at 50,000 with her 10,000 USDT and a loan of 85,000. After the fee she has 1.8981 BTC. */
function long(changed?: object): MarginWorld {
  const desk = people(changed)
  desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  quotes(desk, [], [[50_000, 10_000]])
  desk.world.buy('alice', 50_000, 1_900, isolated('borrow')).isAccepted()
  return desk
}

/** Alice sold 1.7 borrowed BTC at 50,000. After the fee she has 94,915 USDT. */
function short(): MarginWorld {
  const desk = people()
  desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  quotes(desk, [[50_000, 10_000]], [])
  desk.world.sell('alice', 50_000, 1_700, isolated('borrow')).isAccepted()
  return desk
}

/** What the command and the clock after it tell of liquidations. */
function liquidated(desk: MarginWorld, first: Told) {
  const told = [first]
  desk.waits(1_000, (one) => told.push(one))
  const user = desk.world.user('alice')
  const moved = told.flatMap((one) => one.of('entry').map(({ delta, heldDelta }) => delta !== 0 || heldDelta !== 0))
  assert.ok(moved.every(Boolean) && told.every((one) => one.of('margin.loan').every(({ delta }) => delta !== 0)))
  return {
    steps: told.flatMap((one) => one.of('margin.liquidated')).map(({ type: _, user: __, order: ___, ...rest }) => rest),
    trades: told.flatMap((one) => one.of('traded')).map(({ price, lots }) => `${price}×${lots}`),
    closed: told.flatMap((one) =>
      one
        .of('order.closed')
        .filter((each) => each.user === user)
        .map(({ reason }) => reason),
    ),
    states: told.flatMap((one) => one.of('margin.level').map(({ state }) => state)),
  }
}

test('MARGIN-LIQ-001: a step sells 1 % more than brings the level back to the warning, takes 0.5 % and repays with the rest', () => {
  const desk = long()
  quotes(desk, [[46_900, 10_000]], [])
  const { steps, trades, closed, states } = liquidated(desk, desk.prices(46_900, 2_500))
  // 1.8981 BTC are worth 89,020.89. To be back at 1.10 with costs of 0.6 %, (93,500 − 89,020.89) ÷ 0.0934 must be sold: 47,956.21.
  // With 1 % more that is 1.03275 BTC, in lots 1.033: 48,447.70 less 0.1 %.
  assert.deepEqual(trades, ['46900×1033'])
  assert.deepEqual([closed, states], [['filled'], ['liquidating', 'safe']])
  const fee = 241_996_262
  assert.deepEqual(steps, [
    { market: btcusdt, levelPpm: 1_047_304, liquidationPpm: 1_050_000, assets: 89_020_890_000, debt: 85_000_000_000, fee, insured: 0 },
  ])
  const repaid = 48_399_252_300 - fee
  assert.equal(desk.balance('alice', 'USDT', btcusdt).principal, 85_000_000_000 - repaid)
  assert.equal(desk.balance('alice', 'USDT', btcusdt).available, 0)
  assert.equal(desk.balance('alice', 'BTC', btcusdt).available, 86_510_000)
  assert.equal(desk.system('insurance-margin', 'USDT'), fee)
  desk.world.isReplayable()
})

test('MARGIN-LIQ-002: own money of the owed asset that brings the level back to the warning repays, and nothing is sold', () => {
  const desk = people()
  desk.enter('alice', 'USDT', '9500', btcusdt).isAccepted()
  quotes(desk, [], [[50_000, 10_000]])
  desk.borrow('alice', 'USDT', '80000', btcusdt).isAccepted()
  desk.world.buy('alice', 50_000, 790, isolated('none')).isAccepted()
  // 0.78921 BTC and 50,000 USDT against 80,000 are 1.0492 at 43,000. Then 0.78921 BTC against 30,000: 1.1312.
  quotes(desk, [[43_000, 10_000]], [])
  const { steps, trades, states } = liquidated(desk, desk.prices(43_000, 2_500))
  assert.deepEqual([steps, trades, states], [[], [], ['liquidating', 'safe']])
  const { principal, available } = desk.balance('alice', 'USDT', btcusdt)
  assert.deepEqual([principal, available], [units('USDT', '30000'), 0])
  assert.equal(desk.balance('alice', 'BTC', btcusdt).available, units('BTC', '0.78921'))
  desk.world.isReplayable()
})

test('MARGIN-LIQ-001: a sale far above the index that alone brings the level back leaves all debts as they are', () => {
  const desk = people()
  desk.world.gives('alice', 'BTC', '1')
  desk.enter('alice', 'BTC', '2').isAccepted()
  desk.borrow('alice', 'ETH', '12').isAccepted()
  desk.borrow('alice', 'USDT', '10000').isAccepted()
  desk.leave('alice', 'ETH', '12').isAccepted()
  desk.leave('alice', 'USDT', '10000').isAccepted()
  const { terms: spot } = desk.world.exchange.listing().markets[0]!
  desk.world.do({ type: 'market.set', market: btcusdt, terms: { ...spot, bandPpm: 500_000 } }).isAccepted()
  // 43,800 against 30,000 and 10,000: 1.095. The ETH debt is the larger one, so BTC is sold to buy ETH back.
  quotes(desk, [[26_000, 10_000]], [])
  const { steps, states } = liquidated(desk, desk.prices(21_900, 2_500))
  assert.deepEqual([steps.length, states], [1, ['liquidating', 'safe']])
  const usdt = desk.balance('alice', 'USDT')
  assert.deepEqual([usdt.principal, desk.balance('alice', 'ETH').principal], [units('USDT', '10000'), units('ETH', '12')])
  assert.ok(usdt.available > units('USDT', '10000'))
  desk.world.isReplayable()
})

test('MARGIN-LIQ-003: a step buys back as much of an owed coin as brings the level back to the warning, and its fee is in that coin', () => {
  const desk = short()
  quotes(desk, [], [[53_200, 10_000]])
  const { steps, trades, states } = liquidated(desk, desk.prices(53_200, 2_500))
  // 94,915 against 90,440. (99,484 − 94,915) ÷ 0.0934 × 1.01 are 49,407.82, in lots of 53.20: 929.
  assert.deepEqual(trades, ['53200×929'])
  assert.deepEqual(states, ['liquidating', 'safe'])
  // 0.5 % of 0.928071 BTC, worth 246.867152.
  const sums = { assets: 94_915_000_000, debt: 90_440_000_000, fee: 246_867_152, insured: 0 }
  assert.deepEqual(steps, [{ market: btcusdt, levelPpm: 1_049_480, liquidationPpm: 1_050_000, ...sums }])
  const owed = units('BTC', '1.7') - units('BTC', '0.928071') + 464_036
  const { principal, available } = desk.balance('alice', 'BTC', btcusdt)
  assert.deepEqual([principal, available, desk.system('insurance-margin', 'BTC')], [owed, 0, 464_036])
  assert.equal(desk.balance('alice', 'USDT', btcusdt).available, units('USDT', '94915') - 929 * 53_200 * 1000)
  desk.world.isReplayable()
})

test('MARGIN-LIQ-004: USDT buys the owed coin first; then a coin is sold for USDT without a fee, and the USDT buys the rest', () => {
  const desk = people()
  const { world } = desk
  desk.enter('alice', 'BTC', '1').isAccepted()
  world.buy('mm', 250_000, 100_000, { market: ethusdt }).isAccepted()
  // 12 borrowed ETH become 29,970 USDT.
  world.place('alice', { market: ethusdt, side: 'sell', price: 250_000, lots: 12_000, ...cross('borrow') }).isAccepted()
  quotes(desk, [[50_000, 10_000]], [])
  // At 6,000 the level is still above 1.10. After six minutes without a trade the index is the market's reference.
  world.atMs += 360_000
  assert.deepEqual(desk.prices(50_000, 6_000).of('order.accepted'), [])
  world.sell('mm', 610_000, 100_000, { market: ethusdt }).isAccepted()
  // 79,970 against 73,200. All USDT buy 4.913 ETH for 29,969.30; 0.70 stay.
  const { steps, trades, closed } = liquidated(desk, desk.prices(50_000, 6_100))
  assert.deepEqual(trades.slice(0, 2), ['610000×4913', '50000×47'])
  assert.equal(trades.length, 3)
  assert.deepEqual(closed, ['liquidation', 'filled', 'liquidation'])
  const [first, second, third] = steps
  // 0.5 % of 4.908087 ETH are 0.02454044, worth 149.696684.
  const sums = { assets: 79_970_000_000, debt: 73_200_000_000, fee: 149_696_684, insured: 0 }
  assert.deepEqual(first, { market: 0, levelPpm: 1_092_486, liquidationPpm: 1_100_000, ...sums })
  // 50,000.70 against 7.11645344 ETH: 43,410.365984. (50,356.024542 − 50,000.70) ÷ 0.15304 × 1.01 are 2,345 USDT, 0.047 BTC.
  const less = { assets: 50_000_700_000, debt: 43_410_365_984, fee: 0, insured: 0 }
  assert.deepEqual(second, { market: 0, levelPpm: 1_151_814, liquidationPpm: 1_100_000, ...less })
  // 0.047 BTC became 2,347.65.
  assert.deepEqual([third!.assets, third!.debt], [49_998_350_000, 43_410_365_984])
  assert.equal(desk.account('alice').state, 'safe')
  world.isReplayable()
})

test('MARGIN-LIQ-007: a gap costs all assets; the fund takes the rest below a lot and pays the difference to the unit', () => {
  const desk = long()
  endow(desk, '50000')
  quotes(desk, [[40_000, 10_000]], [])
  const { steps, trades, states } = liquidated(desk, desk.prices(40_000, 2_500))
  assert.deepEqual(trades, ['40000×1898'])
  assert.deepEqual(states, ['liquidating', 'safe'])
  // 75,924 are less than the debt: no fee. 75,920 less 0.1 % repay; 0.0001 BTC are left, worth 4.
  const paid = units('USDT', '85000') - units('USDT', '75844.08')
  assert.deepEqual(steps, [
    { market: btcusdt, levelPpm: 893_223, liquidationPpm: 1_050_000, assets: 75_924_000_000, debt: 85_000_000_000, fee: 0, insured: 0 },
    { market: btcusdt, levelPpm: 436, liquidationPpm: 1_050_000, assets: 4_000_000, debt: paid, fee: 0, insured: paid },
  ])
  assert.equal(desk.system('insurance-margin', 'USDT'), units('USDT', '50000') - paid)
  assert.equal(desk.system('insurance-margin', 'BTC'), 10_000)
  const { debt, assets } = desk.account('alice', btcusdt)
  assert.deepEqual([debt, assets], [0, 0])
  desk.world.isReplayable()
})

test('MARGIN-LIQ-011: the fund buys the missing coin for the rest of a debt, and what it spends too much comes back', () => {
  const desk = short()
  endow(desk, '50000')
  quotes(desk, [], [[60_000, 10_000]])
  const { steps, trades } = liquidated(desk, desk.prices(60_000, 2_500))
  // 94,915 USDT buy 1,581 lots for 94,860. 1.579419 BTC repay; the fund gets the 55 USDT and buys 122 lots for the other 0.120581.
  assert.deepEqual(trades, ['60000×1581', '60000×122'])
  // It paid 7,320 and got 0.001297 BTC back, worth 77.82.
  const [sold, insured] = steps
  assert.deepEqual([sold!.fee, sold!.insured, insured!.fee, insured!.insured], [0, 0, 0, units('USDT', '7242.18')])
  assert.deepEqual([insured!.assets, insured!.debt], [units('USDT', '55'), units('USDT', '7234.86')])
  assert.equal(desk.system('insurance-margin', 'USDT'), units('USDT', '42735'))
  assert.equal(desk.system('insurance-margin', 'BTC'), units('BTC', '0.001297'))
  const { debt, assets, state } = desk.account('alice', btcusdt)
  assert.deepEqual([debt, assets, state], [0, 0, 'safe'])
  desk.world.isReplayable()
})

test('MARGIN-LIQ-011: a fund with the coin pays from it; one without the price of a lot, or of 1 % above it, buys nothing', () => {
  const rich = short()
  rich.world.do({ type: 'funds.system', account: 'insurance-margin', asset: 2, amount: units('BTC', '0.2') }).isAccepted()
  endow(rich, '1000')
  quotes(rich, [], [[60_000, 10_000]])
  const paid = liquidated(rich, rich.prices(60_000, 2_500))
  assert.deepEqual(paid.trades, ['60000×1581'])
  // 0.120581 BTC are worth 7,234.86.
  assert.equal(paid.steps[1]!.insured, units('USDT', '7234.86'))
  assert.deepEqual([rich.system('insurance-margin', 'BTC'), rich.account('alice', btcusdt).debt], [units('BTC', '0.079419'), 0])

  // With the account's 55 USDT the fund has 60.599999 or 60.60: a lot at 1 % above the index costs 60.60.
  for (const [fund, bought] of [
    ['5.599999', 0],
    ['5.6', 1],
  ] as const) {
    const poor = short()
    endow(poor, fund)
    quotes(poor, [], [[60_000, 10_000]])
    const { trades } = liquidated(poor, poor.prices(60_000, 2_500))
    assert.equal(trades.length, 1 + bought)
    const { principal } = poor.balance('alice', 'BTC', btcusdt)
    assert.equal(principal, units('BTC', '0.120581') - bought * units('BTC', '0.000999'))
    assert.equal(poor.system('insurance-margin', 'USDT'), units('USDT', fund) + units('USDT', '55') - bought * units('USDT', '60'))
    poor.world.isReplayable()
  }
})

test('MARGIN-FUND-001: the fund works off an account by a tenth of the last minute’s volume per index tick, and at once when it may not wait', () => {
  // At 44,500 the 1.8981 BTC are worth 84,465.45. A fifth of that and the loss of 534.55 are 17,427.64: 5 % of 348,552.80.
  for (const [fund, lots] of [
    ['348552.8', 290],
    ['348552.799999', 1_898],
  ] as const) {
    const desk = long({})
    endow(desk, fund)
    quotes(desk, [[44_000, 100_000]], [])
    const early = liquidated(desk, desk.prices(44_500, 2_500))
    assert.deepEqual(early.trades, [])
    const sums = { assets: 84_465_450_000, debt: 85_000_000_000, fee: 0, insured: 0 }
    assert.deepEqual(early.steps, [{ market: btcusdt, levelPpm: 993_711, liquidationPpm: 1_050_000, ...sums }])
    // 1,900 and 1,000 lots were traded within the last minute. The fund sells at up to 1 % from the index.
    quotes(desk, [[44_100, 100_000]], [])
    desk.user('taker', { BTC: '1' }).world.sell('taker', 44_100, 1_000).isAccepted()
    const told = liquidated(desk, desk.prices(44_500, 2_500))
    assert.deepEqual(told.trades, [`44100×${lots}`], fund)
    desk.world.isReplayable()
  }
})

test('MARGIN-LIQ-015: assets worth exactly the debt pay it in full at the index, without a fee', () => {
  const desk = people()
  const { terms: spot } = desk.world.exchange.listing().markets[0]!
  desk.world.do({ type: 'market.set', market: btcusdt, terms: { ...spot, makerFeePpm: 0, takerFeePpm: 0 } }).isAccepted()
  desk.enter('alice', 'USDT', '10000', btcusdt).isAccepted()
  quotes(desk, [], [[50_000, 10_000]])
  desk.world.buy('alice', 50_000, 1_600, isolated('borrow')).isAccepted()
  quotes(desk, [[43_750, 10_000]], [])
  // 1.6 BTC at 43,750 are worth the 70,000 owed.
  const { steps, states } = liquidated(desk, desk.prices(43_750, 2_500))
  const sums = { assets: 70_000_000_000, debt: 70_000_000_000, fee: 0, insured: 0 }
  assert.deepEqual(steps, [{ market: btcusdt, levelPpm: 1_000_000, liquidationPpm: 1_050_000, ...sums }])
  assert.deepEqual([states, desk.account('alice', btcusdt).debt], [['liquidating', 'safe'], 0])
})

test('MARGIN-LIQ-005: an order that finds no lot for its money counts as no step', () => {
  const desk = short()
  desk.world.gives('alice', 'USDT', '16.1')
  desk.enter('alice', 'USDT', '16.1', btcusdt).isAccepted()
  quotes(
    desk,
    [],
    [
      [59_000, 1_608],
      [59_300, 1_000],
    ],
  )
  // 59.10 USDT are left. The fund takes the account over, and a lot within 1 % of the index costs 59.30.
  const { steps, trades } = liquidated(desk, desk.prices(59_000, 2_500))
  assert.deepEqual(trades, ['59000×1608'])
  assert.equal(steps.length, 2)
  assert.equal(desk.balance('alice', 'USDT', btcusdt).available, units('USDT', '59.1'))
})

test('MARGIN-LIQ-010: accounts that repay with their own money take one step each, and leave nothing to do', () => {
  const desk = open({ ...free, ...noInterest })
  const names = Array.from({ length: 16 }, (_, n) => `user${n}`)
  for (const name of names) {
    desk.user(name, { BTC: '0.2' }).enter(name, 'BTC', '0.2').isAccepted()
    const lent = desk.borrow(name, 'USDT', '9900').isAccepted()
    assert.deepEqual([lent.of('margin.loan').length, lent.of('lend.pool').length], [1, 1])
  }
  // 200 and the borrowed 9,900 against 9,900.
  const told = desk.prices(1_000, 2_500)
  assert.equal(told.of('margin.loan').length, 16)
  assert.equal(told.of('lend.pool').at(-1)!.borrowed, 0)
  assert.ok(desk.world.exchange.nextDueAtMs > desk.world.atMs)
  assert.deepEqual(new Set(names.map((name) => desk.account(name).state)), new Set(['safe']))
})

test('LEND-RATE-002: a command in a new hour tells every pool that has debts, without interest too', () => {
  const desk = people().user('bob', { BTC: '1' })
  desk.enter('alice', 'USDT', '10000').isAccepted()
  desk.borrow('alice', 'USDT', '100').isAccepted()
  desk.world.atMs += 3_600_000
  const told = desk.supply('bob', 'BTC', '1').isAccepted()
  assert.deepEqual(
    told.of('lend.pool').map(({ asset }) => asset),
    [1, 2],
  )
})
