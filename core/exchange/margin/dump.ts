import type { Millis, Units } from '../../money/brand.ts'
import type { AssetId, MarketId, UserId } from '../../protocol/ids.ts'
import { marginTermsSlots, readMarginTerms, readMarginTerms12, writeMarginTerms } from '../../protocol/codec/margin.ts'
import { layoutOf, put, putRecord } from '../../protocol/codec/records.ts'
import type { DumpVersion } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { scaleOf } from '../../money/scale.ts'
import { laterTerms } from '../../risk/margin-terms.ts'
import type { State } from '../state/state.ts'
import { Debt, accountKey } from './records/account.ts'
import type { Account, AccountKey } from './records/account.ts'
import { Outage, Price } from './records/outage.ts'
import { Lender } from './records/state.ts'
import type { MarginState, Pool } from './records/state.ts'
import { noteAsset, unitsOf } from './rules/value.ts'
import { countAt } from '../../protocol/codec/slots.ts'

const MARGIN = layoutOf('hour', 'hasTerms')
const POOL = layoutOf(
  'asset',
  'claims',
  'principal',
  'interest',
  'earning',
  'index',
  'pot',
  'reserve',
  'rate',
  'queued',
  'used',
  'usedSince',
  'usedMs',
)
const LENDER = layoutOf('user', 'since', 'fresh', 'hour')
const ARRIVAL = layoutOf('hour', 'lenders', 'index')
const WITHDRAWAL = layoutOf('user', 'amount')
const ACCOUNT_12 = layoutOf('user', 'market', 'state')
const ACCOUNT = layoutOf(...ACCOUNT_12.names, 'calmUntil', 'takenMs', 'assetCount')
const DEBT = layoutOf('asset', 'principal', 'interest', 'paidHour')
const LOAN = layoutOf('order', 'own', 'lent', 'fee', 'spent')
const PRICE = layoutOf('asset', 'last', 'sinceMs', 'returnedMs')
const HALT = layoutOf('market', 'sinceMs', 'returnedMs')
const REVIEW = layoutOf('moved', 'reviewFrom', 'reviewsAgain', 'takingCount')
const TAKING = layoutOf('atMs', 'asset', 'risk')

/** Margin trading and lending, sorted by number. */
export function dumpMargin(margin: MarginState, into: Records): void {
  putRecord(into, MARGIN, { hour: margin.hour, hasTerms: margin.terms !== undefined })
  if (margin.terms !== undefined) {
    const at = into.reserve(marginTermsSlots(margin.terms))
    writeMarginTerms(margin.terms, into.data, at)
  }
  const pools = margin.pools.filter((pool) => pool !== undefined)
  put(into, pools.length)
  for (const pool of pools) dumpPool(pool, into)
  put(into, margin.accounts.size)
  for (const { user, market, state, calmUntil, takenMs, assets, debts } of margin.sorted(margin.accounts.values())) {
    putRecord(into, ACCOUNT, { user, market, state, calmUntil, takenMs, assetCount: assets.length })
    into.all(assets)
    put(into, debts.length)
    for (const debt of debts) putRecord(into, DEBT, debt)
  }
  put(into, margin.steps.size)
  for (const key of margin.steps) put(into, key)
  const loans = [...margin.loans].sort(([a], [b]) => a - b)
  put(into, loans.length)
  for (const [order, { own, lent, fee, spent }] of loans) putRecord(into, LOAN, { order, own, lent, fee, spent })
  dumpPrices(margin, into)
  const { moved, reviewFrom, reviewsAgain, takings } = margin
  putRecord(into, REVIEW, { moved, reviewFrom, reviewsAgain, takingCount: takings.length })
  for (const taking of takings) putRecord(into, TAKING, taking)
}

function dumpPrices({ prices, halts }: MarginState, into: Records): void {
  const known = prices.flatMap((price, asset) => (price === undefined ? [] : [{ asset, price }]))
  put(into, known.length)
  for (const { asset, price } of known) {
    const { sinceMs, returnedMs } = price.outage
    putRecord(into, PRICE, { asset, last: price.last, sinceMs, returnedMs })
  }
  put(into, halts.size)
  for (const [market, { sinceMs, returnedMs }] of [...halts].sort(([a], [b]) => a - b)) {
    putRecord(into, HALT, { market, sinceMs, returnedMs })
  }
}

/**
 * Reads what `dumpMargin` wrote at `start` in a dump of version `from` into an empty state. Returns the index just after it. A
 * dump of version 12 lacks: the later terms (initial values are used); prices (the markets' prices count as the last good ones; a
 * price that is not good, and a halt, count from the last command); calm bounds; accounts that the fund took over. The assets of
 * cross accounts are looked up.
 */
export function restoreMargin(x: State, data: Float64Array, start: number, from: DumpVersion): number {
  const { margin } = x
  let at = start + MARGIN.length
  margin.hour = data[start + MARGIN.hour]!
  if (data[start + MARGIN.hasTerms] === 1) at = from < 13 ? restoreTerms12(x, data, at) : restoreTerms(margin, data, at)
  const pools = countAt(data, at++, POOL.length)
  for (let n = 0; n < pools; n++) at = restorePool(margin.pool(data[at + POOL.asset] as AssetId), data, at)
  at = restoreAccounts(x, data, at, from)
  const steps = countAt(data, at++)
  for (let n = 0; n < steps; n++) margin.steps.add(data[at++]! as AccountKey)
  const loans = countAt(data, at++, LOAN.length)
  for (let n = 0; n < loans; n++, at += LOAN.length) {
    margin.loans.set(data[at + LOAN.order]!, {
      own: data[at + LOAN.own] as Units,
      lent: data[at + LOAN.lent] as Units,
      fee: data[at + LOAN.fee] as Units,
      spent: data[at + LOAN.spent]!,
    })
  }
  if (from < 13) {
    guessPrices(x)
    return at
  }
  return restoreReview(margin, data, restorePrices(margin, data, at))
}

function restoreReview(margin: MarginState, data: Float64Array, start: number): number {
  margin.moved = data[start + REVIEW.moved]!
  margin.reviewFrom = data[start + REVIEW.reviewFrom]!
  margin.reviewsAgain = data[start + REVIEW.reviewsAgain] === 1
  let at = start + REVIEW.length
  for (let left = countAt(data, start + REVIEW.takingCount, TAKING.length); left > 0; left--, at += TAKING.length) {
    const [atMs, asset] = [data[at + TAKING.atMs] as Millis, data[at + TAKING.asset] as AssetId]
    margin.takings.push({ atMs, asset, risk: data[at + TAKING.risk] as Units })
  }
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

function restoreAccounts(x: State, data: Float64Array, start: number, from: DumpVersion): number {
  const { margin } = x
  let at = start + 1
  for (let left = countAt(data, start, ACCOUNT_12.length); left > 0; left--) {
    const account = margin.account(data[at + ACCOUNT.user] as UserId, data[at + ACCOUNT.market] as MarketId)
    account.state = data[at + ACCOUNT.state]!
    let assets = 0
    if (from >= 13) {
      account.calmUntil = data[at + ACCOUNT.calmUntil]!
      account.takenMs = data[at + ACCOUNT.takenMs]!
      assets = countAt(data, at + ACCOUNT.assetCount)
    }
    at += (from >= 13 ? ACCOUNT : ACCOUNT_12).length
    for (let k = 0; k < assets; k++) account.assets.push(data[at++]!)
    const debts = countAt(data, at++, DEBT.length)
    for (let k = 0; k < debts; k++, at += DEBT.length) {
      const debt = new Debt(data[at + DEBT.asset] as AssetId, data[at + DEBT.paidHour]!)
      debt.principal = data[at + DEBT.principal] as Units
      debt.interest = data[at + DEBT.interest] as Units
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
  for (let left = countAt(data, start, PRICE.length); left > 0; left--, at += PRICE.length) {
    const price = new Price()
    price.last = data[at + PRICE.last]!
    price.outage.sinceMs = data[at + PRICE.sinceMs] as Millis
    price.outage.returnedMs = data[at + PRICE.returnedMs]!
    prices[data[at + PRICE.asset]!] = price
  }
  const markets = countAt(data, at++, HALT.length)
  for (let n = 0; n < markets; n++, at += HALT.length) {
    const halt = new Outage()
    halt.sinceMs = data[at + HALT.sinceMs] as Millis
    halt.returnedMs = data[at + HALT.returnedMs]!
    halts.set(data[at + HALT.market]!, halt)
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
  putRecord(into, POOL, pool)
  const lenders = [...pool.lenders].sort(([a], [b]) => a - b)
  put(into, lenders.length)
  for (const [user, { since, fresh, hour }] of lenders) putRecord(into, LENDER, { user, since, fresh, hour })
  const arrivals = [...pool.arrivals].sort(([a], [b]) => a - b)
  put(into, arrivals.length)
  for (const [hour, { lenders: count, index }] of arrivals) putRecord(into, ARRIVAL, { hour, lenders: count, index })
  put(into, pool.queue.length)
  for (const withdrawal of pool.queue) putRecord(into, WITHDRAWAL, withdrawal)
}

function restorePool(pool: Pool, data: Float64Array, start: number): number {
  pool.claims = data[start + POOL.claims]!
  pool.principal = data[start + POOL.principal] as Units
  pool.interest = data[start + POOL.interest] as Units
  pool.earning = data[start + POOL.earning]!
  pool.index = data[start + POOL.index]!
  pool.pot = data[start + POOL.pot]!
  pool.reserve = data[start + POOL.reserve]!
  pool.rate = data[start + POOL.rate]!
  pool.queued = data[start + POOL.queued] as Units
  pool.used = data[start + POOL.used]!
  pool.usedSince = data[start + POOL.usedSince]!
  pool.usedMs = data[start + POOL.usedMs]!
  let at = start + POOL.length
  for (let left = countAt(data, at++, LENDER.length); left > 0; left--, at += LENDER.length) {
    const lender = new Lender(data[at + LENDER.since]!)
    lender.fresh = data[at + LENDER.fresh] as Units
    lender.hour = data[at + LENDER.hour]!
    pool.lenders.set(data[at + LENDER.user]!, lender)
  }
  for (let left = countAt(data, at++, ARRIVAL.length); left > 0; left--, at += ARRIVAL.length) {
    pool.arrivals.set(data[at + ARRIVAL.hour]!, { lenders: data[at + ARRIVAL.lenders]!, index: data[at + ARRIVAL.index]! })
  }
  for (let left = countAt(data, at++, WITHDRAWAL.length); left > 0; left--, at += WITHDRAWAL.length) {
    pool.queue.push({ user: data[at + WITHDRAWAL.user] as UserId, amount: data[at + WITHDRAWAL.amount] as Units })
  }
  return at
}
