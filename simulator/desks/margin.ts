import { borrowModes } from '@candor/core/protocol/command/margin.ts'
import { selfTradeModes } from '@candor/core/protocol/command/order.ts'
import type { Loose } from '../scripts.ts'
import type { Maker } from './maker.ts'
import { assets, lender, spotMarkets, traders } from './plans.ts'
import type { DeskMarket } from './plans.ts'

/** Usual sums of each asset, in its units. */
const usualSums = [0, 3000e6, 0.05e8, 1.2e8]

/** Generates commands of people who trade in spot markets, with or without margin, borrow, and lend. */
export class MarginDesk {
  readonly #maker: Maker

  constructor(maker: Maker) {
    this.#maker = maker
  }

  marginOrder(): Loose {
    const { random } = this.#maker
    if (random.chance(0.08)) return this.#moveStop() ?? this.#oco()
    if (random.chance(0.12)) return this.#amend() ?? this.#oco()
    if (random.chance(0.08)) return this.#oco()
    const plan = random.pick(spotMarkets)
    const account = random.pick(['margin-cross', 'margin-isolated'])
    const order = this.#order(random.pick(traders), plan, random.between(1, 8))
    return { ...order, margin: { account, ...this.#borrows() } }
  }

  spotOrder(): Loose {
    const { random } = this.#maker
    return this.#order(this.#maker.anybody(), random.pick(spotMarkets), 1)
  }

  loan(): Loose {
    const { random, known } = this.#maker
    const loan = known.loans.size > 0 && random.chance(0.5) ? random.pick([...known.loans.values()]) : undefined
    const clientId = this.#maker.clientId()
    if (loan !== undefined) {
      const { user, market, asset, owed } = loan
      const amount = random.chance(0.4) ? 0 : random.between(1, Math.ceil(owed * 1.1))
      return { type: 'margin.repay', user, clientId, market, asset, amount }
    }
    const market = random.pick([0, 0, 1, 2, 3])
    const asset = this.#assetOf(market)
    const amount = Math.ceil((usualSums[asset] as number) * 3 * random.unit())
    return { type: 'margin.borrow', user: random.pick(traders), clientId, market, asset, amount }
  }

  /** An OCO around the price. A buying stop has a limit, so that the auditors know its hold. */
  #oco(): Loose {
    const { random, prices } = this.#maker
    const plan = random.pick(spotMarkets)
    const side = random.pick(['buy', 'sell'] as const)
    const mid = prices.mid(plan.market)
    const away = (part: number): number => Math.max(1, Math.round(mid * (1 + part * (side === 'buy' ? 1 : -1))))
    const stopPrice = away(0.002 + 0.02 * random.unit())
    const stopLimit =
      side === 'buy' || random.chance(0.5) ? { stopLimit: Math.max(1, Math.round(stopPrice * (0.99 + 0.02 * random.unit()))) } : {}
    const lots = Math.max(1, Math.floor(((usualSums[plan.quote] as number) * 4 * random.unit()) / (mid * plan.unit)))
    const margin = { account: random.pick(['margin-cross', 'margin-isolated']), ...this.#borrows() }
    const who = { user: random.pick(traders), clientId: this.#maker.clientId(), market: plan.market, side, lots }
    const limitPrice = away(-0.002 - 0.02 * random.unit())
    const gain = random.chance(0.4) ? { limitTrigger: away(-0.002 - 0.02 * random.unit()) } : {}
    const at = { limitPrice, ...gain, stopPrice, ...stopLimit }
    return { type: 'spot.placeOco', ...who, ...at, selfTrade: random.pick(selfTradeModes), ...(random.chance(0.85) ? { margin } : {}) }
  }

  /** How an order borrows, and whether an unused loan is repaid when it ends. */
  #borrows(): object {
    const { random } = this.#maker
    return { borrow: random.weighted(modeWeights), ...(random.chance(0.4) ? { repaysAtEnd: true } : {}) }
  }

  /** An amend of a resting margin order to another price or quantity. */
  #amend(): Loose | undefined {
    const { random, known } = this.#maker
    const own = [...known.orders.values()].filter(({ margin, trigger }) => margin !== undefined && trigger === undefined)
    if (own.length === 0) return undefined
    const { user, market, order, price, lots } = random.pick(own)
    const reference = { user, clientId: '', market, order, orderClientId: '' }
    const more = { lots: Math.max(1, Math.round(lots * 3 * random.unit())) }
    const dearer = { price: Math.max(1, Math.round(price * (0.99 + 0.02 * random.unit()))) }
    return { type: 'spot.amend', ...reference, ...random.pick([more, dearer, { ...more, ...dearer }]) }
  }

  /** An amend of a stop that sleeps, alone or a leg of an OCO, in the spot account or a margin account. */
  #moveStop(): Loose | undefined {
    const { random, known } = this.#maker
    const isSpot = (market: number): boolean => spotMarkets.some((plan) => plan.market === market)
    const own = [...known.orders.values()].filter(({ market, trigger }) => isSpot(market) && trigger?.kind === 'stop')
    if (own.length === 0) return undefined
    const { user, market, order, price, lots, list, trigger } = random.pick(own)
    const was = trigger?.kind === 'stop' ? trigger.price : 1
    const triggerPrice = Math.max(1, Math.round(was * (0.985 + 0.03 * random.unit())))
    const limit = price > 0 && random.chance(0.6) ? { price: Math.max(1, Math.round(triggerPrice * (0.99 + 0.02 * random.unit()))) } : {}
    const size = list === 0 && random.chance(0.4) ? { lots: Math.max(1, Math.round(lots * 3 * random.unit())) } : {}
    return { type: 'spot.amend', user, clientId: '', market, order, orderClientId: '', triggerPrice, ...limit, ...size }
  }

  /** A supply or withdrawal: large ones of one lender and small ones of others, so that pools run empty. */
  lend(): Loose {
    const { random, known } = this.#maker
    const clientId = this.#maker.clientId()
    const kind = random.weighted({ supply: 5, withdraw: 6, cancel: 1 })
    const claim = known.claims.size > 0 ? random.pick([...known.claims.values()]) : undefined
    if (kind === 'supply' || claim === undefined) {
      const user = random.chance(0.3) ? lender : this.#maker.anybody()
      const asset = random.between(1, assets.length)
      const amount = Math.ceil((usualSums[asset] as number) * (user === lender ? 20 : 1) * random.unit())
      return { type: 'lend.supply', user, clientId, asset, amount }
    }
    const { user, asset } = claim
    if (kind === 'cancel') return { type: 'lend.cancelWithdraw', user, clientId, asset }
    const part = random.chance(0.4) ? 1 : random.unit()
    return { type: 'lend.withdraw', user, clientId, asset, amount: Math.max(1, Math.floor((claim.claim - claim.queued) * part)) }
  }

  /** A market maker's order, which rests. */
  quote(user: number, plan: DeskMarket, side: 'buy' | 'sell', price: number, lots: number): Loose {
    const limit = { orderType: 'limit', timeInForce: 'GTC', price: Math.max(1, price), lots, isPostOnly: false }
    return { type: 'spot.place', user, clientId: '', market: plan.market, side, ...limit, selfTrade: 'expire-maker' }
  }

  #order(user: number, plan: DeskMarket, size: number): Loose {
    const { random, prices } = this.#maker
    const side = random.pick(['buy', 'sell'] as const)
    const mid = prices.mid(plan.market)
    const away = (random.unit() * 1.6 - 0.8) * 0.01 * (side === 'buy' ? -1 : 1)
    const price = Math.max(1, Math.round(mid * (1 + away)))
    const sum = (usualSums[plan.quote] as number) * size * random.unit()
    const lots = Math.max(1, Math.floor(sum / (mid * plan.unit)))
    const timeInForce = random.weighted({ GTC: 6, IOC: 2, FOK: 1 })
    const isMarket = random.chance(0.35)
    const shape = isMarket ? { orderType: 'market', timeInForce: 'IOC', isPostOnly: false } : { orderType: 'limit', timeInForce, price }
    const isPostOnly = !isMarket && timeInForce === 'GTC' && random.chance(0.1)
    const stop = Math.max(1, Math.round(mid * (0.97 + 0.06 * random.unit())))
    const trigger = { kind: 'stop', price: stop, direction: stop > mid ? 'rises-to' : 'falls-to' }
    const base = { type: 'spot.place' as const, user, clientId: this.#maker.clientId(), market: plan.market, side }
    const isStop = !isMarket && random.chance(0.1)
    return { ...base, ...shape, lots, isPostOnly, selfTrade: random.pick(selfTradeModes), ...(isStop ? { trigger } : {}) }
  }

  #assetOf(market: number): number {
    const plan = spotMarkets[market - 1]
    if (plan === undefined || this.#maker.random.chance(0.05)) return this.#maker.random.between(1, assets.length)
    return this.#maker.random.chance(0.5) ? plan.base : plan.quote
  }
}

const modeWeights = Object.fromEntries(borrowModes.map((mode) => [mode, mode === 'both' ? 6 : mode === 'borrow' ? 4 : 1])) as Readonly<
  Record<(typeof borrowModes)[number], number>
>
