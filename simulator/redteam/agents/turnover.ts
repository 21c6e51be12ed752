import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Loose } from '../../scripts.ts'
import { BTC, coins, ETH, lotsFor } from '../coins.ts'
import type { Coin } from '../coins.ts'
import type { Stage } from '../stage.ts'

const dayMs = 86_400_000
const limit = 10_000
const nights = 3
const triesPerDay = 90
const inBtc = { symbol: 'ETHBTC', base: ETH.asset, quote: BTC.asset, tick: '0.00001', lot: '0.001' } as const
const inBtcTerms = { makerFeePpm: 1000, takerFeePpm: 1000, notionalMin: 1, lotsMin: 1, lotsMax: 1e7, bandPpm: 500_000, slippagePpm: 50_000 }

type Side = 'buy' | 'sell'

/**
 * In production, an attacker without a certificate tries to trade more than the limit of a day: by orders that rest, sleep, trail or
 * cancel each other, by amends, in several markets and in one of another quote asset, around midnight. A verified friend takes
 * the orders, sets prices, and is on the other side.
 */
export function turnover(stage: Stage): void {
  const [user, friend] = [stage.attacker(200_000), stage.attacker(2_000_000)]
  for (const { spot } of coins) stage.bots.set(spot, 'deep')
  for (const one of [user, friend]) fill(stage, one)
  for (const { spot } of coins) stage.bots.set(spot, 'thin')
  const { markets } = stage.desk.exchange.listing()
  // A combination may play this twice.
  const known = markets.find(({ symbol }) => symbol === inBtc.symbol)
  const market = known?.id ?? markets.length + 1
  if (known === undefined) stage.must({ type: 'market.list', ...inBtc, terms: { ...inBtcTerms, openOrdersMax: 200, isTrading: true } })
  stage.pass(2000)
  stage.must({ type: 'user.certify', user, isCertified: false })
  const watch = new Watch(stage, user)
  stage.desk.inProduction(() => {
    for (let night = 0; night < nights; night++) {
      for (let n = 0; n < triesPerDay; n++) {
        attempt(stage, user, friend, market)
        watch.look()
        if (stage.random.chance(0.15)) stage.pass(1000, () => watch.look())
        if (stage.random.chance(0.05)) stage.shock(stage.random.pick(coins), (stage.random.unit() - 0.5) * 0.1)
        watch.look()
      }
      // To just before midnight, with orders left open, and over it.
      const midnight = (Math.floor(stage.desk.atMs / dayMs) + 1) * dayMs
      stage.desk.atMs = midnight - stage.random.between(1, 2000)
      stage.pass(250)
      watch.look()
    }
    for (const one of [user, friend]) stage.cancelAll(one)
    watch.look()
  })
}

/** Gives a user of the strategy some of each coin, bought from the bots. */
function fill(stage: Stage, user: number): void {
  stage.pass(1000)
  for (const coin of coins)
    stage.spot(user, coin, 'buy', lotsFor(coin, 20_000, stage.price(coin)), stage.price(coin) * 1.02, { timeInForce: 'IOC' })
}

/** One order, amend, cancel or answer of the friend. */
function attempt(stage: Stage, user: number, friend: number, inBtcMarket: number): void {
  const { random } = stage
  const coin = random.pick(coins)
  const side: Side = random.chance(0.5) ? 'buy' : 'sell'
  const usdt = random.pick([50, 500, 2000, 5000, 9000, 9999, 10_000, 10_001, 20_000])
  const price = stage.price(coin) * (1 + (random.unit() - 0.5) * 0.03)
  const lots = lotsFor(coin, usdt, price)
  const kind = random.weighted({ limit: 5, market: 3, stop: 4, list: 2, amend: 4, cancel: 2, friend: 4, take: 9, cross: 3 })
  if (kind === 'limit') stage.spot(user, coin, side, lots, price, { timeInForce: random.pick(['GTC', 'GTC', 'IOC', 'FOK']) })
  else if (kind === 'market') stage.run(marketOrder(stage, user, coin, side, usdt))
  else if (kind === 'stop') stage.run(sleeping(stage, user, coin, side, usdt))
  else if (kind === 'list') stage.run(list(stage, user, coin, side, lots))
  else if (kind === 'amend') amendOne(stage, user)
  else if (kind === 'cancel') stage.cancelAll(user, coin.spot)
  else if (kind === 'take') takeOne(stage, user, friend)
  else if (kind === 'friend')
    stage.spot(friend, coin, side, lots * random.between(1, 3), price, random.chance(0.5) ? { timeInForce: 'IOC' } : {})
  else for (const one of [friend, user]) inBtcOrder(stage, one, inBtcMarket, one === user ? side : other(side), usdt)
}

function other(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy'
}

function marketOrder(stage: Stage, user: number, coin: Coin, side: Side, usdt: number): Loose {
  const size = stage.random.chance(0.5) ? { spend: Math.round(usdt * 1e6) } : { lots: lotsFor(coin, usdt, stage.price(coin)) }
  const base = { type: 'spot.place' as const, user, clientId: '', market: coin.spot, side, orderType: 'market', timeInForce: 'IOC' }
  return { ...base, isPostOnly: false, selfTrade: 'none', ...size }
}

function sleeping(stage: Stage, user: number, coin: Coin, side: Side, usdt: number): Loose {
  const { random } = stage
  const isRise = random.chance(0.5)
  const near = Math.round((stage.price(coin) * (1 + (isRise ? 1 : -1) * random.unit() * 0.02) * 1e8) / coin.indexPerTick)
  const direction = isRise ? 'rises-to' : 'falls-to'
  const trigger = random.chance(0.3)
    ? { kind: 'trailing', trailPpm: random.between(1000, 9000), direction }
    : { kind: 'stop', price: near, direction }
  const order = marketOrder(stage, user, coin, side, usdt)
  if (random.chance(0.5)) return { ...order, trigger }
  const { spend: _, ...rest } = { spend: 0, ...order }
  return { ...rest, orderType: 'limit', timeInForce: 'GTC', price: near, lots: lotsFor(coin, usdt, stage.price(coin)), trigger }
}

function list(stage: Stage, user: number, coin: Coin, side: Side, lots: number): Loose {
  const away = (part: number): number => Math.round((stage.price(coin) * (1 + part) * 1e8) / coin.indexPerTick)
  const [limitPrice, stopPrice] = side === 'sell' ? [away(0.01), away(-0.01)] : [away(-0.01), away(0.01)]
  const base = {
    type: 'spot.placeOco' as const,
    user,
    clientId: '',
    market: coin.spot,
    side,
    lots,
    limitPrice,
    stopPrice,
    selfTrade: 'none',
  }
  return stage.random.chance(0.3) ? { ...base, limitTrigger: limitPrice } : base
}

function amendOne(stage: Stage, user: number): void {
  const { random } = stage
  const open = stage.desk.exchange.openOrders(user as UserId)
  if (open.length === 0) return
  const { order, market, price, lots, trigger, status } = random.pick([...open])
  const change =
    status === 'pending' && trigger?.kind === 'stop'
      ? { triggerPrice: Math.max(1, Math.round(trigger.price * random.pick([0.97, 1.01, 1.03]))) }
      : random.chance(0.5)
        ? { lots: Math.max(1, Math.round(lots * random.pick([0.5, 1.1, 3]))) }
        : { price: Math.max(1, Math.round(price * random.pick([0.97, 1.03]))) }
  stage.run({ type: 'spot.amend', user, clientId: '', market, order, orderClientId: '', ...change })
}

/** The friend takes an order that rests, or trades at the trigger of one that sleeps. */
function takeOne(stage: Stage, user: number, friend: number): void {
  const open = stage.desk.exchange.openOrders(user as UserId)
  if (open.length === 0) return
  const { market, side, price, lots, trigger, status } = stage.random.pick([...open])
  const base = { type: 'spot.place' as const, user: friend, clientId: '', market, orderType: 'limit', isPostOnly: false, selfTrade: 'none' }
  if (status === 'open' && price > 0) {
    stage.run({ ...base, side: other(side), price, lots, timeInForce: 'IOC' })
    return
  }
  if (trigger?.kind !== 'stop') return
  // A trade of the friend with a third account at the trigger, and something for the woken order to trade with.
  const first: Side = trigger.direction === 'falls-to' ? 'sell' : 'buy'
  stage.run({ ...base, side: other(side), price: trigger.price, lots: Math.max(lots, 1), timeInForce: 'GTC' })
  stage.run({ ...base, side: first, price: trigger.price, lots: 1 + lots, timeInForce: 'IOC' })
}

/** An order in the market that is quoted in bitcoin. */
function inBtcOrder(stage: Stage, user: number, market: number, side: Side, usdt: number): void {
  const price = Math.max(1, Math.round((stage.price(ETH) / stage.price(BTC)) * 1e5))
  const lots = Math.max(1, Math.floor(usdt / stage.price(ETH) / 0.001))
  const timeInForce = stage.random.pick(['GTC', 'GTC', 'IOC'])
  const order = { orderType: 'limit', timeInForce, price, lots, isPostOnly: false, selfTrade: 'none' }
  stage.run({ type: 'spot.place', user, clientId: '', market, side, ...order })
}

/** Notes when the turnover of a user's day exceeds the limit. It is the volume of thirty days, less that of the days before. */
class Watch {
  readonly #stage: Stage
  readonly #user: UserId
  #day: number
  /** Volume at the last look, and at the last one of the day before. */
  #last: number
  #before: number

  constructor(stage: Stage, user: number) {
    this.#stage = stage
    this.#user = user as UserId
    // The first day began while the user was verified: it counts from the loss of the certificate.
    this.#last = this.#volume
    this.#before = this.#last
    this.#day = this.#today
  }

  get #volume(): number {
    return this.#stage.desk.exchange.tier(this.#user).volume / 1e6
  }

  get #today(): number {
    return Math.floor(this.#stage.desk.atMs / dayMs)
  }

  /** Call it after every command: what was traded since the last call belongs to this day. */
  look(): void {
    if (this.#today !== this.#day) this.#before = this.#last
    this.#day = this.#today
    this.#last = this.#volume
    const traded = this.#last - this.#before
    if (traded > limit) this.#stage.note(`${traded.toFixed(6)} USDT were traded in one day without a certificate`)
  }
}
