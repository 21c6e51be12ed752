import type { AccountKind, SystemAccount } from '@candor/core/protocol/account.ts'
import type { OrderStrategy, SelfTradeMode, Side, TimeInForce, Trigger } from '@candor/core/protocol/command/spot.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { Asset, FeeTier, Market } from '@candor/core/protocol/market.ts'

/** An order that is alive. Sums are bigint, counts are numbers; nothing is cached. */
export type Order = {
  readonly order: number
  readonly list: number
  readonly user: number
  readonly clientId: string
  readonly market: number
  readonly side: Side
  readonly orderType: 'limit' | 'market'
  readonly timeInForce: TimeInForce
  readonly selfTrade: SelfTradeMode
  readonly strategy: OrderStrategy | undefined
  isPostOnly: boolean
  readonly display: number
  readonly trigger: Trigger | undefined
  readonly placedAt: number
  price: number
  /** Total, fills included; 0 for an order by amount. */
  lots: number
  readonly spend: number
  executedLots: number
  executedQuote: bigint
  /** Of `lots`, what left it to prevent a trade with its owner's other orders. */
  preventedLots: number
  status: 'pending' | 'open'
  /** Lots that the book shows. */
  visible: number
  /** Place in time: the smaller, the earlier. */
  turn: number
  updatedAt: number
  /** What it holds while it sleeps; of the stop leg of an OCO, what it needs beyond its sibling. */
  sleepingNeed: bigint
  /** Of a market order that was triggered and is not filled: since when it is tried, and what it holds. */
  triggeredAt: number | undefined
  workingNeed: bigint
  /** The other leg of its list was triggered: it waits outside the book. */
  isParked: boolean
  /** Best price since a trailing order became active; 0 before. */
  peak: number
}

export type Balance = { available: bigint; held: bigint }

export type Traded = { readonly at: number; readonly price: number; readonly lots: number }

export type Venue = {
  market: Market
  index: number
  isIndexGood: boolean
  /** Before this time orders neither come nor trade; undefined: the market is halted. */
  opensAt: number | undefined
  /** While it is halted: since when, and from when it was open before. */
  haltedAt: number
  openedAt: number
  lastPrice: number
  lastTrade: number
  trades: Traded[]
}

export type Request = {
  /** How many requests its user made before it. */
  readonly ordinal: number
  readonly body: string
  readonly order: number
  readonly user: number
  readonly refusal: string | undefined
}

/** Everything the oracle knows, in the plainest form. */
export class OracleState {
  readonly assets: Asset[] = []
  readonly venues: Venue[] = []
  readonly users: { readonly isRetail: boolean; isFrozen: boolean; isCertified: boolean; isHouse: boolean }[] = []
  readonly balances = new Map<string, Balance>()
  readonly issued = new Map<number, bigint>()
  readonly orders = new Map<number, Order>()
  readonly requests = new Map<string, Request>()
  /** Requests with a client id that each user has made. */
  readonly requestCounts = new Map<number, number>()
  /** Per user, each trade's day and value in USDT units. */
  readonly volumes = new Map<number, { day: number; value: bigint }[]>()
  /** Tier that each user was last told. */
  readonly told = new Map<number, number>()
  /** Orders whose trigger was reached, in the order in which they were; they act by turns of their markets. */
  wakes: Order[] = []
  /** The market that had the last turn. */
  turnOf = 0
  /** Market orders that were triggered and are tried again, in the order in which they woke. */
  working: Order[] = []
  /** Of the running rounds, the orders that are still to be tried. */
  tries: Order[] = []
  /** Market and side whose order was tried last. */
  triedOf: readonly [market: number, side: number] = [0, 0]
  /** What long cancellations of all orders left: of whom, where, up to which order. */
  readonly sweeps: { readonly user: number; readonly market: number; readonly upTo: number }[] = []
  fees: readonly FeeTier[] = []
  lastOrder = 0
  turns = 0
  at = 0
  seq = 0
  events: Event[] = []

  venue(id: number): Venue | undefined {
    return this.venues[id - 1]
  }

  isUser(user: number): boolean {
    return user >= 1 && user <= this.users.length
  }

  account(user: number, kind: AccountKind, asset: number): Balance {
    return this.#balance(`user ${user} ${kind} ${asset}`)
  }

  system(name: SystemAccount, asset: number): Balance {
    return this.#balance(`${name} ${asset}`)
  }

  /** Orders of one side of a book, first to trade first. */
  queue(market: number, side: Side): readonly Order[] {
    const sign = side === 'buy' ? -1 : 1
    return [...this.orders.values()]
      .filter(
        (order) =>
          order.market === market && order.side === side && order.status === 'open' && order.orderType === 'limit' && !order.isParked,
      )
      .sort((a, b) => sign * (a.price - b.price) || a.turn - b.turn)
  }

  #balance(key: string): Balance {
    let balance = this.balances.get(key)
    if (balance === undefined) {
      balance = { available: 0n, held: 0n }
      this.balances.set(key, balance)
    }
    return balance
  }
}
