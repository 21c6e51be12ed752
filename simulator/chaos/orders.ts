import type { Exchange } from '@candor/core/exchange/exchange.ts'
import { selfTradeModes, perpSelfTradeModes } from '@candor/core/protocol/command/order.ts'
import { borrowModes } from '@candor/core/protocol/command/margin.ts'
import { priceMatches } from '@candor/core/protocol/command/perp.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Random } from '../random.ts'
import type { Loose } from '../scripts.ts'
import { near, sum } from './numbers.ts'
import { assets, perpMarkets, spotMarkets } from './plans.ts'
import type { ChaosMarket } from './plans.ts'

type Side = 'buy' | 'sell'

/** Input of all generators of commands: the random generator, a view of the exchange, and prices in ticks. */
export type Scene = {
  readonly random: Random
  readonly exchange: Exchange
  readonly mid: (market: number) => number
  readonly user: () => number
  readonly clientId: () => string
}

export function spotOrder(scene: Scene, plan = scene.random.pick(spotMarkets)): Loose {
  const { random } = scene
  const side = random.pick<Side>(['buy', 'sell'])
  const user = scene.user()
  const margin = random.chance(0.4) ? { margin: marginOf(random) } : {}
  const asset = side === 'buy' ? plan.quote : plan.base
  const has =
    available(scene, user, margin.margin?.account, asset, plan.market) * (margin.margin === undefined ? 1 : random.pick([0.5, 1, 3, 9]))
  const price = priceOf(scene, plan, side)
  const lots = lotsFor(random, plan, side, price, has)
  const shared = { type: 'spot.place' as const, user, clientId: scene.clientId(), market: plan.market, side, ...margin }
  const selfTrade = random.pick(selfTradeModes)
  const strategy = random.chance(0.05) ? { strategy: { id: random.between(0, 9) } } : {}
  const expires = random.chance(0.2) ? { expires: true } : {}
  const more = { selfTrade, ...strategy, ...expires }
  const trigger = random.chance(0.3) ? { trigger: triggerOf(scene, plan) } : {}
  if (random.chance(0.35)) {
    const amount = random.chance(0.3)
      ? { spend: sum(random, side === 'buy' ? Math.floor(has) : Math.max(1, lots * price * plan.unit)) }
      : { lots }
    return { ...shared, orderType: 'market', timeInForce: 'IOC', isPostOnly: false, ...amount, ...more, ...trigger }
  }
  const timeInForce = random.weighted({ GTC: 8, IOC: 2, FOK: 2 })
  const isPostOnly = timeInForce === 'GTC' && random.chance(0.2)
  const display = timeInForce === 'GTC' && random.chance(0.1) ? { display: Math.max(1, Math.floor(lots / random.between(1, 5))) } : {}
  return { ...shared, orderType: 'limit', timeInForce, price, lots, isPostOnly, ...display, ...more, ...trigger }
}

export function oco(scene: Scene): Loose {
  const { random } = scene
  const plan = random.pick(spotMarkets)
  const side = random.pick<Side>(['buy', 'sell'])
  const user = scene.user()
  const margin = random.chance(0.35) ? { margin: marginOf(random) } : {}
  const asset = side === 'buy' ? plan.quote : plan.base
  const has = available(scene, user, margin.margin?.account, asset, plan.market)
  const mid = lastOf(scene, plan)
  const away = (): number => Math.max(1, Math.round(mid * random.pick([0.0002, 0.001, 0.004, 0.02]) * random.unit()))
  const [above, below] = [mid + away(), Math.max(1, mid - away())]
  const [limit, stop] = side === 'sell' ? [above, below] : [below, above]
  const sleeps = random.chance(0.35)
  const first = sleeps ? { limitTrigger: limit, ...(random.chance(0.5) ? { limitPrice: near(random, limit) } : {}) } : { limitPrice: limit }
  const second = random.chance(0.4) ? { stopLimit: near(random, stop) } : {}
  const tifs = {
    ...(sleeps && 'limitPrice' in first && random.chance(0.3) ? { limitTimeInForce: random.pick(['IOC', 'FOK']) } : {}),
    ...('stopLimit' in second && random.chance(0.3) ? { stopTimeInForce: random.pick(['IOC', 'FOK']) } : {}),
  }
  const lots = lotsFor(random, plan, side, mid, has * 0.95)
  return {
    type: 'spot.placeOco',
    user,
    clientId: scene.clientId(),
    market: plan.market,
    side,
    lots,
    ...first,
    stopPrice: stop,
    ...second,
    ...tifs,
    selfTrade: random.pick(selfTradeModes),
    ...margin,
  }
}

export function perpOrder(scene: Scene): Loose {
  const { random, exchange } = scene
  const plan = random.pick(perpMarkets)
  const user = scene.user()
  const account = exchange.perpAccount(user as UserId)
  const side = random.pick<Side>(['buy', 'sell'])
  const position = random.chance(0.03) ? random.pick(['both', 'long', 'short']) : account.isHedge ? random.pick(['long', 'short']) : 'both'
  const price = priceOf(scene, plan, side)
  const leverage = account.settings.find(({ market }) => market === plan.market)?.leverage ?? 1
  const standing = account.positions.find(({ market }) => market === plan.market)?.lots ?? 0
  const payable = Math.min(plan.lotsMax, Math.floor((account.transferable * leverage) / (price * plan.unit)))
  const most = random.chance(0.3) && standing !== 0 ? Math.abs(standing) : payable
  const lots = Math.max(1, sum(random, Math.max(1, most)))
  const isReduceOnly = random.chance(0.2)
  const shared = { type: 'perp.place' as const, user, clientId: scene.clientId(), market: plan.market, side, position, isReduceOnly }
  const isAsleep = random.chance(0.35)
  const isClosing = isAsleep && random.chance(0.25)
  const trigger = isAsleep ? { trigger: triggerOf(scene, plan) } : {}
  const more = { triggerBy: random.pick(['last', 'mark']), selfTrade: random.pick(perpSelfTradeModes), isClosing, ...trigger }
  const exits = !isReduceOnly && !isClosing && random.chance(0.3) ? { exits: exitsOf(scene, plan) } : {}
  const size = isClosing ? {} : { lots }
  if (random.chance(0.5)) return { ...shared, orderType: 'market', timeInForce: 'IOC', isPostOnly: false, ...size, ...more, ...exits }
  const timeInForce = random.weighted({ GTC: 8, IOC: 2, FOK: 1 })
  const isPostOnly = timeInForce === 'GTC' && random.chance(0.2)
  // A date of the past, one that is too near, and some that the run reaches.
  const ahead = random.pick([-1, 0, 600_000, 600_001, 600_001, 605_000, 660_000, 3_600_000, 86_400_000])
  const date = timeInForce === 'GTC' && !isPostOnly && random.chance(0.7) ? { goodTill: exchange.atMs + ahead } : {}
  const value = random.chance(0.35) ? { priceMatch: random.pick(priceMatches) } : { price }
  return { ...shared, orderType: 'limit', timeInForce, ...value, ...date, isPostOnly, ...size, ...more, ...exits }
}

export function cancelOrAmend(scene: Scene): Loose {
  const { random, exchange } = scene
  const user = scene.user()
  const orders = exchange.openOrders(user as UserId)
  if (orders.length === 0) return { type: 'spot.cancelAll', user, clientId: '', market: 0 }
  const order = random.pick(orders)
  const owner = random.chance(0.02) ? scene.user() : user
  const byName = order.clientId !== '' && random.chance(0.3)
  const reference = { user: owner, market: order.market, order: byName ? 0 : order.order, orderClientId: byName ? order.clientId : '' }
  const desk = order.perp === undefined ? 'spot' : 'perp'
  if (random.chance(0.45)) {
    const only = desk === 'spot' && random.chance(0.1) ? { only: random.pick(['unfilled', 'partly-filled']) } : {}
    return { type: `${desk}.cancel` as 'spot.cancel', clientId: scene.clientId(), ...reference, ...only }
  }
  const change = {
    ...(random.chance(0.7) ? { lots: Math.max(1, sum(random, Math.max(1, Math.floor(order.lots * random.pick([1, 1, 1.5]))))) } : {}),
    ...(random.chance(0.6) ? { price: random.chance(0.5) ? near(random, scene.mid(order.market)) : near(random, order.price || 1) } : {}),
  }
  if (desk === 'perp' && random.chance(0.2)) {
    const { price: _, ...rest } = change
    return { type: 'perp.amend', clientId: scene.clientId(), ...reference, ...rest, priceMatch: random.pick(priceMatches) }
  }
  if ((order.perp !== undefined || order.trigger?.kind === 'stop') && order.status === 'pending' && random.chance(0.7)) {
    const { lots, price } = change
    const parts = {
      ...(lots !== undefined && order.lots > 0 ? { lots } : {}),
      ...(price !== undefined && order.price > 0 ? { price } : {}),
    }
    const triggerPrice = near(random, scene.mid(order.market))
    return { type: `${desk}.amend` as 'spot.amend', clientId: scene.clientId(), ...reference, ...parts, triggerPrice }
  }
  const keeps = desk === 'spot' && random.chance(0.1) ? { keepsPriority: true } : {}
  return { type: `${desk}.amend` as 'spot.amend', clientId: scene.clientId(), ...reference, ...change, ...keeps }
}

function marginOf(random: Random): { readonly account: string; readonly borrow: string; readonly repaysAtEnd?: true } {
  const end = random.chance(0.3) ? { repaysAtEnd: true as const } : {}
  return { account: random.pick(['margin-cross', 'margin-isolated']), borrow: random.pick(borrowModes), ...end }
}

export function available(scene: Scene, user: number, account: string | undefined, asset: number, market: number): number {
  const kind = account ?? 'spot'
  for (const balance of scene.exchange.balances(user as UserId)) {
    const ref = balance.account
    if (!('kind' in ref) || ref.kind !== kind || ref.asset !== asset) continue
    if (kind !== 'margin-isolated' || ref.market === market) return balance.available
  }
  return 0
}

export function lotsFor(random: Random, plan: ChaosMarket, side: Side, price: number, has: number): number {
  const perLot = plan.unit * price
  const whole = Number(plan.lot) * (assets[plan.base - 1]?.whole as number)
  const most = side === 'buy' ? has / Math.max(1, perLot) : has / Math.max(1, whole)
  return Math.max(1, Math.floor(sum(random, Math.max(1, Math.floor(Math.min(most, plan.lotsMax))))))
}

export function lastOf(scene: Scene, plan: ChaosMarket): number {
  const { last } = scene.exchange.prices(plan.market as MarketId)
  return last > 0 && scene.random.chance(0.8) ? last : scene.mid(plan.market)
}

function priceOf(scene: Scene, plan: ChaosMarket, side: Side): number {
  const { random, exchange } = scene
  if (random.chance(0.35)) {
    const book = exchange.book(plan.market as MarketId)
    const level =
      random.pick(['own', 'other']) === 'own' ? (side === 'buy' ? book.bids : book.asks)[0] : (side === 'buy' ? book.asks : book.bids)[0]
    if (level !== undefined) return Math.max(1, level.price + random.pick([0, 0, 1, -1]))
  }
  return near(random, scene.mid(plan.market))
}

function triggerOf(scene: Scene, plan: ChaosMarket): object {
  const { random } = scene
  const base = lastOf(scene, plan)
  const direction = random.pick(['rises-to', 'falls-to'])
  const price = Math.max(
    1,
    Math.round(base * (1 + (direction === 'rises-to' ? 1 : -1) * random.pick([0.0001, 0.001, 0.01, 0.05]) * random.unit())),
  )
  if (random.chance(0.6)) return { kind: 'stop', price, direction }
  const activation = random.chance(0.4) ? { activation: price } : {}
  return { kind: 'trailing', trailPpm: random.pick([1_000, 1_000, 2_000, 10_000, 200_000, 999]), ...activation, direction }
}

function exitsOf(scene: Scene, plan: ChaosMarket): object {
  const { random } = scene
  const exit = (): object => ({ price: near(random, scene.mid(plan.market)), by: random.pick(['last', 'mark']) })
  const which = random.between(1, 3)
  return { ...((which & 1) !== 0 ? { takeProfit: exit() } : {}), ...((which & 2) !== 0 ? { stopLoss: exit() } : {}) }
}
