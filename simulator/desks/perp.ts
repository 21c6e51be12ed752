import { perpSelfTradeModes } from '@candor/core/protocol/command/order.ts'
import type { Loose } from '../scripts.ts'
import { perpMarkets, traders } from './plans.ts'
import type { Maker } from './maker.ts'

/** Generates commands of futures traders: sensible, reckless and senseless ones. */
export class PerpDesk {
  readonly #maker: Maker

  constructor(maker: Maker) {
    this.#maker = maker
  }

  order(): Loose {
    const { user, market, side, position } = this.#who()
    const order = this.#order(user, market, side, position)
    const hasExits = order['isReduceOnly'] === false && this.#maker.random.chance(0.4)
    return hasExits ? { ...order, ...this.#exits(market, side, order['price']) } : order
  }

  /** An order of this user in this market, without exits. */
  orderOf(user: number, market: number): Loose {
    const { side, position } = this.#who(user)
    return this.#order(user, market, side, position)
  }

  #order(user: number, market: number, side: 'buy' | 'sell', position: string): Loose {
    const { random } = this.#maker
    const timeInForce = random.weighted({ GTC: 8, IOC: 2, FOK: 1 })
    const shape = random.chance(0.45)
      ? { orderType: 'market', timeInForce: 'IOC' }
      : {
          orderType: 'limit',
          timeInForce,
          price: this.#near(market, side, 0.015),
          isPostOnly: timeInForce === 'GTC' && random.chance(0.12),
        }
    const isReduceOnly = random.chance(0.12)
    return { ...this.#base(user, market, side, position), lots: this.#lots(user, market), isReduceOnly, ...shape }
  }

  /** A conditional order: stop, trailing stop, take profit or stop loss. */
  sleeping(): Loose {
    const { random, known } = this.#maker
    const held = known.positions.size > 0 && random.chance(0.7) ? random.pick([...known.positions.values()]) : undefined
    const any = this.#who()
    const { user, market } = held ?? any
    const side = held === undefined ? any.side : held.lots > 0 ? 'sell' : 'buy'
    const isClosing = held !== undefined && random.chance(0.5)
    const isMarket = random.chance(0.6)
    // One of several exits, each of a part; together they may be larger than the position.
    const isPart = held !== undefined && !isClosing
    const isReduceOnly = isPart || random.chance(0.3)
    const lots = isPart ? random.between(1, Math.ceil(Math.abs(held.lots) * 0.8) + 1) : this.#lots(user, market)
    const price = this.#near(market, side, 0.02)
    const near = this.#near(market, random.chance(0.5) ? 'buy' : 'sell', 0.03)
    const direction = random.chance(0.9) === near > (known.mark(market) ?? 0) ? 'rises-to' : 'falls-to'
    const trigger = random.chance(0.2)
      ? { kind: 'trailing', trailPpm: random.between(1000, 40_000), direction, ...(random.chance(0.3) ? { activation: near } : {}) }
      : { kind: 'stop', price: near, direction }
    return {
      ...this.#base(user, market, side, held?.side ?? any.position),
      ...(isClosing ? { isClosing } : { lots, isReduceOnly }),
      ...(isMarket ? { orderType: 'market', timeInForce: 'IOC' } : { orderType: 'limit', price }),
      ...(isClosing || isReduceOnly || random.chance(0.7) ? {} : this.#exits(market, side, isMarket ? near : price)),
      trigger,
      triggerBy: random.pick(['last', 'mark']),
    }
  }

  /** A change of an existing order or position. */
  change(): Loose {
    const { random, known } = this.#maker
    const open = [...known.orders.values()].filter(({ perp }) => perp !== undefined)
    const order = open.length > 0 ? random.pick(open) : undefined
    const held = known.positions.size > 0 ? random.pick([...known.positions.values()]) : undefined
    const kind = random.weighted({ cancel: 3, amend: 3, reverse: 2, adjust: 3, close: 4 })
    if ((kind === 'cancel' || kind === 'amend') && order !== undefined) {
      const { user, market } = order
      const reference = { user, market, order: order.order, orderClientId: '', clientId: this.#maker.clientId() }
      if (kind === 'cancel') return { type: 'perp.cancel', ...reference }
      const lots = Math.max(1, Math.floor(order.lots * (0.3 + 1.2 * random.unit())))
      const what = random.between(0, 2)
      const price = this.#near(market, order.side, 0.02)
      if (order.trigger?.kind === 'stop' && random.chance(0.8)) {
        const parts = { ...(order.lots > 0 && what === 0 ? { lots } : {}), ...(order.price > 0 && what > 0 ? { price } : {}) }
        return { type: 'perp.amend', ...reference, ...parts, triggerPrice: this.#near(market, random.pick(['buy', 'sell']), 0.03) }
      }
      return { type: 'perp.amend', ...reference, ...(what < 2 ? { lots } : {}), ...(what > 0 ? { price } : {}) }
    }
    if (held === undefined) return this.order()
    const { user, market, side: position, lots } = held
    if (kind === 'reverse') return { type: 'perp.reverse', user, market, clientId: this.#maker.clientId() }
    if (kind === 'adjust') {
      const amount = Math.floor((random.unit() - 0.45) * 2 * held.margin)
      return { type: 'perp.adjustMargin', user, market, position, amount, clientId: this.#maker.clientId() }
    }
    const part = random.chance(0.5) ? Math.abs(lots) : random.between(1, Math.abs(lots))
    const base = this.#base(user, market, lots > 0 ? 'sell' : 'buy', position)
    // A closing price so far off that the account would have nothing left.
    if (random.chance(0.2)) {
      const price = Math.max(1, Math.round((known.mark(market) ?? 2) * (lots > 0 ? 0.4 + 0.6 * random.unit() : 1 + 0.6 * random.unit())))
      return { ...base, orderType: 'limit', price, lots: part }
    }
    return { ...base, orderType: 'market', timeInForce: 'IOC', lots: part, isReduceOnly: random.chance(0.8) }
  }

  setting(): Loose {
    const { random, known } = this.#maker
    const user = random.pick(traders)
    const { market } = random.pick(perpMarkets)
    const kind = random.weighted({ leverage: 6, mode: 2, hedge: 1 })
    if (kind === 'leverage') {
      const high = market === 4 ? 10 : 50
      return { type: 'perp.setLeverage', user, market, leverage: random.chance(0.5) ? high : random.between(1, high + 1) }
    }
    if (kind === 'mode') return { type: 'perp.setMarginMode', user, market, mode: random.pick(['cross', 'isolated']) }
    return { type: 'perp.setHedgeMode', user, isHedge: !known.hedged.has(user) }
  }

  /** A market maker's order, which rests. */
  quote(user: number, market: number, side: 'buy' | 'sell', price: number, lots: number): Loose {
    const limit = { orderType: 'limit', timeInForce: 'GTC', price: Math.max(1, price), lots }
    return { ...this.#base(user, market, side, 'both'), ...limit, clientId: '' }
  }

  #who(wanted?: number): { user: number; market: number; side: 'buy' | 'sell'; position: 'both' | 'long' | 'short' } {
    const { random, known } = this.#maker
    const user = wanted ?? (random.chance(0.03) ? this.#maker.anybody() : random.pick(traders))
    const { market } = random.pick(perpMarkets)
    const isHedge = known.hedged.has(user) !== random.chance(0.02)
    const position = isHedge ? random.pick(['long', 'short'] as const) : 'both'
    const opens = random.chance(0.75)
    const side = position === 'both' ? random.pick(['buy', 'sell'] as const) : (position === 'long') === opens ? 'buy' : 'sell'
    return { user, market, side, position }
  }

  #base(user: number, market: number, side: 'buy' | 'sell', position: string): Loose {
    const flags = { isPostOnly: false, isReduceOnly: false, isClosing: false, timeInForce: 'GTC', triggerBy: 'last' }
    const selfTrade = this.#maker.random.pick(perpSelfTradeModes)
    return { type: 'perp.place', user, clientId: this.#maker.clientId(), market, side, position, ...flags, selfTrade }
  }

  /** A take profit, a stop loss or both, mostly on the correct sides of the price. */
  #exits(market: number, side: 'buy' | 'sell', price: unknown): { readonly exits: object } {
    const { random, known, prices } = this.#maker
    const from = typeof price === 'number' ? price : (known.mark(market) ?? prices.mid(market))
    const exit = (gains: boolean): object => {
      const away = (random.chance(0.95) ? 1 : -1) * 0.03 * random.unit() * ((side === 'buy') === gains ? 1 : -1)
      return { price: Math.max(1, Math.round(from * (1 + away))), by: random.pick(['last', 'mark']) }
    }
    const which = random.weighted({ both: 3, takeProfit: 1, stopLoss: 1 })
    return {
      exits: {
        ...(which === 'stopLoss' ? {} : { takeProfit: exit(true) }),
        ...(which === 'takeProfit' ? {} : { stopLoss: exit(false) }),
      },
    }
  }

  /** A quantity: mostly a large part of what the account can open at its leverage. */
  #lots(user: number, market: number): number {
    const { random, known, prices } = this.#maker
    const mark = known.mark(market) ?? prices.mid(market)
    const funds = Math.max(20e6, known.available(user, 'perp', 1))
    const most = (funds * known.leverage(user, market)) / (mark * 1000)
    return Math.max(1, Math.floor(most * (random.chance(0.5) ? 0.9 * random.unit() : 0.8 + 0.25 * random.unit())))
  }

  /** A price that mostly rests in the book and sometimes crosses it. */
  #near(market: number, side: 'buy' | 'sell', width: number): number {
    const { random, known, prices } = this.#maker
    const mark = known.mark(market) ?? prices.mid(market)
    const away = (random.unit() * 1.5 - 0.5) * width * (side === 'buy' ? -1 : 1)
    return Math.max(1, Math.round(mark * (1 + away)))
  }
}
