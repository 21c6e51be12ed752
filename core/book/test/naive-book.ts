/** An order book that is obviously correct: one array, everything by search. The fast book must agree with it. */
export type NaiveOrder = {
  readonly id: number
  readonly user: number
  readonly side: 0 | 1
  price: number
  left: number
  /** Largest number of lots that the order shows at a time; 0: all. */
  readonly display: number
  visible: number
  /** Executed lots, and their value in tick × lot. */
  executedLots: number
  executed: number
}

export type NaiveMatch = {
  readonly trades: readonly { readonly maker: number; readonly price: number; readonly lots: number }[]
  /** Makers that left because the taker belongs to their owner. */
  readonly expired: readonly number[]
  /** Lots that each maker and the taker lost because both belong to one owner. */
  readonly prevented: readonly { readonly maker: number; readonly price: number; readonly lots: number }[]
  readonly left: number
  readonly isSelfStopped: boolean
  readonly isBudgetSpent: boolean
}

export class NaiveBook {
  /** Orders of both sides, oldest first. */
  orders: NaiveOrder[] = []

  /** Orders of a side in the order in which they trade: best price first, then oldest first. */
  queue(side: 0 | 1): NaiveOrder[] {
    const own = this.orders.filter((order) => order.side === side)
    // The sort is stable, so at equal prices the older order stays first.
    return own.sort((a, b) => (side === 0 ? b.price - a.price : a.price - b.price))
  }

  levels(side: 0 | 1): { price: number; lots: number }[] {
    const levels: { price: number; lots: number }[] = []
    for (const { price, visible } of this.queue(side)) {
      const last = levels.at(-1)
      if (last?.price === price) last.lots += visible
      else levels.push({ price, lots: visible })
    }
    return levels
  }

  find(id: number): NaiveOrder | undefined {
    return this.orders.find((order) => order.id === id)
  }

  /** Whether an order of this side at this price would trade at once. */
  crosses(side: 0 | 1, price: number): boolean {
    return this.orders.some((order) => order.side !== side && (side === 0 ? order.price <= price : order.price >= price))
  }

  /** Numbers of the orders at a price, in the order in which they would trade. */
  idsAt(price: number): number[] {
    return this.orders.filter((order) => order.price === price).map(({ id }) => id)
  }

  rest(order: Omit<NaiveOrder, 'visible' | 'executed' | 'executedLots'>): void {
    const visible = order.display === 0 ? order.left : Math.min(order.display, order.left)
    this.orders.push({ executed: 0, executedLots: 0, ...order, visible })
  }

  remove(id: number): void {
    this.orders = this.orders.filter((order) => order.id !== id)
  }

  shrink(id: number, left: number): void {
    const order = this.find(id)!
    order.left = left
    order.visible = Math.min(order.visible, left)
  }

  /** Self-trade modes: 0 ends the taker, 1 the maker, 2 both, 3 lets them trade, 4 reduces both. `budget` in tick × lot. */
  match(side: 0 | 1, limit: number, lots: number, budget: number, user: number, selfTrade: number): NaiveMatch {
    const trades: { maker: number; price: number; lots: number }[] = []
    const expired: number[] = []
    const prevented: { maker: number; price: number; lots: number }[] = []
    let left = lots
    let money = budget
    let isSelfStopped = false
    let isBudgetSpent = false
    while (left > 0 && !isSelfStopped && !isBudgetSpent) {
      const maker = this.queue(side === 0 ? 1 : 0)[0]
      if (maker === undefined || (side === 0 ? maker.price > limit : maker.price < limit)) break
      if (maker.price > money) {
        isBudgetSpent = true
        break
      }
      if (maker.user === user && selfTrade === 4) {
        let lost = Math.min(left, maker.left)
        if (lost * maker.price > money) {
          lost = Math.floor(money / maker.price)
          isBudgetSpent = true
        }
        prevented.push({ maker: maker.id, price: maker.price, lots: lost })
        left -= lost
        money -= lost * maker.price
        maker.left -= lost
        maker.visible = Math.min(maker.visible, maker.left)
        if (maker.left === 0) this.remove(maker.id)
        continue
      }
      if (maker.user === user && selfTrade !== 3) {
        isSelfStopped = selfTrade !== 1
        if (selfTrade !== 0) {
          expired.push(maker.id)
          this.remove(maker.id)
        }
        continue
      }
      let taken = Math.min(left, maker.visible)
      if (taken * maker.price > money) {
        taken = Math.floor(money / maker.price)
        isBudgetSpent = true
      }
      trades.push({ maker: maker.id, price: maker.price, lots: taken })
      left -= taken
      money -= taken * maker.price
      maker.left -= taken
      maker.visible -= taken
      maker.executedLots += taken
      maker.executed += taken * maker.price
      if (maker.visible > 0) continue
      this.remove(maker.id)
      // The next part of an iceberg queues like a new order.
      if (maker.left > 0) this.rest(maker)
    }
    // No price is below one tick, so a budget below one can't buy anything.
    if (money < 1) isBudgetSpent = true
    return { trades, expired, prevented, left, isSelfStopped, isBudgetSpent }
  }

  /** Matches on a copy of the book. */
  canFill(side: 0 | 1, limit: number, lots: number, user: number, selfTrade: number): boolean {
    const copy = new NaiveBook()
    copy.orders = this.orders.map((order) => ({ ...order }))
    const { left, prevented } = copy.match(side, limit, lots, Infinity, user, selfTrade)
    return left === 0 && prevented.length === 0
  }
}
