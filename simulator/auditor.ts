import { DepthBook } from '@candor/core/market-data/depth.ts'
import type { AccountRef } from '@candor/core/protocol/account.ts'
import type { Event, OrderClosed, Traded } from '@candor/core/protocol/event/index.ts'
import type { Market } from '@candor/core/protocol/market.ts'
import { type PreventableOrder, PreventedAudit } from './prevented-audit.ts'

/** One side of a trade. */
type Party = { readonly order: number; readonly user: number; readonly side: 'buy' | 'sell'; readonly fee: number }

/** A violation found by the auditor, which means a bug in the exchange. */
export class AuditFailure extends Error {
  override readonly name = 'AuditFailure'
}

export type AuditedBalance = { readonly available: bigint; readonly held: bigint }

type AuditedOrder = {
  price: number
  lots: number
  executedLots: bigint
  executedQuote: bigint
  /** Lots removed by self-trade prevention. */
  preventedLots: bigint
  readonly market: number
  readonly user: number
}

/**
 * Checks the exchange by its events alone. It adds up balances from entries and, independently, from faucets and trades; the book
 * from its levels; orders from their fills. The events of an interrupted run can be audited too.
 */
export class Auditor {
  readonly #balances = new Map<string, { available: bigint; held: bigint }>()
  /** By user and asset: the sum of all accounts according to faucets and trades. */
  readonly #worth = new Map<string, bigint>()
  readonly #markets = new Map<number, Market>()
  readonly #books = new Map<number, DepthBook>()
  readonly #orders = new Map<number, AuditedOrder>()
  readonly #closed = new Set<number>()
  readonly #lastTrade = new Map<number, number>()
  readonly #prevented = new PreventedAudit(
    (order) => this.#leftOf(order),
    (what) => this.#fail(what),
  )
  #seq = 0
  #at = 0
  #users = 0
  #trades = 0

  get seq(): number {
    return this.#seq
  }

  get trades(): number {
    return this.#trades
  }

  /** Number of prevented matches so far, by mode. */
  get prevented(): PreventedAudit['counts'] {
    return this.#prevented.counts
  }

  /** Takes the events of whole commands, in order. Throws AuditFailure at the first impossible one. */
  follow(events: readonly Event[]): void {
    let start = 0
    events.forEach((event, i) => {
      if (event.type !== 'outcome') return
      this.#command(events.slice(start, i + 1))
      start = i + 1
    })
    if (start !== events.length) this.#fail('events end inside a command')
  }

  balance(account: AccountRef): AuditedBalance {
    return this.#balances.get(accountKey(account)) ?? { available: 0n, held: 0n }
  }

  /** All balances that are not zero, by account: `user 3 spot 2` or `fees 2`. */
  balances(): ReadonlyMap<string, AuditedBalance> {
    return new Map([...this.#balances].filter(([, { available, held }]) => available !== 0n || held !== 0n))
  }

  book(market: number): DepthBook | undefined {
    return this.#books.get(market)
  }

  /** Numbers of orders that were accepted and not yet closed. */
  openOrders(): readonly number[] {
    return [...this.#orders.keys()]
  }

  /** Checks that look at the whole state. */
  checkAll(): void {
    const sums = new Map<number, bigint>()
    const users = new Map<string, bigint>()
    for (const [key, { available, held }] of this.#balances) {
      const words = key.split(' ')
      const asset = Number(words.at(-1))
      sums.set(asset, (sums.get(asset) ?? 0n) + available + held)
      if (words[0] !== 'user') continue
      const owner = `${words[1]} ${asset}`
      users.set(owner, (users.get(owner) ?? 0n) + available + held)
    }
    for (const [asset, sum] of sums) if (sum !== 0n) this.#fail(`asset ${asset} sums to ${sum}`)
    for (const owner of new Set([...users.keys(), ...this.#worth.keys()])) {
      const [has, should] = [users.get(owner) ?? 0n, this.#worth.get(owner) ?? 0n]
      if (has !== should) this.#fail(`user and asset ${owner} hold ${has}, faucets and trades give ${should}`)
    }
  }

  #command(events: readonly Event[]): void {
    const outcome = events.at(-1)
    if (outcome?.type !== 'outcome') return this.#fail('a command without an outcome')
    if (outcome.seq !== this.#seq + 1) this.#fail(`seq ${outcome.seq} after ${this.#seq}`)
    if (outcome.at < this.#at) this.#fail(`time ${outcome.at} after ${this.#at}`)
    this.#seq = outcome.seq
    this.#at = outcome.at
    if ((outcome.refusal !== undefined || outcome.isRepeat) && events.length > 1)
      this.#fail('a refused or repeated command changed something')
    const sums = new Map<number, bigint>()
    const books = new Set<number>()
    for (const event of events) {
      if (event.type === 'entry') this.#entry(event, sums)
      if (event.type === 'book.level') books.add(event.market)
      this.#prevented.see(event)
      this.#one(event)
    }
    this.#prevented.end()
    for (const [asset, sum] of sums) if (sum !== 0n) this.#fail(`entries of asset ${asset} sum to ${sum}`)
    for (const market of books) this.#checkBook(market)
  }

  #entry(event: Extract<Event, { type: 'entry' }>, sums: Map<number, bigint>): void {
    const { account, reason, delta, heldDelta, available, held } = event
    const key = accountKey(account)
    for (const value of [delta, heldDelta, available, held]) if (!Number.isSafeInteger(value)) this.#fail(`${value} in an entry of ${key}`)
    const balance = this.#balances.get(key) ?? { available: 0n, held: 0n }
    balance.available += BigInt(delta)
    balance.held += BigInt(heldDelta)
    this.#balances.set(key, balance)
    if (balance.available !== BigInt(available) || balance.held !== BigInt(held)) {
      this.#fail(`${key} has ${available} + ${held} by its last entry, but by all entries ${balance.available} + ${balance.held}`)
    }
    const isOutside = 'system' in account && account.system.startsWith('outside:')
    if (held < 0 || (available < 0 && !isOutside)) this.#fail(`${key} is below zero: ${available} + ${held}`)
    sums.set(account.asset, (sums.get(account.asset) ?? 0n) + BigInt(delta) + BigInt(heldDelta))
    if (reason === 'faucet' && 'user' in account) this.#add(account.user, account.asset, BigInt(delta))
    if (reason === 'hold' || reason === 'release') {
      if (delta + heldDelta !== 0) this.#fail(`${reason} of ${key} moves ${delta} and ${heldDelta}`)
    }
  }

  #one(event: Event): void {
    switch (event.type) {
      case 'user.opened':
        if (event.user !== ++this.#users) this.#fail(`user ${event.user} opened as number ${this.#users}`)
        return
      case 'market.listed':
        this.#books.set(event.market.id, new DepthBook())
        this.#markets.set(event.market.id, event.market)
        return
      case 'market.changed':
        this.#markets.set(event.market.id, event.market)
        return
      case 'order.accepted':
        if (this.#orders.has(event.order) || this.#closed.has(event.order)) this.#fail(`order ${event.order} accepted twice`)
        this.#orders.set(event.order, {
          price: event.price,
          lots: event.lots,
          executedLots: 0n,
          preventedLots: 0n,
          executedQuote: 0n,
          market: event.market,
          user: event.user,
        })
        return
      case 'order.amended': {
        const order = this.#live(event.order)
        order.price = event.price
        order.lots = event.lots
        // A Futures order that closes a whole position has no quantity before it acts.
        const isWhole = event.triggerPrice !== undefined && event.lots === 0
        if (!isWhole && BigInt(order.lots) <= order.executedLots + order.preventedLots)
          this.#fail(`order ${event.order} amended below its fills`)
        return
      }
      case 'order.prevented': {
        for (const number of [event.makerOrder, event.takerOrder]) {
          const order = this.#live(number)
          if (order.user !== event.user || order.market !== event.market) this.#fail(`order ${number} was made smaller for another's`)
          if (event.lots <= 0) this.#fail(`order ${number} was made smaller by ${event.lots}`)
          order.preventedLots += BigInt(event.lots)
          this.#checkFull(number, order)
        }
        return
      }
      case 'traded':
        this.#traded(event)
        return
      case 'order.closed':
        this.#close(event)
        return
      case 'book.level':
        if (this.#books.get(event.market)?.apply(event) !== 'applied') this.#fail(`level update ${event.update} of market ${event.market}`)
        return
      default:
    }
  }

  #traded(event: Traded): void {
    this.#trades++
    const market = this.#markets.get(event.market)
    if (market === undefined) return this.#fail(`trade in unknown market ${event.market}`)
    const last = this.#lastTrade.get(event.market) ?? 0
    if (event.trade !== last + 1) this.#fail(`trade ${event.trade} after ${last} in market ${event.market}`)
    this.#lastTrade.set(event.market, event.trade)
    const quote = BigInt(event.price) * BigInt(event.lots) * BigInt(market.quotePerTickLot)
    const base = BigInt(event.lots) * BigInt(market.basePerLot)
    if (event.lots <= 0 || BigInt(event.quote) !== quote) this.#fail(`trade ${event.trade} of ${event.lots} lots is worth ${event.quote}`)
    const makerSide = event.takerSide === 'buy' ? 'sell' : 'buy'
    const sums = { base, quote }
    this.#fill(event, { order: event.takerOrder, user: event.takerUser, side: event.takerSide, fee: event.takerFee }, sums)
    this.#fill(event, { order: event.makerOrder, user: event.makerUser, side: makerSide, fee: event.makerFee }, sums)
    if (this.#live(event.makerOrder).price !== event.price) this.#fail(`trade ${event.trade} is not at its maker's price`)
  }

  #fill(event: Traded, { order: number, user, side, fee }: Party, { base, quote }: { base: bigint; quote: bigint }): void {
    const order = this.#live(number)
    if (order.user !== user || order.market !== event.market) this.#fail(`trade ${event.trade} names the wrong owner of order ${number}`)
    order.executedLots += BigInt(event.lots)
    order.executedQuote += quote
    this.#checkFull(number, order)
    if (order.price > 0 && (side === 'buy' ? event.price > order.price : event.price < order.price)) {
      this.#fail(`order ${number} traded beyond its limit`)
    }
    const received = side === 'buy' ? base : quote
    if (fee < 0 || BigInt(fee) > received) this.#fail(`trade ${event.trade} has a fee of ${fee}`)
    const market = this.#markets.get(event.market) as Market
    this.#add(user, market.base, side === 'buy' ? base - BigInt(fee) : -base)
    this.#add(user, market.quote, side === 'buy' ? -quote : quote - BigInt(fee))
  }

  #leftOf(number: number): PreventableOrder {
    const { user, market, price, lots, executedLots, preventedLots } = this.#live(number)
    return { user, market, price, left: lots === 0 ? undefined : lots - Number(executedLots + preventedLots) }
  }

  #checkFull(number: number, order: AuditedOrder): void {
    if (order.lots > 0 && order.executedLots + order.preventedLots > BigInt(order.lots)) this.#fail(`order ${number} is overfilled`)
  }

  #close({ order: number, executedLots, executedQuote, reason }: OrderClosed): void {
    const order = this.#live(number)
    if (order.executedLots !== BigInt(executedLots) || order.executedQuote !== BigInt(executedQuote)) {
      this.#fail(`order ${number} closed with ${executedLots} lots, its fills are ${order.executedLots}`)
    }
    if (reason === 'filled' && order.lots > 0 && order.executedLots !== BigInt(order.lots)) this.#fail(`order ${number} is not filled`)
    this.#orders.delete(number)
    this.#closed.add(number)
  }

  #live(number: number): AuditedOrder {
    return this.#orders.get(number) ?? this.#fail(`order ${number} is ${this.#closed.has(number) ? 'closed' : 'unknown'}`)
  }

  #checkBook(market: number): void {
    const book = this.#books.get(market)
    const [bid, ask] = [book?.bestBid(), book?.bestAsk()]
    if (bid !== undefined && ask !== undefined && bid.price >= ask.price) {
      this.#fail(`book of market ${market} is crossed: ${bid.price} ≥ ${ask.price}`)
    }
  }

  #add(user: number, asset: number, amount: bigint): void {
    const key = `${user} ${asset}`
    this.#worth.set(key, (this.#worth.get(key) ?? 0n) + amount)
  }

  #fail(what: string): never {
    throw new AuditFailure(`after seq ${this.#seq}: ${what}`)
  }
}

export function accountKey(account: AccountRef): string {
  if ('system' in account) return `${account.system} ${account.asset}`
  const isolated = account.market === undefined ? '' : `:${account.market}`
  return `user ${account.user} ${account.kind}${isolated} ${account.asset}`
}
