import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MarketId, UserId } from '../../../protocol/ids.ts'
import type { Ppm } from '../../../money/brand.ts'
import { borrowModes } from '../../../protocol/command/margin.ts'
import { decodeEvents } from '../../../protocol/codec/event.ts'
import type { Event } from '../../../protocol/event/index.ts'
import { loanCauses } from '../../../protocol/event/margin.ts'
import { lengthOf, Records } from '../../../protocol/codec/records.ts'
import { Exchange } from '../../exchange.ts'
import { btcusdt, ethusdt, free, open, units } from './world.ts'
import type { MarginWorld } from './world.ts'
import { random } from './random.ts'

const names = ['ann', 'bob', 'cem', 'dan', 'eva'] as const
const coins = ['USDT', 'BTC', 'ETH'] as const
const ids = { USDT: 1, BTC: 2, ETH: 3 } as const
const wholes = { USDT: 1e6, BTC: 1e8, ETH: 1e8 } as const
/** Typical amounts of each coin, in whole coins. */
const typical = { USDT: 20_000, BTC: 0.4, ETH: 8 } as const

/** Outcomes seen in any run; `wanted` lists those that the runs must have tried. */
const seen = new Set<string>()
const wanted: readonly string[] = [
  ...loanCauses,
  ...['sold', 'insured', 'queued', 'claimed', 'accepted', 'BORROW_LIMIT', 'POOL_EXHAUSTED', 'MARGIN_LEVEL_LOW', 'AMOUNT_BOUND'],
]

type Market = { btc: number; eth: number }

/** One random action of a user or of the market. A refusal is a valid outcome. */
function step(desk: MarginWorld, next: (below: number) => number, market: Market): void {
  const { world } = desk
  const name = names[next(names.length)]!
  const coin = coins[next(3)]!
  const user = world.user(name)
  const amount = 1 + next(typical[coin] * wholes[coin])
  const where = [0, 0, btcusdt, ethusdt][next(4)]!
  const asked = { user, clientId: '', asset: ids[coin] }
  switch (next(16)) {
    case 0:
      return void world.do({ type: 'lend.supply', ...asked, amount })
    case 1: {
      const lender = next(2) === 0 ? { user: world.user('lender'), amount: amount * 30 } : { amount }
      return void world.do({ type: 'lend.withdraw', ...asked, ...lender })
    }
    case 2:
      return void world.do({ type: 'lend.cancelWithdraw', ...asked })
    case 3:
    case 4:
      return borrow(desk, user, where, next)
    case 5:
      return void world.do({ type: 'margin.repay', ...asked, market: where, amount: next(2) * amount })
    case 6:
    case 7:
      return transfer(desk, user, ids[coin], where, amount, next(4) > 0)
    case 8:
    case 9:
    case 10:
      return order(desk, user, next, market)
    case 11:
      return void world.do({ type: 'spot.cancelAll', user, clientId: '', market: 0 })
    case 12:
      world.atMs += next(5_400_000)
      return clock(desk, next(3))
    case 13:
      return clock(desk, 20)
    default:
      world.atMs += 330_000
      market.btc = Math.max(5_000, Math.round(market.btc * (0.9 + next(200) / 1000)))
      market.eth = Math.max(200, Math.round(market.eth * (0.9 + next(200) / 1000)))
      quotes(desk, market, next)
      return void desk.prices(market.btc, market.eth, next(8) > 0)
  }
}

/** Borrows 60 to 101 % of the amount that may be borrowed. */
function borrow(desk: MarginWorld, user: number, where: number, next: (below: number) => number): void {
  const account = desk.world.exchange.marginAccounts(user as UserId, where as MarketId).find((one) => one.market === where)!
  const { asset, borrowable } = account.balances[next(account.balances.length)]!
  const amount = Math.floor((borrowable * (60 + next(42))) / 100)
  desk.world.do({ type: 'margin.borrow', user, clientId: '', market: where, asset, amount })
}

function transfer(desk: MarginWorld, user: number, asset: number, where: number, amount: number, isIn: boolean): void {
  const account = where === 0 ? 'margin-cross' : 'margin-isolated'
  const [from, to] = isIn ? ['spot', account] : [account, 'spot']
  const market = where === 0 ? {} : { market: where }
  desk.world.do({ type: 'funds.transfer', user, clientId: '', asset, from, to, amount, ...market })
}

function order(desk: MarginWorld, user: number, next: (below: number) => number, { btc, eth }: Market): void {
  const market = [btcusdt, ethusdt][next(2)]!
  const tick = market === btcusdt ? btc : eth * 100
  const price = Math.max(1, Math.round(tick * (0.97 + next(60) / 1000)))
  const lots = market === btcusdt ? 1 + next(3_000) : 1 + next(60_000)
  const kind = next(3)
  const shape =
    kind === 0
      ? { orderType: 'market', timeInForce: 'IOC', lots }
      : { orderType: 'limit', timeInForce: kind === 1 ? 'GTC' : 'IOC', price, lots }
  const stop = next(6) === 0 ? { trigger: { kind: 'stop', price, direction: next(2) === 0 ? 'rises-to' : 'falls-to' } } : {}
  const account = ['margin-cross', 'margin-isolated'][next(2)]
  const margin = next(6) === 0 ? {} : { margin: { account, borrow: borrowModes[next(4)] } }
  const side = next(2) === 0 ? 'buy' : 'sell'
  const rest = { isPostOnly: false, selfTrade: ['expire-taker', 'expire-maker', 'expire-both', 'none', 'decrement'][next(5)] }
  desk.world.do({ type: 'spot.place', user, clientId: '', market, side, ...shape, ...stop, ...margin, ...rest })
}

/** Bids and asks of `mm` around the index, sometimes far from it or missing. */
function quotes(desk: MarginWorld, { btc, eth }: Market, next: (below: number) => number): void {
  const { world } = desk
  world.do({ type: 'spot.cancelAll', user: world.user('mm'), clientId: '', market: 0 })
  const gap = [0.001, 0.001, 0.03, 0.2][next(4)]!
  for (const [market, tick] of [
    [btcusdt, btc],
    [ethusdt, eth * 100],
  ] as const) {
    if (next(6) > 0) world.buy('mm', Math.floor(tick * (1 - gap)), 5_000, { market })
    if (next(6) > 0) world.sell('mm', Math.ceil(tick * (1 + gap)), 5_000, { market })
  }
}

/** Runs clock ticks as long as something is due, but at most `most` of them. */
function clock(desk: MarginWorld, most: number): void {
  const { world } = desk
  for (let n = 0; n < most && world.exchange.nextDueAtMs <= world.atMs; n++) world.tick().isAccepted()
}

/**
 * `world.do` checks after every command that entries and accounts sum to zero, no user is below zero, `outside:loans` is minus the
 * sum of all debts, no pool has lent more than it has, and no interest is promised twice.
 */
for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
  test(`MARGIN-BOOKS-001: loans, pools and books agree after any commands, seed ${seed}`, () => {
    const next = random(seed * 7919)
    const desk = open().user('mm', { BTC: '10000', ETH: '100000', USDT: '1000000000' })
    for (const name of names) {
      desk.user(name, { USDT: '60000', BTC: '1', ETH: '20' })
      for (const where of [0, btcusdt, ethusdt]) desk.enter(name, 'USDT', '15000', where).isAccepted()
    }
    desk.withdraw('lender', 'BTC', '90').isAccepted()
    desk.withdraw('lender', 'USDT', '500000').isAccepted()
    if (seed % 2 === 0) desk.world.do({ type: 'funds.system', account: 'insurance-margin', asset: 1, amount: units('USDT', '20000') })
    const market = { btc: 50_000, eth: 2_500 }
    const saved: { at: number; dump: Uint8Array }[] = []
    for (let n = 0; n < 600; n++) {
      step(desk, next, market)
      if (n % 97 === 50) saved.push({ at: desk.world.log.length, dump: desk.world.exchange.dump() })
    }
    // At steady prices and with deep books every due liquidation is carried out.
    desk.world.atMs += 600_000
    desk.prices(market.btc, market.eth)
    quotes(desk, market, () => 1)
    for (let n = 0; n < 20; n++) {
      desk.prices(market.btc, market.eth)
      clock(desk, 50)
    }
    desk.world.isReplayable()
    const whole = eventsFrom(desk, Exchange.create(), 0)
    for (const event of decodeEvents(whole, 0, whole.length)) {
      if (event.type === 'margin.loan') seen.add(event.cause)
      else if (event.type === 'margin.liquidated') seen.add(event.order === 0 ? 'insured' : 'sold')
      else if (event.type === 'lend.claim') seen.add(event.queued > 0 ? 'queued' : 'claimed')
      else if (event.type === 'outcome') seen.add(event.refusal ?? 'accepted')
    }
    for (const { at, dump } of saved) {
      const tail = eventsFrom(desk, Exchange.restore(dump), at)
      assert.deepEqual(tail, whole.subarray(whole.length - tail.length), 'an exchange restored from a dump emits the same events')
    }
    assert.deepEqual(eventsFrom(desk, Exchange.create(), 0, 5), whole, 'an exchange restored after every few commands does too')
  })
}

/** Events of the commands of the log from slot `from` on; the exchange is dumped and restored after every `every` commands. */
function eventsFrom({ world }: MarginWorld, begin: Exchange, from: number, every = Infinity): Float64Array {
  const events = new Records()
  let exchange = begin
  let count = 0
  for (let at = from; at < world.log.length; at += lengthOf(world.log.data[at]!)) {
    exchange.execute(world.log.data, at, events)
    if (++count % every === 0) exchange = Exchange.restore(exchange.dump())
  }
  assert.equal(exchange.hash(), world.exchange.hash())
  return events.data.slice(0, events.length)
}

test('MARGIN-BOOKS-001: the random runs reached all wanted outcomes', () => {
  assert.deepEqual(
    wanted.filter((what) => !seen.has(what)),
    [],
  )
})

/** Terms under which the fund takes nothing over. */
const idle = { fundAssetPpm: 0 as Ppm, fundAllPpm: 0 as Ppm, fundFastPpm: 0 as Ppm }

test('MARGIN-BOOKS-002: when prices jump, every loss is accounted for: first the borrower pays, then the fund, and the rest stays owed', () => {
  let insured = 0
  for (const seed of [11, 12, 13]) {
    const next = random(seed)
    const desk = open({ ...free, ...idle }).user('mm', { BTC: '10000', ETH: '100000', USDT: '1000000000' })
    desk.world.do({ type: 'funds.system', account: 'insurance-margin', asset: 1, amount: units('USDT', '30000') })
    for (const name of names) {
      desk.user(name, { USDT: '20000' })
      for (const market of [0, btcusdt]) desk.enter(name, 'USDT', '10000', market).isAccepted()
    }
    let market = { btc: 50_000, eth: 2_500 }
    quotes(desk, market, () => 1)
    const rich = total(desk)
    for (const name of names) {
      const side = next(2) === 0 ? 'buy' : 'sell'
      const isBuy = side === 'buy'
      desk.world.place(name, {
        side,
        price: isBuy ? 50_050 : 49_950,
        lots: 700 + next(900),
        margin: { account: 'margin-isolated', borrow: 'both' },
      })
      desk.world.place(name, {
        side,
        price: isBuy ? 50_050 : 49_950,
        lots: 100 + next(700),
        margin: { account: 'margin-cross', borrow: 'both' },
      })
    }
    for (let n = 0; n < 12; n++) {
      desk.world.atMs += 400_000
      market = { btc: Math.round(market.btc * (0.8 + next(450) / 1000)), eth: 2_500 }
      quotes(desk, market, () => 1)
      desk.prices(market.btc, market.eth)
      quotes(desk, market, () => 1)
      desk.prices(market.btc, market.eth)
      clock(desk, 100)
      assert.deepEqual(total(desk), rich, 'no money appears or disappears')
      for (const name of names) {
        for (const { debt, assets, state } of desk.world.exchange.marginAccounts(desk.world.user(name))) {
          // With deep books no account keeps assets below its debt: either the fund has paid, or it is empty.
          if (debt > assets) assert.ok(assets === 0 && state === 'liquidating' && desk.system('insurance-margin', 'USDT') < 100_000_000)
        }
      }
    }
    desk.world.isReplayable()
    insured += eventsOf(desk).reduce((sum, event) => sum + (event.type === 'margin.liquidated' ? event.insured : 0), 0)
  }
  assert.ok(insured > 0, 'the fund was needed')
})

function eventsOf(desk: MarginWorld): readonly Event[] {
  const events = eventsFrom(desk, Exchange.create(), 0)
  return decodeEvents(events, 0, events.length)
}

/** Sum of all accounts in each asset, less debts. */
function total(desk: MarginWorld): readonly number[] {
  const sums = [0, 0, 0]
  for (const { account, available, held } of desk.world.exchange.accounts()) {
    if ('system' in account && account.system === 'outside:sandbox') continue
    sums[account.asset - 1] = sums[account.asset - 1]! + available + held
  }
  return sums
}
