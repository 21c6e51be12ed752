/** Values of margin accounts: as the liquidation test counts them, and as they count for their owners' own actions. */
import type { IndexPrice, Ppm, Units } from '../../../money/brand.ts'
import type { AssetId, MarketId, UserId } from '../../../protocol/ids.ts'
import * as fields from '../../../book/order-fields.ts'
import { SELL } from '../../../protocol/codec/layout.ts'
import {
  addValues,
  assetValue,
  thresholds,
  debtValue,
  divisorOf,
  doubtPrice,
  levelPpm,
  oneUsdt,
  weightOf,
  weighted,
} from '../../../risk/margin.ts'
import type { Thresholds, Holding, IndexValue } from '../../../risk/margin.ts'
import type { AccountValue, OrderAsset } from '../../../risk/margin-order.ts'
import type { State } from '../../state/state.ts'
import type { Account } from '../records/account.ts'
import { marginRow } from './postings.ts'
import { isPriceGood } from './prices.ts'

// Local copies: the compiler treats a module's own constants as constants, but not imported ones.
const { F, FLAGS, I, LEFT, MARKET, PRICE, VISIBLE } = fields

const nothing: IndexValue = { price: 0 as IndexPrice, divisor: 1 as IndexPrice }

/** Whether an asset can have a price in USDT. */
export function isPriced(x: State, asset: AssetId): boolean {
  return asset === x.usdt || x.usdtVenues[asset] !== undefined
}

/** Last good index price of an asset in the form that the arithmetic takes. Without one the asset counts as 0. */
export function indexValue(x: State, asset: AssetId): IndexValue {
  const isUsdt = asset === x.usdt
  const price = (isUsdt ? oneUsdt : (x.margin.prices[asset]?.last ?? 0)) as IndexPrice
  if (price === 0) return nothing
  const divisor = (x.margin.divisors[asset] ??= divisorOf(x.assets[asset - 1]!.scale, x.assets[x.usdt - 1]!.scale)) as IndexPrice
  return { price, divisor }
}

/** Assets that an account may hold: a market's two, or all that can have a price. */
export function assetsOf(x: State, market: MarketId): readonly number[] {
  const venue = x.venue(market)
  if (venue !== undefined) return venue.base < venue.quote ? [venue.base, venue.quote] : [venue.quote, venue.base]
  const { margin } = x
  const listed = x.assets.length + x.venues.length
  if (margin.pricedOf !== listed) {
    margin.pricedOf = listed
    margin.priced = x.assets.map(({ id }) => id as number).filter((asset) => isPriced(x, asset as AssetId))
  }
  return margin.priced
}

/**
 * Assets that an account may hold or owe now, by number. For a cross account, only those that it ever had, so that a review costs
 * less.
 */
export function assetsIn(x: State, account: Account): readonly number[] {
  return account.market === 0 ? account.assets : assetsOf(x, account.market)
}

/** Notes that an asset enters an account or its debts. */
export function noteAsset(account: Account, asset: AssetId): void {
  const { assets } = account
  if (account.market !== 0 || assets.includes(asset)) return
  assets.push(asset)
  assets.sort((a, b) => a - b)
}

/** Units of an asset in an account, held ones included. */
export function unitsOf(x: State, account: Account, asset: AssetId): Units {
  const row = marginRow(x, account.user, account.market, asset)
  return (x.ledger.available(row) + x.ledger.held(row)) as Units
}

/** Values in USDT units at the last good prices, as the liquidation test uses them. */
export type Worth = { readonly assets: Units; readonly debt: Units; readonly level: Ppm }

export function worth(x: State, account: Account): Worth {
  let assets = 0
  let debt = 0
  for (const asset of assetsIn(x, account)) {
    const units = unitsOf(x, account, asset as AssetId)
    const owed = owedOf(account, asset as AssetId)
    if (units === 0 && owed === 0) continue
    const value = indexValue(x, asset as AssetId)
    assets = addValues(assets as Units, assetValue(units, value))
    debt = addValues(debt as Units, debtValue(owed, value))
  }
  if (debt > 0 && account.orders.size > 0) assets = Math.max(0, assets - lossOfOrders(x, account, inFull))
  return { assets: assets as Units, debt: debt as Units, level: levelPpm(assets as Units, debt as Units) }
}

/**
 * Values for the owner's own actions (borrowing, opening, taking out): assets by their weights, an asset without a good price as
 * 0, a debt without a good price at a tenth above the last good one.
 */
export function wanted(x: State, account: Account): Worth {
  let assets = 0
  let debt = 0
  for (const asset of assetsIn(x, account)) {
    const units = unitsOf(x, account, asset as AssetId)
    const owed = owedOf(account, asset as AssetId)
    if (units === 0 && owed === 0) continue
    assets = addValues(assets as Units, wantedValue(x, account, asset as AssetId, units) as Units)
    debt = addValues(debt as Units, debtValue(owed, wantedDebt(x, asset as AssetId)))
  }
  if (debt > 0 && account.orders.size > 0) assets = Math.max(0, assets - lossOfOrders(x, account, wantedValue))
  return { assets: assets as Units, debt: debt as Units, level: levelPpm(assets as Units, debt as Units) }
}

/** Both kinds of values. */
export function accountValue(x: State, account: Account): AccountValue {
  const [now, want] = [worth(x, account), wanted(x, account)]
  return { assets: now.assets, debt: now.debt, wantedAssets: want.assets, wantedDebt: want.debt }
}

/** Part of its value for which an asset of the account counts: 0 while its price is not good. */
export function wantedWeight(x: State, account: Account, asset: AssetId): Ppm {
  return isPriceGood(x, asset) ? weightOf(x.margin.terms!, account.market !== 0, asset, x.usdt) : (0 as Ppm)
}

function wantedDebt(x: State, asset: AssetId): IndexValue {
  const value = indexValue(x, asset)
  return isPriceGood(x, asset) ? value : { price: doubtPrice(value.price), divisor: value.divisor }
}

/** The value at which a sum of an asset counts, in USDT units. */
type Counting = (x: State, account: Account, asset: AssetId, units: Units) => number

const inFull: Counting = (x, _, asset, units) => valueIn(x, asset, units)
const wantedValue: Counting = (x, account, asset, units) => weighted(valueIn(x, asset, units), wantedWeight(x, account, asset))

/**
 * Possible loss by the account's orders in the book: the value that they give less the value that they bring in, as `count` counts
 * them. Sleeping orders are judged when they wake.
 */
function lossOfOrders(x: State, account: Account, count: Counting): number {
  const { f, i } = x.orders
  let loss = 0
  for (const slot of account.orders) {
    // A sleeping or just waking order shows nothing.
    if (f[slot * F + VISIBLE] === 0) continue
    const flags = i[slot * I + FLAGS]!
    const venue = x.venues[f[slot * F + MARKET]!]!
    const lots = f[slot * F + LEFT]!
    const base = count(x, account, venue.base, (lots * venue.basePerLot) as Units)
    const quote = count(x, account, venue.quote, (f[slot * F + PRICE]! * lots * venue.quotePerTickLot) as Units)
    loss = addValues(loss as Units, Math.max(0, (flags & SELL) !== 0 ? base - quote : quote - base) as Units)
  }
  return loss
}

export function owedOf(account: Account, asset: AssetId): Units {
  const debt = account.debt(asset)
  return debt === undefined ? (0 as Units) : ((debt.principal + debt.interest) as Units)
}

/** Debt of all accounts of a customer together in an asset, who may be a firm. */
export function owedByCustomer(x: State, user: UserId, asset: AssetId): Units {
  let owed = 0
  for (const one of [user, ...x.firm.othersOf(user)]) for (const account of x.margin.accountsOf(one)) owed += owedOf(account, asset)
  return owed as Units
}

/** One asset of an account and the value of all others, counted as for the owner's own actions. */
export function holding(x: State, account: Account, asset: AssetId, { assets, debt }: Worth): Holding {
  const value = indexValue(x, asset)
  const units = unitsOf(x, account, asset)
  const owed = owedOf(account, asset)
  const owedValue = wantedDebt(x, asset)
  return {
    ...value,
    weightPpm: wantedWeight(x, account, asset),
    debtPrice: owedValue.price,
    units,
    owed,
    otherAssets: (assets - wantedValue(x, account, asset, units)) as Units,
    otherDebt: (debt - debtValue(owed, owedValue)) as Units,
  }
}

/** One of the two assets of an order of the account. */
export function orderAsset(x: State, account: Account, asset: AssetId): OrderAsset {
  return {
    ...indexValue(x, asset),
    weightPpm: wantedWeight(x, account, asset),
    isGood: isPriceGood(x, asset),
    isUsdt: asset === x.usdt,
    units: unitsOf(x, account, asset),
    owed: owedOf(account, asset),
  }
}

export function thresholdsOf(x: State, account: Account, debt: Units): Thresholds {
  return thresholds(x.margin.terms!, account.market !== 0, debt)
}

/** Whether the account is completely empty, held and available. */
export function isBare(x: State, account: Account): boolean {
  return assetsIn(x, account).every((asset) => unitsOf(x, account, asset as AssetId) === 0)
}

/** Value of a sum of an asset in USDT units, rounded down. */
export function valueIn(x: State, asset: AssetId, units: Units): Units {
  return assetValue(units, indexValue(x, asset))
}
