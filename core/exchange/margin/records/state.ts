import type { Millis, Units } from '../../../money/brand.ts'
import type { AssetId, MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import type { MarginTerms } from '../../../protocol/command/margin.ts'
import { ByNumber } from '../../../protocol/codec/by-number.ts'
import { Shards } from '../../../protocol/codec/shards.ts'
import { Account, accountKey } from './account.ts'
import { Indebted } from './indebted.ts'
import { KeyLine } from './key-line.ts'
import type { Outage, Price } from './outage.ts'

/** Adding this to `MarginState.moved` ends the calm of every account. */
export const MOVED_ALL = 1_000_000_000

/**
 * An account received `asset` through an order or through the loan of an order. Up to `repays` of it repays debt. `order`: the
 * order that the loan belongs to, if the loan is remembered. With `repays` 0, that order or a leg of that list has ended.
 */
export type Change = { readonly account: Account; readonly asset: AssetId; readonly repays: number; readonly order: OrderId }

/**
 * The loan of an order that repays at its end, or of a list of two, while it is alive. Own money is spent first.
 *
 * own     the account's own part of all that the order needed
 * lent    principal; `fee` is the interest of its first hour; both less repayments
 * spent   by legs that have ended
 */
export type OrderLoan = { own: Units; lent: Units; fee: Units; spent: number }

/** A part of a lender's claim that waits in the queue. */
export type Waiting = { readonly user: UserId; amount: Units }

/** A lender of a pool. The ledger has the claim. */
export class Lender {
  /** The pool's index up to which interest is in the claim. */
  since: number
  /** The part of the claim supplied in `hour`: it earns from the next hour on. */
  fresh = 0 as Units
  hour = 0

  constructor(since: number) {
    this.since = since
  }
}

/** Number of lenders with fresh supply of one hour whose claims did not change since, and the index at the end of that hour. */
export type Arrival = { lenders: number; index: number }

/** The lending pool of an asset. Lenders' claims are in the ledger: their `lend` accounts, and `lend-interest`. */
export class Pool {
  readonly asset: AssetId
  /** Sum of all `lend` accounts, including the part that waits in the queue. */
  claims = 0
  principal = 0 as Units
  interest = 0 as Units
  /** The part of the claims that was there when the running hour began and has not left since. */
  earning = 0
  /** Total interest per earning unit of all ended hours since the pool was opened, in 1e-12. */
  index = 0
  /** Lenders' interest of the running hour, and the insurance fund's part that waits for liquidity. Both are in `lend-interest`. */
  pot = 0
  reserve = 0
  /** Hourly rate of the running hour, in 1e-12. */
  rate = 0
  /** Utilization in 1e-9 since `usedSince` (ms); and, for the running hour before that, utilization × ms: see `rate.ts`. */
  used = 0
  usedSince = 0
  usedMs = 0
  readonly lenders = new Shards<Lender>()
  /** By hour (since 1970). */
  readonly arrivals = new Map<number, Arrival>()
  readonly queue: Waiting[] = []
  queued = 0 as Units

  constructor(asset: AssetId) {
    this.asset = asset
  }

  get borrowed(): Units {
    return (this.principal + this.interest) as Units
  }
}

/**
 * The fund's take-overs in an asset within the minute that began at `atMs`. `risk`: their losses plus a part of the value that the
 * fund carries, in USDT units.
 */
export type Taking = { readonly atMs: Millis; readonly asset: AssetId; risk: Units }

/** The state of margin trading and lending outside the ledger. */
export class MarginState {
  terms: MarginTerms | undefined
  /** By asset number. */
  readonly pools: (Pool | undefined)[] = []
  readonly accounts = new Shards<Account>()
  readonly #byUser = new ByNumber<Account[]>()
  /** Accounts that owe anything. */
  readonly indebted = new Indebted()
  /** By asset number: prices at which accounts are valued. */
  readonly prices: (Price | undefined)[] = []
  /** By market number: halts of spot markets that ever had one. */
  readonly halts = new Map<number, Outage>()
  /** Hour (since 1970) up to which interest is charged or being charged. */
  hour = 0
  /** Keys of accounts in liquidation whose next step can be tried, in order. */
  readonly steps = new KeyLine()
  /** Changes by spot orders of margin accounts in the running command: see `desk.ts`. */
  readonly changes: Change[] = []
  /** By number of the order or list. */
  readonly loans = new Shards<OrderLoan>()
  /** Pools changed by the running command: each is emitted once, at its end. */
  readonly touched = new Set<Pool>()
  /** Sum of the movements of index prices over all ticks, in 1e-9: see `review.ts`. */
  moved = 1
  /** Key from which the review of all accounts continues, −1: none is under way; and whether it starts again afterwards. */
  reviewFrom = -1
  reviewsAgain = false
  /** Accounts that the fund took over in the last ten minutes. */
  takings: Taking[] = []
  /** Keys of the accounts that the fund has taken over. */
  readonly taken = new Set<number>()
  /** Per asset: the divisor that turns units × index price into USDT units. */
  readonly divisors: number[] = []
  /** Assets with a market in USDT, computed for this number of assets and markets: see `assetsOf`. */
  priced: readonly number[] = []
  pricedOf = -1
  /** Key below which all debts are charged for the hour. Computed again after a restore. */
  chargedTo = 0

  pool(asset: AssetId): Pool {
    return (this.pools[asset] ??= new Pool(asset))
  }

  /** The pool for reading; an empty one if there is none. */
  seen(asset: AssetId): Pool {
    return this.pools[asset] ?? new Pool(asset)
  }

  find(user: UserId, market: MarketId): Account | undefined {
    return this.accounts.get(accountKey(user, market))
  }

  account(user: UserId, market: MarketId): Account {
    const key = accountKey(user, market)
    const known = this.accounts.get(key)
    if (known !== undefined) return known
    const account = new Account(user, market)
    this.accounts.set(key, account)
    const own = this.#byUser.get(user)
    if (own === undefined) this.#byUser.set(user, [account])
    else own.push(account)
    return account
  }

  /** All accounts of a user, in no particular order. */
  accountsOf(user: UserId): readonly Account[] {
    return this.#byUser.get(user) ?? []
  }

  /** Accounts ordered by user and market. */
  sorted(accounts: Iterable<Account>): Account[] {
    return [...accounts].sort((a, b) => a.user - b.user || a.market - b.market)
  }
}
