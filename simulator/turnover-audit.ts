import type { Event, Traded } from '@candor/core/protocol/event/index.ts'
import type { Market } from '@candor/core/protocol/market.ts'

/** Largest turnover of a UTC day of customers without a certificate, in millionths of a USDT. */
const dayMax = 10_000_000_000n
const dayMs = 86_400_000
/** Orders that one command cancels. Of a longer list, the others can trade before a clock tick cancels them. */
const cancelsMax = 200

type Customer = {
  isRetail: boolean
  isCertified: boolean
  isHouse: boolean
  /** UTC day of `value`. */
  day: number
  /** Turnover of that day, in millionths of a USDT. */
  value: bigint
  /** Day on which the customer lost the certificate with more than 200 open orders; −1 for none. */
  crowdedDay: number
  openOrders: number
}

/**
 * Checks by the events alone that nobody without a certificate trades more than the daily limit. Trades in markets of another quote
 * asset count at its last price in USDT.
 */
export class TurnoverAudit {
  readonly #customers = new Map<number, Customer>()
  readonly #markets = new Map<number, Market>()
  readonly #lastPrices = new Map<number, number>()
  readonly #usdt = new Set<number>()
  /** Orders that the limit refused, and orders that it closed. */
  refused = 0
  closed = 0
  #atMs = 0
  #isProduction = false

  /** From now on the limit holds. */
  becomeProduction(): void {
    this.#isProduction = true
  }

  /** Takes the events of one command at this time. Throws at the first trade that is too much. */
  follow(events: readonly Event[], atMs: number): void {
    this.#atMs = atMs
    // The last price moves when the whole order has traded.
    const prices = new Map<number, number>()
    for (const event of events) {
      if (event.type === 'traded') this.#traded(event, prices)
      else {
        this.#settle(prices)
        this.#learn(event)
      }
    }
    this.#settle(prices)
  }

  #learn(event: Event): void {
    switch (event.type) {
      case 'user.opened':
        this.#customers.set(event.user, {
          ...{ isRetail: event.class === 'retail', isCertified: false, isHouse: false },
          ...{ day: 0, value: 0n, crowdedDay: -1, openOrders: 0 },
        })
        return
      case 'user.certified':
        return this.#change(event.user, { isCertified: event.isCertified })
      case 'user.housed':
        return this.#change(event.user, { isHouse: event.isHouse })
      case 'asset.listed':
        if (event.asset.symbol === 'USDT') this.#usdt.add(event.asset.id)
        return
      case 'market.listed':
      case 'market.changed':
        this.#markets.set(event.market.id, event.market)
        return
      case 'order.accepted':
        this.#of(event.user).openOrders++
        return
      case 'order.closed':
        this.#of(event.user).openOrders--
        if (event.reason === 'turnover') this.closed++
        return
      case 'outcome':
        if (event.refusal === 'TURNOVER_LIMIT' && !event.isRepeat) this.refused++
        return
      default:
    }
  }

  #change(user: number, to: Partial<Customer>): void {
    const customer = this.#of(user)
    Object.assign(customer, to)
    if (customer.openOrders > cancelsMax) customer.crowdedDay = Math.floor(this.#atMs / dayMs)
  }

  #traded(event: Traded, prices: Map<number, number>): void {
    const { makerUser, takerUser, market, price, isHouse } = event
    if (makerUser === takerUser) return
    prices.set(market, price)
    if (isHouse === true) return
    const value = this.#valueOf(event)
    for (const user of [makerUser, takerUser]) this.#count(user, value)
  }

  #count(user: number, value: bigint): void {
    const customer = this.#of(user)
    const today = Math.floor(this.#atMs / dayMs)
    if (customer.day !== today) Object.assign(customer, { day: today, value: 0n })
    customer.value += value
    const { isRetail, isCertified, isHouse, crowdedDay } = customer
    if (!this.#isProduction || !isRetail || isCertified || isHouse || crowdedDay === today) return
    if (customer.value > dayMax) throw new Error(`user ${user} without a certificate trades ${customer.value} on a day`)
  }

  #valueOf({ market, quote }: Traded): bigint {
    const { quote: asset } = this.#markets.get(market) as Market
    if (this.#usdt.has(asset)) return BigInt(quote)
    const priced = [...this.#markets.values()].find((one) => one.base === asset && this.#usdt.has(one.quote))
    if (priced === undefined) return 0n
    const price = this.#lastPrices.get(priced.id) ?? 0
    return (BigInt(quote) * BigInt(price) * BigInt(priced.quotePerTickLot)) / BigInt(priced.basePerLot)
  }

  #settle(prices: Map<number, number>): void {
    for (const [market, price] of prices) this.#lastPrices.set(market, price)
    prices.clear()
  }

  #of(user: number): Customer {
    return this.#customers.get(user) ?? fail(`user ${user} is unknown`)
  }
}

function fail(what: string): never {
  throw new Error(what)
}
