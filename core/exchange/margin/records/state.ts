import type { Millis, Units } from '../../../money/brand.ts'
import type { AssetId, MarketId, OrderId, UserId } from '../../../protocol/ids.ts'
import type { MarginTerms } from '../../../protocol/command/margin.ts'
import { ByNumber } from '../../../protocol/codec/by-number.ts'
import { Shards } from '../../../protocol/codec/shards.ts'
import { Account, accountKey } from './account.ts'
import { Indebted } from './indebted.ts'
import type { Outage, Price } from './outage.ts'

/** Added to `MarginState.moved`, it ends everybody's calm. */
export const MOVED_ALL = 1_000_000_000

/**
 * An account got `asset` by an order, or by a loan for one: up to `repays` of it repays what it owes. `order`: that whose loan this
 * is about, when its loan is remembered; with `repays` 0 it, or a leg of its list, has ended.
 */
export type Change = { readonly account: Account; readonly asset: AssetId; readonly repays: number; readonly order: OrderId }

/**
 * What was borrowed for an order that repays at its end, or for a list of two, while it is alive. Its own money is spent first.
 *
 * own   what the account had itself of all that the order needed
 * lent  principal, and `fee` the interest of its first hour, less what went back
 * spent by legs that have ended
 */
export type OrderLoan = { own: Units; lent: Units; fee: Units; spent: number }

/** A lender waits for this much of his claim. */
export type Waiting = { readonly user: UserId; amount: Units }

/** A lender of a pool. What he has stands in the ledger. */
export class Lender {
  /** The pool's index up to which interest is in his claim. */
  since: number
  /** Of his claim, what came in `hour`: it earns from the turn after it. */
  fresh = 0 as Units
  hour = 0

  constructor(since: number) {
    this.since = since
  }
}

/** Lenders whose fresh supply came in an hour and who were not touched since, and the index when that hour was over. */
export type Arrival = { lenders: number; index: number }

/** The lending pool of an asset. Lenders' claims stand in the ledger: their `lend` accounts, and `lend-interest`. */
export class Pool {
  readonly asset: AssetId
  /** All `lend` accounts together, what waits in the queue included. */
  claims = 0
  principal = 0 as Units
  interest = 0 as Units
  /** Of the claims, what was there when the running hour began and has not left since. */
  earning = 0
  /** Interest per unit that earned, of all hours that are over since the pool began, in 1e-12. */
  index = 0
  /** Lenders' interest of the running hour, and the insurance fund's that waits for liquidity. Both stand in `lend-interest`. */
  pot = 0
  reserve = 0
  /** Hourly rate of the running hour, in 1e-12. */
  rate = 0
  /** Share that is lent out, in 1e-9, since `usedSince` (ms); and, of the running hour before that, shares × ms: see `rate.ts`. */
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

/** In the minute that began then, the fund took over accounts whose loss and part of the value carried come to this, in USDT units, in an asset. */
export type Taking = { readonly atMs: Millis; readonly asset: AssetId; risk: Units }

/** What the exchange knows about margin trading and lending beyond its ledger. */
export class MarginState {
  terms: MarginTerms | undefined
  /** By asset number. */
  readonly pools: (Pool | undefined)[] = []
  readonly accounts = new Shards<Account>()
  readonly #byUser = new ByNumber<Account[]>()
  /** Accounts that owe anything. */
  readonly indebted = new Indebted()
  /** By asset number: prices by which accounts are judged. */
  readonly prices: (Price | undefined)[] = []
  /** By market number: halts of spot markets, of those that ever had one. */
  readonly halts = new Map<number, Outage>()
  /** Hour (since 1970) up to which interest is charged, or being charged. */
  hour = 0
  /** Keys of accounts being liquidated whose next step can be tried, in the order in which they are. */
  readonly steps = new Set<number>()
  /** What spot orders of margin accounts did in the running command: see `desk.ts`. */
  readonly changes: Change[] = []
  /** By number of the order or list. */
  readonly loans = new Shards<OrderLoan>()
  /** Pools that the running command changed: each is told once, at its end. */
  readonly touched = new Set<Pool>()
  /** How far index prices have moved, all ticks added up, in 1e-9: see `review.ts`. */
  moved = 1
  /** Key from which the review of all accounts goes on, −1: none is under way; and whether it begins again after that. */
  reviewFrom = -1
  reviewsAgain = false
  /** Accounts that the fund took over in the last ten minutes. */
  takings: Taking[] = []
  /** Keys of the accounts that the fund has taken over. */
  readonly taken = new Set<number>()
  /** Per asset: what units × index price are divided by to be USDT units. */
  readonly divisors: number[] = []
  /** Assets that have a market in USDT, as of so many assets and markets: see `assetsOf`. */
  priced: readonly number[] = []
  pricedOf = -1
  /** Key below which no debt waits for the hour's charge. Found anew after a restore. */
  chargedTo = 0

  pool(asset: AssetId): Pool {
    return (this.pools[asset] ??= new Pool(asset))
  }

  /** The pool as it stands, for a look: an empty one when there is none. */
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

  /** All accounts of a user, in no order. */
  accountsOf(user: UserId): readonly Account[] {
    return this.#byUser.get(user) ?? []
  }

  /** Accounts in the order of user and market, whatever came first. */
  sorted(accounts: Iterable<Account>): Account[] {
    return [...accounts].sort((a, b) => a.user - b.user || a.market - b.market)
  }
}
