import { DepthBook } from '@candor/core/market-data/depth.ts'
import type { Event, OrderAccepted, OrderClosed, OrderPrevented, Traded } from '@candor/core/protocol/event/index.ts'
import type { Market } from '@candor/core/protocol/market.ts'
import { type PreventableOrder, PreventedAudit } from '../../prevented-audit.ts'
import { fail } from '../failure.ts'
import type { Postings } from './postings.ts'

export type AuditedOrder = {
  readonly accepted: OrderAccepted
  price: number
  lots: number
  executed: number
  quote: number
  /** Lots removed by self-trade prevention. */
  prevented: number
  isPending: boolean
  /** As it is now: that of a stop that sleeps may change. */
  trigger: OrderAccepted['trigger']
}

/** One side of a trade. */
type Party = {
  readonly order: number
  readonly user: number
  readonly side: 'buy' | 'sell'
  readonly fee: number
  readonly isMaker: boolean
}

/** Checks orders, trades and books of all markets: fills, limits, fees, holds of spot and margin accounts, and levels. */
export class OrdersAudit {
  readonly markets = new Map<number, Market>()
  readonly #orders = new Map<number, AuditedOrder>()
  readonly #byUser = new Map<number, Set<AuditedOrder>>()
  readonly #closed = new Set<number>()
  readonly #books = new Map<number, DepthBook>()
  readonly #lastTrade = new Map<number, number>()
  readonly #prevented = new PreventedAudit((order) => this.#leftOf(order), fail)
  readonly #postings: Postings
  /** State of the current command: changed books, users with changed orders, and the expected postings of trades and fees. */
  readonly #changedBooks = new Set<number>()
  readonly #changedUsers = new Set<number>()
  readonly #expected = new Map<string, number>()

  constructor(postings: Postings) {
    this.#postings = postings
  }

  order(number: number): AuditedOrder {
    return this.#orders.get(number) ?? fail(`order ${number} is ${this.#closed.has(number) ? 'closed' : 'unknown'}`)
  }

  ordersOf(user: number): Iterable<AuditedOrder> {
    return this.#byUser.get(user) ?? []
  }

  see(event: Event): void {
    const isFutures = 'market' in event && typeof event.market === 'number' && this.markets.get(event.market)?.perp !== undefined
    if (!isFutures) this.#prevented.see(event)
    switch (event.type) {
      case 'market.listed':
        this.#books.set(event.market.id, new DepthBook())
        this.markets.set(event.market.id, event.market)
        return
      case 'market.changed':
        this.markets.set(event.market.id, event.market)
        return
      case 'order.accepted': {
        if (this.#orders.has(event.order) || this.#closed.has(event.order)) fail(`order ${event.order} accepted twice`)
        const { price, lots } = event
        this.#add({
          accepted: event,
          price,
          lots,
          executed: 0,
          quote: 0,
          prevented: 0,
          isPending: event.trigger !== undefined,
          trigger: event.trigger,
        })
        return
      }
      case 'order.triggered':
        this.order(event.order).isPending = false
        this.#changedUsers.add(event.user)
        return
      case 'order.amended': {
        const order = this.order(event.order)
        order.price = event.price
        order.lots = event.lots
        if (event.triggerPrice !== undefined && order.trigger?.kind === 'stop')
          order.trigger = { ...order.trigger, price: event.triggerPrice }
        this.#changedUsers.add(event.user)
        // An exit of a whole position has no quantity before it acts.
        const isWhole = event.triggerPrice !== undefined && order.accepted.perp?.isClosing === true
        if (!isWhole && order.lots <= order.executed + order.prevented) fail(`order ${event.order} amended below its fills`)
        return
      }
      case 'order.prevented':
        for (const number of [event.makerOrder, event.takerOrder]) this.#prevent(number, event)
        return
      case 'traded':
        return this.#traded(event)
      case 'order.closed':
        return this.#close(event)
      case 'book.level':
        this.#changedBooks.add(event.market)
        if (this.#books.get(event.market)?.apply(event) !== 'applied') fail(`level update ${event.update} of market ${event.market}`)
        return
      default:
    }
  }

  /** Called at the end of a command. */
  check(): void {
    this.#prevented.end()
    for (const market of this.#changedBooks) {
      const [bid, ask] = [this.#books.get(market)?.bestBid(), this.#books.get(market)?.bestAsk()]
      if (bid !== undefined && ask !== undefined && bid.price >= ask.price) fail(`book of market ${market} is crossed`)
    }
    for (const user of this.#changedUsers) this.#checkHeld(user)
    for (const [key, { byReason }] of this.#postings.touched) {
      for (const reason of ['trade', 'fee'] as const) if (byReason.has(reason)) this.#settle(key, reason)
    }
    for (const [key, sum] of this.#expected) if (sum !== 0) fail(`trades and fees give ${sum} for ${key}, but nothing is posted`)
    this.#changedBooks.clear()
    this.#changedUsers.clear()
    this.#expected.clear()
  }

  /** Every level of every book must be the sum of the orders that rest there. */
  checkAll(): void {
    const levels = new Map<string, number>()
    for (const { accepted, price, lots, executed, prevented, isPending } of this.#orders.values()) {
      // The unfilled rest of a triggered market stop is tried again and never rests in the book.
      if (isPending || accepted.orderType === 'market') continue
      const key = `${accepted.market} ${accepted.side} ${price}`
      levels.set(key, (levels.get(key) ?? 0) + lots - executed - prevented)
    }
    for (const [market, book] of this.#books) {
      const { bids, asks } = book.view()
      for (const side of ['buy', 'sell'] as const) {
        for (const { price, lots } of side === 'buy' ? bids : asks) {
          const key = `${market} ${side} ${price}`
          if (levels.get(key) !== lots) fail(`level ${key} shows ${lots} lots, its orders have ${levels.get(key)}`)
          levels.delete(key)
        }
      }
    }
    for (const [key, lots] of levels) fail(`orders of ${lots} lots rest at ${key}, where no level is`)
    for (const user of this.#byUser.keys()) this.#checkHeld(user)
  }

  #add(order: AuditedOrder): void {
    const { accepted } = order
    this.#orders.set(accepted.order, order)
    const own = this.#byUser.get(accepted.user) ?? new Set()
    this.#byUser.set(accepted.user, own.add(order))
    this.#changedUsers.add(accepted.user)
  }

  #traded(event: Traded): void {
    const { market: id, price, lots, trade, takerSide } = event
    const market = this.markets.get(id) ?? fail(`trade in unknown market ${id}`)
    if (trade !== (this.#lastTrade.get(id) ?? 0) + 1) fail(`trade ${trade} of market ${id} out of turn`)
    this.#lastTrade.set(id, trade)
    if (lots <= 0 || BigInt(event.quote) !== BigInt(price) * BigInt(lots) * BigInt(market.quotePerTickLot))
      fail(`trade ${trade} is worth ${event.quote}`)
    if (this.order(event.makerOrder).price !== price) fail(`trade ${trade} is not at its maker's price`)
    const makerSide = takerSide === 'buy' ? 'sell' : 'buy'
    this.#fill(event, market, { order: event.takerOrder, user: event.takerUser, side: takerSide, fee: event.takerFee, isMaker: false })
    this.#fill(event, market, { order: event.makerOrder, user: event.makerUser, side: makerSide, fee: event.makerFee, isMaker: true })
  }

  #fill(event: Traded, market: Market, { order: number, user, side, fee, isMaker }: Party): void {
    const order = this.order(number)
    const { accepted } = order
    if (accepted.user !== user || accepted.market !== event.market || accepted.side !== side)
      fail(`trade ${event.trade} does not fit order ${number}`)
    if (isMaker && order.isPending) fail(`trade ${event.trade} with a sleeping order`)
    order.executed += event.lots
    order.quote += event.quote
    if (order.lots > 0 && order.executed + order.prevented > order.lots) fail(`order ${number} is overfilled`)
    if (order.price > 0 && (side === 'buy' ? event.price > order.price : event.price < order.price))
      fail(`order ${number} traded beyond its limit`)
    this.#changedUsers.add(user)
    const { base, quote } = market
    if (market.perp !== undefined) {
      if (fee < 0 || fee > Math.ceil((event.quote * market.terms.takerFeePpm) / 1e6)) fail(`trade ${event.trade} has a fee of ${fee}`)
      this.#expect(`user ${user} perp ${quote} fee`, -fee)
      this.#expect(`fees ${quote} fee`, fee)
      return
    }
    const [gets, got, pays, paid] =
      side === 'buy'
        ? [base, event.lots * market.basePerLot, quote, event.quote]
        : [quote, event.quote, base, event.lots * market.basePerLot]
    if (fee < 0 || fee > got) fail(`trade ${event.trade} has a fee of ${fee}`)
    this.#expect(`${accountOf(order)} ${gets} trade`, got)
    this.#expect(`${accountOf(order)} ${pays} trade`, -paid)
    this.#expect(`${accountOf(order)} ${gets} fee`, -fee)
    this.#expect(`fees ${gets} fee`, fee)
  }

  #leftOf(number: number): PreventableOrder {
    const { accepted, price, lots, executed, prevented } = this.order(number)
    return { user: accepted.user, market: accepted.market, price, left: lots === 0 ? undefined : lots - executed - prevented }
  }

  #prevent(number: number, { user, market, lots, price, makerOrder }: OrderPrevented): void {
    const order = this.order(number)
    if (order.accepted.user !== user || order.accepted.market !== market || lots <= 0) fail(`order ${number} was reduced wrongly`)
    if (number === makerOrder && (order.isPending || order.price !== price)) fail(`order ${number} did not rest at ${price}`)
    order.prevented += lots
    if (order.lots > 0 && order.executed + order.prevented > order.lots) fail(`order ${number} lost more than it had`)
    this.#changedUsers.add(user)
  }

  #expect(key: string, amount: number): void {
    this.#expected.set(key, (this.#expected.get(key) ?? 0) + amount)
  }

  #settle(key: string, reason: 'trade' | 'fee'): void {
    const name = `${key} ${reason}`
    const [posted, expected] = [this.#postings.posted(key, reason), this.#expected.get(name) ?? 0]
    if (posted !== expected) fail(`${name} is ${posted}, trades give ${expected}`)
    this.#expected.delete(name)
  }

  #close({ order: number, executedLots, executedQuote, reason, user }: OrderClosed): void {
    const order = this.order(number)
    if (order.executed !== executedLots || order.quote !== executedQuote)
      fail(`order ${number} closed with ${executedLots} lots, not ${order.executed}`)
    if (reason === 'filled' && order.lots > 0 && order.executed !== order.lots) fail(`order ${number} is not filled`)
    this.#orders.delete(number)
    this.#closed.add(number)
    this.#byUser.get(user)?.delete(order)
    this.#changedUsers.add(user)
  }

  /** The held amounts of spot and margin accounts must equal the needs of their orders, including conditional ones. */
  #checkHeld(user: number): void {
    const needs = new Map<string, number>()
    // For an OCO, only the leg with the larger cost is held.
    const lists = new Map<number, number>()
    for (const order of this.#byUser.get(user) ?? []) {
      const market = this.markets.get(order.accepted.market) as Market
      if (market.perp !== undefined) continue
      const left = order.lots - order.executed - order.prevented
      const isBuy = order.accepted.side === 'buy'
      const key = `${accountOf(order)} ${isBuy ? market.quote : market.base}`
      const need = isBuy ? order.price * left * market.quotePerTickLot : left * market.basePerLot
      const { list } = order.accepted
      const other = list === 0 ? 0 : Math.min(need, lists.get(list) ?? 0)
      if (list !== 0) lists.set(list, need)
      needs.set(key, (needs.get(key) ?? 0) + need - other)
    }
    for (const account of this.#accountsOf(user)) {
      const held = this.#postings.balance(account).held
      if (held !== (needs.get(account) ?? 0)) fail(`${account} holds ${held}, its orders need ${needs.get(account) ?? 0}`)
    }
  }

  #accountsOf(user: number): readonly string[] {
    const assets = [1, 2, 3]
    const isolated = [...this.markets.values()].filter(({ perp }) => perp === undefined).map(({ id }) => `margin-isolated:${id}`)
    return ['spot', 'margin-cross', ...isolated].flatMap((kind) => assets.map((asset) => `user ${user} ${kind} ${asset}`))
  }
}

function accountOf({ accepted }: AuditedOrder): string {
  const { user, market, margin } = accepted
  if (margin === undefined) return `user ${user} spot`
  return margin.account === 'margin-cross' ? `user ${user} margin-cross` : `user ${user} margin-isolated:${market}`
}
