/** Views of margin accounts and pools. Reading them changes nothing. */
import type { IndexPrice, Millis, Ppm, Units } from '../../money/brand.ts'
import type { AssetId, MarketId, UserId } from '../../protocol/ids.ts'
import type { ClaimView, MarginAccount, MarginBalance, PoolView } from '../../protocol/port.ts'
import { marginStates } from '../../protocol/event/margin.ts'
import { borrowable, thresholds, liquidationPrice, transferable } from '../../risk/margin.ts'
import { orderLoan } from '../../risk/margin-order.ts'
import { earnRate, poolRoom } from '../../risk/margin-rate.ts'
import type { State } from '../state/state.ts'
import { ceilingOf, viewCeiling } from '../state/ceiling.ts'
import type { Venue } from '../records/venue.ts'
import { Account, LIQUIDATING } from './records/account.ts'
import { hasMargin, isSpotMarket } from './handlers/borrow.ts'
import { freshOf, pendingInterest } from './loans/lenders.ts'
import { liquidity, poolSums, rateNow } from './loans/pool.ts'
import { lendRow, marginRow } from './rules/postings.ts'
import { isAccountPriceGood, isPriceGood } from './rules/prices.ts'
import type { Pool } from './records/state.ts'
import {
  accountValue,
  assetsIn,
  assetsOf,
  holding,
  indexValue,
  isBare,
  isPriced,
  orderAsset,
  owedByCustomer,
  owedOf,
  wanted,
  worth,
} from './rules/value.ts'
import type { Worth } from './rules/value.ts'

const hourMs = 3_600_000

/**
 * The cross account, then the isolated accounts that hold or owe anything. The isolated account of `market` is always included if
 * given.
 */
export function viewAccounts(x: State, user: UserId, market?: MarketId): readonly MarginAccount[] {
  return accountsOf(x, user, market).map((account) => viewAccount(x, account, x.spotVenue((account.market || (market ?? 0)) as MarketId)))
}

/** What one margin account holds and owes, by asset. */
export type MarginHoldings = {
  readonly market: MarketId
  readonly balances: readonly Pick<MarginBalance, 'asset' | 'available' | 'held' | 'principal' | 'interest'>[]
}

/** The cross account, then the isolated accounts that hold or owe anything. */
export function viewHoldings(x: State, user: UserId): readonly MarginHoldings[] {
  return accountsOf(x, user).map((account) => ({
    market: account.market as MarketId,
    balances: assetsOf(x, account.market).map((asset) => held(x, account, asset as AssetId)),
  }))
}

function accountsOf(x: State, user: UserId, market?: MarketId): readonly Account[] {
  if (x.margin.terms === undefined) return []
  const isolated = x.venues.flatMap((venue) => {
    if (venue === undefined || !isSpotMarket(x, venue.id)) return []
    const known = x.margin.find(user, venue.id)
    const isUsed = known !== undefined && (known.debts.length > 0 || !isBare(x, known))
    return isUsed || venue.id === market ? [known ?? new Account(user, venue.id)] : []
  })
  return [x.margin.find(user, 0 as MarketId) ?? new Account(user, 0 as MarketId), ...isolated]
}

function held(x: State, account: Account, asset: AssetId): MarginHoldings['balances'][number] {
  const row = marginRow(x, account.user, account.market, asset)
  const debt = account.debt(asset)
  return {
    asset,
    available: x.ledger.available(row) as Units,
    held: x.ledger.held(row) as Units,
    principal: (debt?.principal ?? 0) as Units,
    interest: (debt?.interest ?? 0) as Units,
  }
}

/** `venue`: the market in which the account's orders would be placed. */
function viewAccount(x: State, account: Account, venue: Venue | undefined): MarginAccount {
  const now = worth(x, account)
  const want = wanted(x, account)
  const { call, liquidation } = thresholds(x.margin.terms!, account.market !== 0, now.debt)
  return {
    user: account.user as UserId,
    market: account.market as MarketId,
    balances: assetsOf(x, account.market).map((asset) => viewBalance(x, account, asset as AssetId, want, venue)),
    assets: now.assets as Units,
    debt: now.debt as Units,
    levelPpm: (account.debts.length === 0 ? null : now.level) as Ppm,
    state: marginStates[account.state]!,
    callPpm: call,
    liquidationPpm: liquidation,
    liquidationPrice: priceOf(x, account) as IndexPrice,
    isIndexGood: assetsIn(x, account).every((asset) => isPriceGood(x, asset as AssetId)),
    ceiling: viewCeiling(x, account.user),
  }
}

function viewBalance(x: State, account: Account, asset: AssetId, want: Worth, venue: Venue | undefined): MarginBalance {
  const terms = x.margin.terms!
  const isIsolated = account.market !== 0
  const units = held(x, account, asset)
  const own = holding(x, account, asset, want)
  const isGood = isAccountPriceGood(x, account.market, asset) && account.state !== LIQUIDATING
  const canBorrow = terms.isOpen && hasMargin(x, account.market) && isGood
  const canLeave = account.debts.length === 0 ? account.takenMs === 0 : isGood
  const userOwed = owedByCustomer(x, account.user, asset)
  const leverage = ceilingOf(x, account.user)
  const most = (canBorrow ? borrowable(terms, isIsolated, own, poolSums(x, x.margin.seen(asset)), userOwed, leverage) : 0) as Units
  const other = venue === undefined ? 0 : asset === venue.base ? venue.quote : asset === venue.quote ? venue.base : 0
  return {
    ...units,
    price: indexValue(x, asset).price as IndexPrice,
    borrowable: most as Units,
    orderLoan: (most === 0 || other === 0 ? most : loanFor(x, account, asset, other, most)) as Units,
    transferable: (canLeave ? transferable(terms, isIsolated, own, units.available, leverage) : 0) as Units,
  }
}

function loanFor(x: State, account: Account, give: AssetId, get: AssetId, most: Units): number {
  const available = x.ledger.available(marginRow(x, account.user, account.market, give))
  const order = { give: orderAsset(x, account, give), get: orderAsset(x, account, get), available, borrowable: most }
  return orderLoan(x.margin.terms!, account.market !== 0, accountValue(x, account), order)
}

function priceOf(x: State, account: Account): IndexPrice {
  const venue = x.venue(account.market)
  if (venue === undefined) return 0 as IndexPrice
  const units = (asset: AssetId): Units => {
    const row = marginRow(x, account.user, account.market, asset)
    return (x.ledger.available(row) + x.ledger.held(row)) as Units
  }
  const { base, quote } = venue
  const pair = { base: units(base), quote: units(quote), baseOwed: owedOf(account, base), quoteOwed: owedOf(account, quote) }
  const [baseValue, quoteValue] = [indexValue(x, base), indexValue(x, quote)]
  const value = { baseDivisor: baseValue.divisor, quoteDivisor: quoteValue.divisor, quotePrice: quoteValue.price }
  return liquidationPrice(x.margin.terms!, pair, value)
}

/** Pools of all assets that can be lent. */
export function viewPools(x: State): readonly PoolView[] {
  const { terms } = x.margin
  if (terms === undefined) return []
  return x.assets
    .filter(({ id }) => isPriced(x, id))
    .map(({ id }) => {
      const pool = x.margin.seen(id)
      const sums = poolSums(x, pool)
      return {
        asset: id,
        supplied: sums.supplied as Units,
        borrowed: sums.borrowed as Units,
        queued: pool.queued as Units,
        rate: rateNow(x, pool),
        earnRate: earnRate(terms, sums),
        liquidity: liquidity(x, pool) as Units,
        room: poolRoom(terms, sums) as Units,
      }
    })
}

/** A user's claims on lending pools. */
export function viewClaims(x: State, user: UserId): readonly ClaimView[] {
  return x.margin.pools.flatMap((pool) => (pool?.lenders.has(user) === true ? [viewClaim(x, pool, user)] : []))
}

function viewClaim(x: State, pool: Pool, user: UserId): ClaimView {
  const row = lendRow(x, user, pool.asset)
  const pending = pendingInterest(x, pool, user)
  const queued = x.ledger.held(row)
  const free = x.ledger.available(row) + pending
  const hour = Math.floor(x.atMs / hourMs)
  const fresh = freshOf(pool, user, hour)
  const liquid = pool.queue.length > 0 ? 0 : Math.max(0, Math.min(free, liquidity(x, pool)))
  return {
    asset: pool.asset as AssetId,
    claim: (free + queued) as Units,
    pending: pending as Units,
    queued: queued as Units,
    liquid: liquid as Units,
    fresh: fresh as Units,
    freshUntil: fresh === 0 ? null : (((hour + 1) * hourMs) as Millis),
  }
}
