import type { Records } from '../../protocol/codec/records.ts'
import { marginTermsSlots, readMarginTerms, writeMarginTerms } from '../../protocol/codec/margin.ts'
import type { MarginTerms } from '../../protocol/command/margin.ts'

/** Numbers of `marginStates`. */
export const SAFE = 0
export const WATCH = 1
export const LIQUIDATING = 2

/** What an account owes of one asset. */
export class Debt {
  readonly asset: number
  principal = 0
  /** Charged and not yet paid. */
  interest = 0
  /** Number of the last hour (since 1970) that interest was charged for. */
  paidHour: number

  constructor(asset: number, paidHour: number) {
    this.asset = asset
    this.paidHour = paidHour
  }
}

/** A lever account that ever had anything: cross (market 0), or that of a market. Its money stands in the ledger. */
export class Account {
  readonly user: number
  readonly market: number
  /** By asset number. */
  readonly debts: Debt[] = []
  state = SAFE
  /** How far `MarginState.moved` may go until it must be reviewed; 0 when something changed since. See `review.ts`. */
  calmUntil = 0

  constructor(user: number, market: number) {
    this.user = user
    this.market = market
  }

  debt(asset: number): Debt | undefined {
    return this.debts.find((debt) => debt.asset === asset)
  }
}

/**
 * An account got `asset` by an order, or by a loan for one: up to `repays` of it repays what it owes. `order`: that whose loan this
 * is about, when its loan is remembered; with `repays` 0 it, or a leg of its list, has ended.
 */
export type Change = { readonly account: Account; readonly asset: number; readonly repays: number; readonly order: number }

/**
 * What was borrowed for an order that repays at its end, or for a list of two, while it is alive. Its own money is spent first.
 *
 * own   what the account had itself of all that the order needed
 * lent  principal, and `fee` the interest of its first hour, less what went back
 * spent by legs that have ended
 */
export type OrderLoan = { own: number; lent: number; fee: number; spent: number }

export type DueDebt = { readonly account: Account; readonly debt: Debt }

/** A lender waits for this much of his claim. */
export type Waiting = { readonly user: number; amount: number }

/** A lender of a pool. What he has stands in the ledger. */
export class Lender {
  /** The pool's index up to which interest is in his claim. */
  since: number
  /** Of his claim, what came in `hour`: it earns from the turn after it. */
  fresh = 0
  hour = 0

  constructor(since: number) {
    this.since = since
  }
}

/** Lenders whose fresh supply came in an hour and who were not touched since, and the index when that hour was over. */
export type Arrival = { lenders: number; index: number }

/** The lending pool of an asset. Lenders' claims stand in the ledger: their `lend` accounts, and `lend-interest`. */
export class Pool {
  readonly asset: number
  /** All `lend` accounts together, what waits in the queue included. */
  claims = 0
  principal = 0
  interest = 0
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
  readonly lenders = new Map<number, Lender>()
  /** By hour (since 1970). */
  readonly arrivals = new Map<number, Arrival>()
  readonly queue: Waiting[] = []
  queued = 0

  constructor(asset: number) {
    this.asset = asset
  }

  get borrowed(): number {
    return this.principal + this.interest
  }
}

/** Markets and assets stay below 2^20, users below 2^32. */
export function accountKey(user: number, market: number): number {
  return user * 2 ** 20 + market
}

/** What the exchange knows about lever trading and lending beyond its ledger. */
export class MarginState {
  terms: MarginTerms | undefined
  /** By asset number. */
  readonly pools: (Pool | undefined)[] = []
  readonly accounts = new Map<number, Account>()
  /** Accounts that owe anything. */
  readonly indebted = new Set<Account>()
  /** Hour (since 1970) up to which interest is charged, or being charged. */
  hour = 0
  /** Keys of accounts being liquidated whose next step can be tried, in the order in which they are. */
  readonly steps = new Set<number>()
  /** What spot orders of lever accounts did in the running command: see `desk.ts`. */
  readonly changes: Change[] = []
  /** By number of the order or list. */
  readonly loans = new Map<number, OrderLoan>()
  /** Pools that the running command changed: each is told once, at its end. */
  readonly touched = new Set<Pool>()
  /** How far index prices have moved, all ticks added up, and what they were last, by asset: see `review.ts`. */
  moved = 1
  lastPrices: number[] = []
  /** Per asset: what units × index price are divided by to be USDT units. */
  readonly divisors: number[] = []
  /** Assets that have a price in USDT, as of so many assets and markets: see `assetsOf`. */
  priced: readonly number[] = []
  pricedOf = -1
  /** Debts that may wait for the hour's charge, the first last. Made from `paidHour` when it is missing. */
  due: DueDebt[] | undefined

  pool(asset: number): Pool {
    return (this.pools[asset] ??= new Pool(asset))
  }

  /** The pool as it stands, for a look: an empty one when there is none. */
  seen(asset: number): Pool {
    return this.pools[asset] ?? new Pool(asset)
  }

  find(user: number, market: number): Account | undefined {
    return this.accounts.get(accountKey(user, market))
  }

  account(user: number, market: number): Account {
    const key = accountKey(user, market)
    const known = this.accounts.get(key)
    if (known !== undefined) return known
    const account = new Account(user, market)
    this.accounts.set(key, account)
    return account
  }

  /** Accounts in the order of user and market, whatever came first. */
  sorted(accounts: Iterable<Account>): Account[] {
    return [...accounts].sort((a, b) => a.user - b.user || a.market - b.market)
  }

  dump(into: Records): void {
    put(into, this.hour, this.terms === undefined ? 0 : 1)
    if (this.terms !== undefined) {
      const at = into.reserve(marginTermsSlots(this.terms))
      writeMarginTerms(this.terms, into.data, at)
    }
    const pools = this.pools.filter((pool) => pool !== undefined)
    put(into, pools.length)
    for (const pool of pools) dumpPool(pool, into)
    put(into, this.accounts.size)
    for (const { user, market, state, debts } of this.sorted(this.accounts.values())) {
      put(into, user, market, state, debts.length)
      for (const { asset, principal, interest, paidHour } of debts) put(into, asset, principal, interest, paidHour)
    }
    put(into, this.steps.size, ...this.steps)
    const loans = [...this.loans].sort(([a], [b]) => a - b)
    put(into, loans.length)
    for (const [order, { own, lent, fee, spent }] of loans) put(into, order, own, lent, fee, spent)
  }

  /** Reads what `dump` wrote at `at`, into an empty state; returns where it ends. */
  restore(data: Float64Array, start: number): number {
    let at = start
    this.hour = data[at++]!
    if (data[at++] === 1) {
      this.terms = readMarginTerms(data, at)
      at += marginTermsSlots(this.terms)
    }
    const pools = data[at++]!
    for (let n = 0; n < pools; n++) at = restorePool(this.pool(data[at]!), data, at + 1)
    const accounts = data[at++]!
    for (let n = 0; n < accounts; n++) {
      const account = this.account(data[at]!, data[at + 1]!)
      account.state = data[at + 2]!
      const debts = data[at + 3]!
      at += 4
      for (let k = 0; k < debts; k++, at += 4) {
        const debt = new Debt(data[at]!, data[at + 3]!)
        debt.principal = data[at + 1]!
        debt.interest = data[at + 2]!
        account.debts.push(debt)
      }
      if (debts > 0) this.indebted.add(account)
    }
    const steps = data[at++]!
    for (let n = 0; n < steps; n++) this.steps.add(data[at++]!)
    const loans = data[at++]!
    for (let n = 0; n < loans; n++, at += 5) {
      this.loans.set(data[at]!, { own: data[at + 1]!, lent: data[at + 2]!, fee: data[at + 3]!, spent: data[at + 4]! })
    }
    return at
  }
}

function dumpPool(pool: Pool, into: Records): void {
  const { asset, claims, principal, interest, earning, index, pot, reserve, rate, queued } = pool
  put(into, asset, claims, principal, interest, earning, index, pot, reserve, rate, queued, pool.used, pool.usedSince, pool.usedMs)
  const lenders = [...pool.lenders].sort(([a], [b]) => a - b)
  put(into, lenders.length)
  for (const [user, { since, fresh, hour }] of lenders) put(into, user, since, fresh, hour)
  const arrivals = [...pool.arrivals].sort(([a], [b]) => a - b)
  put(into, arrivals.length)
  for (const [hour, arrival] of arrivals) put(into, hour, arrival.lenders, arrival.index)
  put(into, pool.queue.length)
  for (const { user, amount } of pool.queue) put(into, user, amount)
}

function restorePool(pool: Pool, data: Float64Array, start: number): number {
  pool.claims = data[start]!
  pool.principal = data[start + 1]!
  pool.interest = data[start + 2]!
  pool.earning = data[start + 3]!
  pool.index = data[start + 4]!
  pool.pot = data[start + 5]!
  pool.reserve = data[start + 6]!
  pool.rate = data[start + 7]!
  pool.queued = data[start + 8]!
  pool.used = data[start + 9]!
  pool.usedSince = data[start + 10]!
  pool.usedMs = data[start + 11]!
  let at = start + 12
  const lenders = data[at++]!
  for (let n = 0; n < lenders; n++, at += 4) {
    const lender = new Lender(data[at + 1]!)
    lender.fresh = data[at + 2]!
    lender.hour = data[at + 3]!
    pool.lenders.set(data[at]!, lender)
  }
  const arrivals = data[at++]!
  for (let n = 0; n < arrivals; n++, at += 3) pool.arrivals.set(data[at]!, { lenders: data[at + 1]!, index: data[at + 2]! })
  const waiting = data[at++]!
  for (let n = 0; n < waiting; n++, at += 2) pool.queue.push({ user: data[at]!, amount: data[at + 1]! })
  return at
}

function put(into: Records, ...values: readonly number[]): void {
  const at = into.reserve(values.length)
  for (let n = 0; n < values.length; n++) into.data[at + n] = values[n]!
}
