import type { AccountKind, SystemAccount } from '@candor/core/protocol/account.ts'
import type { OrderStrategy, SelfTradeMode, Side, TimeInForce, Trigger } from '@candor/core/protocol/command/spot.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { Asset, FeeTier, Market } from '@candor/core/protocol/market.ts'

/** An open order. Sums are bigint, counts are numbers; nothing is cached. */
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
  trigger: Trigger | undefined
  readonly placedAt: number
  price: number
  /** Total quantity, including fills; 0 for an order by amount. */
  lots: number
  readonly spend: number
  executedLots: number
  executedQuote: bigint
  /** Lots removed by self-trade prevention; part of `lots`. */
  preventedLots: number
  /** The last prevented match in which it lost lots; 0 for none. */
  preventedMatch: number
  status: 'pending' | 'open'
  /** Lots that the book shows. */
  visible: number
  /** Time priority: smaller is earlier. */
  turn: number
  updatedAt: number
  /** Its hold while it waits for its trigger; for the stop leg of an OCO, its need beyond that of its sibling. */
  sleepingNeed: bigint
  /** Time at which a market order was triggered, while it is not filled. */
  triggeredAt: number | undefined
  workingNeed: bigint
  /** Whether it waits outside the book because the other leg of its list was triggered. */
  isParked: boolean
  /** Part in a list whose orders wait for a working one; undefined for other orders, and for those that have entered. */
  role: 'working' | 'waiting' | undefined
  /** Best price since a trailing order became active; 0 before that. */
  peak: number
}

export type Balance = { available: bigint; held: bigint }

export type Traded = { readonly at: number; readonly price: number; readonly lots: number }

export type Venue = {
  market: Market
  index: number
  isIndexGood: boolean
  /** Before this time no order is accepted or trades; undefined while the market is halted. */
  opensAt: number | undefined
  /** Start of the halt, while the market is halted. */
  haltedAt: number
  openedAt: number
  lastPrice: number
  lastTrade: number
  lastPrevented: number
  trades: Traded[]
}

export type Request = {
  /** Number of earlier requests of its user. */
  readonly ordinal: number
  readonly body: string
  readonly order: number
  readonly user: number
  readonly refusal: string | undefined
}

/** `restUntil`: end of the user's own pause, 0 without one. */
export type OracleUser = { readonly isRetail: boolean; isFrozen: boolean; isCertified: boolean; isHouse: boolean; restUntil: number }

/** Which orders a sweep cancels: those that open risk, or the oldest ones until the turnover limit holds. */
export type SweepScope = 'all' | 'risk' | 'turnover'

/** The whole state of the oracle, in plain lists and maps. */
export class OracleState {
  readonly assets: Asset[] = []
  readonly venues: Venue[] = []
  readonly users: OracleUser[] = []
  readonly balances = new Map<string, Balance>()
  readonly issued = new Map<number, bigint>()
  readonly orders = new Map<number, Order>()
  readonly requests = new Map<string, Request>()
  /** Number of requests with a client id, by user. */
  readonly requestCounts = new Map<number, number>()
  /** Day and value (in USDT units) of each trade, by user. */
  readonly volumes = new Map<number, { day: number; value: bigint }[]>()
  /** Last reported fee tier of each user. */
  readonly told = new Map<number, number>()
  /** Orders whose trigger was reached, in that order. Their markets take turns. */
  wakes: Order[] = []
  /** The market that had the last turn. */
  turnOf = 0
  /** Triggered market orders that are tried again, in the order in which they were triggered. */
  working: Order[] = []
  /** Orders still to be tried in the current rounds. */
  tries: Order[] = []
  /** Market and side whose order was tried last. */
  triedOf: readonly [market: number, side: number] = [0, 0]
  /** Unfinished cancellations of many orders: the user, the market, the last order, and which orders. */
  readonly sweeps: { readonly user: number; readonly market: number; readonly upTo: number; readonly only: SweepScope }[] = []
  /** Whether the exchange has production's rules. */
  isProduction = false
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

  /** Orders of one side of a book, by priority. */
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
