import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Lots, Units } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { AssetId, MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { OpenOrder } from '@candor/core/protocol/port.ts'
import type { MarginCoin, MarginWorth } from '@candor/core/protocol/wire/explain/liquidation.ts'
import { addValues, assetValue, debtValue, divisorOf, type IndexValue, levelPpm } from '@candor/core/risk/margin.ts'
import type { Words } from '../words.ts'

const levelDigits = 6

type Coin = { readonly asset: AssetId; units: Units; owed: Units }

/** Sums in USDT units; the level in ppm. */
export type Worth = { readonly assets: Units; readonly debt: Units; readonly level: number }

/** Level in words; undefined without debt. */
export const levelOf = ({ debt, level }: Worth): { readonly level?: string } =>
  debt === 0 ? {} : { level: formatUnits(level, levelDigits) }

/** Sums of a worth in words. */
export function told(words: Words, worth: Worth): Pick<MarginWorth, 'assets' | 'debt' | 'level'> {
  return { assets: words.usdt(worth.assets), debt: words.usdt(worth.debt), ...levelOf(worth) }
}

/**
 * One margin account in the middle of a command, valued as the liquidation test does: what it was before, and the customer's events
 * since, at index prices that are the same throughout the command.
 */
export class MarginAccount {
  readonly #words: Words
  readonly #user: UserId
  /** 0: cross. */
  readonly #market: MarketId
  readonly #coins: ReadonlyMap<AssetId, Coin>
  /** All its orders before the command. */
  readonly #had: ReadonlySet<OrderId>
  /** Those in the book. */
  readonly #orders: Map<OrderId, { readonly order: OpenOrder; left: Lots }>
  #values: ReadonlyMap<AssetId, IndexValue> = new Map()

  constructor(exchange: Exchange, words: Words, user: UserId, market: MarketId) {
    this.#words = words
    this.#user = user
    this.#market = market
    const balances = exchange.marginAccounts(user, market).find((one) => one.market === market)?.balances ?? []
    const coinOf = ({ asset, available, held, principal, interest }: (typeof balances)[number]): Coin => {
      return { asset, units: (available + held) as Units, owed: (principal + interest) as Units }
    }
    this.#coins = new Map(balances.map((balance) => [balance.asset, coinOf(balance)]))
    const kind = market === 0 ? 'margin-cross' : 'margin-isolated'
    const mine = exchange.openOrders(user).filter((one) => one.margin?.account === kind && (market === 0 || one.market === market))
    this.#had = new Set(mine.map(({ order }) => order))
    // A sleeping order shows nothing, and can lose nothing before it wakes.
    const shown = mine.filter(({ status }) => status === 'open')
    this.#orders = new Map(shown.map((order) => [order.order, { order, left: (order.lots - order.executedLots) as Lots }]))
  }

  /** Takes the prices over that count from this command on. */
  price(exchange: Exchange): void {
    const usdtScale = this.#words.listing.assets.find(({ symbol }) => symbol === 'USDT')!.scale
    const balances = exchange.marginAccounts(this.#user, this.#market).find((one) => one.market === this.#market)?.balances ?? []
    this.#values = new Map(
      balances
        .filter(({ price }) => price > 0)
        .map(({ asset, price }) => [asset, { price, divisor: divisorOf(this.#words.asset(asset).scale, usdtScale) }]),
    )
  }

  apply(event: Event): void {
    if (event.type === 'entry' && this.isEntry(event)) {
      const coin = this.#coins.get(event.account.asset)
      if (coin !== undefined) coin.units = (event.available + event.held) as Units
    }
    if (event.type === 'margin.loan' && event.user === this.#user && event.market === this.#market) {
      const coin = this.#coins.get(event.asset)
      if (coin !== undefined) coin.owed = (event.principal + event.interest) as Units
    }
    if (event.type === 'order.closed') this.#orders.delete(event.order)
    if (event.type !== 'traded') return
    for (const order of [event.makerOrder, event.takerOrder]) {
      const known = this.#orders.get(order)
      if (known !== undefined) known.left = (known.left - event.lots) as Lots
    }
  }

  hadOrder(order: OrderId): boolean {
    return this.#had.has(order)
  }

  /** Whether a ledger entry is of this account. */
  isEntry({ account }: Extract<Event, { readonly type: 'entry' }>): boolean {
    if (!('user' in account) || account.user !== this.#user) return false
    return this.#market === 0 ? account.kind === 'margin-cross' : account.kind === 'margin-isolated' && account.market === this.#market
  }

  worth(): Worth {
    let [assets, debt] = [0 as Units, 0 as Units]
    for (const { asset, units, owed } of this.#coins.values()) {
      assets = addValues(assets, assetValue(units, this.#value(asset)))
      debt = addValues(debt, debtValue(owed, this.#value(asset)))
    }
    if (debt > 0) assets = Math.max(0, assets - this.#ordersLoss()) as Units
    return { assets, debt, level: levelPpm(assets, debt) }
  }

  /** The worth in words, with every coin that it consists of. */
  state(): MarginWorth {
    const coins = [...this.#coins.values()].filter(({ units, owed }) => units + owed > 0)
    const worth = this.worth()
    return {
      coins: coins.map((coin) => this.#told(coin)),
      ordersLoss: this.#words.usdt(worth.debt > 0 ? this.#ordersLoss() : (0 as Units)),
      ...told(this.#words, worth),
    }
  }

  #value(asset: AssetId): IndexValue {
    return this.#values.get(asset) ?? { price: 0 as IndexValue['price'], divisor: 1 }
  }

  /** The value that the orders in the book give, less the value that they bring in. */
  #ordersLoss(): Units {
    let loss = 0 as Units
    for (const { order, left } of this.#orders.values()) {
      const market = this.#words.market(order.market)
      const base = assetValue((left * market.basePerLot) as Units, this.#value(market.base))
      const quote = assetValue((order.price * left * market.quotePerTickLot) as Units, this.#value(market.quote))
      loss = addValues(loss, Math.max(0, order.side === 'sell' ? base - quote : quote - base) as Units)
    }
    return loss
  }

  #told({ asset, units, owed }: Coin): MarginCoin {
    const value = this.#value(asset)
    return {
      asset: this.#words.asset(asset).symbol,
      price: this.#words.index(value.price),
      quantity: this.#words.sum(units, asset),
      value: this.#words.usdt(assetValue(units, value)),
      owed: this.#words.sum(owed, asset),
      owedValue: this.#words.usdt(debtValue(owed, value)),
    }
  }
}
