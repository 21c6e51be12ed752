import type { Millis, Units } from '../../money/brand.ts'
import type { AssetId, MarketId, UserId } from '../../protocol/ids.ts'
import { marginTermsSlots, readMarginTerms, readMarginTerms12, writeMarginTerms } from '../../protocol/codec/margin.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { scaleOf } from '../../money/scale.ts'
import { laterTerms } from '../../risk/margin-terms.ts'
import type { State } from '../state/state.ts'
import { Debt, accountKey } from './records/account.ts'
import type { Account } from './records/account.ts'
import { Outage, Price } from './records/outage.ts'
import { Lender } from './records/state.ts'
import type { MarginState, Pool } from './records/state.ts'
import { noteAsset, unitsOf } from './rules/value.ts'

/** Margin trading and lending, sorted by number. */
export function dumpMargin(margin: MarginState, into: Records): void {
  put(into, margin.hour, margin.terms === undefined ? 0 : 1)
  if (margin.terms !== undefined) {
    const at = into.reserve(marginTermsSlots(margin.terms))
    writeMarginTerms(margin.terms, into.data, at)
  }
  const pools = margin.pools.filter((pool) => pool !== undefined)
  put(into, pools.length)
  for (const pool of pools) dumpPool(pool, into)
  put(into, margin.accounts.size)
  for (const { user, market, state, calmUntil, takenMs, assets, debts } of margin.sorted(margin.accounts.values())) {
    put(into, user, market, state, calmUntil, takenMs, assets.length, ...assets, debts.length)
    for (const { asset, principal, interest, paidHour } of debts) put(into, asset, principal, interest, paidHour)
  }
  put(into, margin.steps.size)
  for (const key of margin.steps) put(into, key)
  const loans = [...margin.loans].sort(([a], [b]) => a - b)
  put(into, loans.length)
  for (const [order, { own, lent, fee, spent }] of loans) put(into, order, own, lent, fee, spent)
  dumpPrices(margin, into)
  put(into, margin.moved, margin.reviewFrom, margin.reviewsAgain ? 1 : 0, margin.takings.length)
  for (const { atMs, asset, risk } of margin.takings) put(into, atMs, asset, risk)
}

function dumpPrices({ prices, halts }: MarginState, into: Records): void {
  const known = prices.flatMap((price, asset) => (price === undefined ? [] : [{ asset, price }]))
  put(into, known.length)
  for (const { asset, price } of known) put(into, asset, price.last, price.outage.sinceMs, price.outage.returnedMs)
  put(into, halts.size)
  for (const [market, { sinceMs, returnedMs }] of [...halts].sort(([a], [b]) => a - b)) put(into, market, sinceMs, returnedMs)
}

/**
 * Reads what `dumpMargin` wrote at `start` in a dump of version `from` into an empty state. Returns the index just after it. A
 * dump of version 12 lacks: the later terms (initial values are used); prices (the markets' prices count as the last good ones; a
 * price that is not good, and a halt, count from the last command); calm bounds; accounts that the fund took over. The assets of
 * cross accounts are looked up.
 */
export function restoreMargin(x: State, data: Float64Array, start: number, from: number): number {
  const { margin } = x
  let at = start
  margin.hour = data[at++]!
  if (data[at++] === 1) at = from < 13 ? restoreTerms12(x, data, at) : restoreTerms(margin, data, at)
  const pools = data[at++]!
  for (let n = 0; n < pools; n++) at = restorePool(margin.pool(data[at] as AssetId), data, at + 1)
  at = restoreAccounts(x, data, at, from)
  const steps = data[at++]!
  for (let n = 0; n < steps; n++) margin.steps.add(data[at++]!)
  const loans = data[at++]!
  for (let n = 0; n < loans; n++, at += 5) {
    margin.loans.set(data[at]!, {
      own: data[at + 1] as Units,
      lent: data[at + 2] as Units,
      fee: data[at + 3] as Units,
      spent: data[at + 4]!,
    })
  }
  if (from < 13) {
    guessPrices(x)
    return at
  }
  at = restorePrices(margin, data, at)
  margin.moved = data[at++]!
  margin.reviewFrom = data[at++]!
  margin.reviewsAgain = data[at++] === 1
  const takings = data[at++]!
  for (let n = 0; n < takings; n++, at += 3)
    margin.takings.push({ atMs: data[at] as Millis, asset: data[at + 1] as AssetId, risk: data[at + 2] as Units })
  return at
}

function restoreTerms(margin: MarginState, data: Float64Array, at: number): number {
  margin.terms = readMarginTerms(data, at)
  return at + marginTermsSlots(margin.terms)
}

function restoreTerms12(x: State, data: Float64Array, at: number): number {
  const { terms, end } = readMarginTerms12(data, at)
  x.margin.terms = { ...terms, ...laterTerms(scaleOf(x.assets, 'USDT'), x.assets) }
  return end
}

function restoreAccounts(x: State, data: Float64Array, start: number, from: number): number {
  const { margin } = x
  let at = start + 1
  for (let n = 0; n < data[start]!; n++) {
    const account = margin.account(data[at] as UserId, data[at + 1] as MarketId)
    account.state = data[at + 2]!
    at += 3
    if (from >= 13) {
      account.calmUntil = data[at]!
      account.takenMs = data[at + 1]!
      const assets = data[at + 2]!
      at += 3
      for (let k = 0; k < assets; k++) account.assets.push(data[at++]!)
    }
    const debts = data[at++]!
    for (let k = 0; k < debts; k++, at += 4) {
      const debt = new Debt(data[at] as AssetId, data[at + 3]!)
      debt.principal = data[at + 1] as Units
      debt.interest = data[at + 2] as Units
      account.debts.push(debt)
    }
    if (debts > 0) margin.indebted.add(account)
    if (from < 13) findAssets(x, account)
    if (account.takenMs > 0) margin.taken.add(accountKey(account.user, account.market))
  }
  return at
}

function findAssets(x: State, account: Account): void {
  for (const { id } of x.assets) if (unitsOf(x, account, id) > 0 || account.debt(id) !== undefined) noteAsset(account, id)
}

function restorePrices({ prices, halts }: MarginState, data: Float64Array, start: number): number {
  let at = start + 1
  for (let n = 0; n < data[start]!; n++, at += 4) {
    const price = new Price()
    price.last = data[at + 1]!
    price.outage.sinceMs = data[at + 2] as Millis
    price.outage.returnedMs = data[at + 3]!
    prices[data[at]!] = price
  }
  const markets = data[at++]!
  for (let n = 0; n < markets; n++, at += 3) {
    const halt = new Outage()
    halt.sinceMs = data[at + 1] as Millis
    halt.returnedMs = data[at + 2]!
    halts.set(data[at]!, halt)
  }
  return at
}

function guessPrices(x: State): void {
  const { prices, halts } = x.margin
  for (const { id } of x.assets) {
    const venue = x.usdtVenues[id]
    if (venue === undefined || venue.indexPrice === 0) continue
    const price = new Price()
    price.last = venue.indexPrice
    if (!venue.isIndexGood) price.outage.begin(x.atMs)
    prices[id] = price
  }
  for (const venue of x.spotVenues) {
    if (venue === undefined || venue.market.terms.isTrading) continue
    const halt = new Outage()
    halt.begin(x.atMs)
    halts.set(venue.id, halt)
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
  pool.principal = data[start + 1] as Units
  pool.interest = data[start + 2] as Units
  pool.earning = data[start + 3]!
  pool.index = data[start + 4]!
  pool.pot = data[start + 5]!
  pool.reserve = data[start + 6]!
  pool.rate = data[start + 7]!
  pool.queued = data[start + 8] as Units
  pool.used = data[start + 9]!
  pool.usedSince = data[start + 10]!
  pool.usedMs = data[start + 11]!
  let at = start + 12
  const lenders = data[at++]!
  for (let n = 0; n < lenders; n++, at += 4) {
    const lender = new Lender(data[at + 1]!)
    lender.fresh = data[at + 2] as Units
    lender.hour = data[at + 3]!
    pool.lenders.set(data[at]!, lender)
  }
  const arrivals = data[at++]!
  for (let n = 0; n < arrivals; n++, at += 3) pool.arrivals.set(data[at]!, { lenders: data[at + 1]!, index: data[at + 2]! })
  const waiting = data[at++]!
  for (let n = 0; n < waiting; n++, at += 2) pool.queue.push({ user: data[at] as UserId, amount: data[at + 1] as Units })
  return at
}

function put(into: Records, ...values: readonly number[]): void {
  const at = into.reserve(values.length)
  for (let n = 0; n < values.length; n++) into.data[at + n] = values[n]!
}
