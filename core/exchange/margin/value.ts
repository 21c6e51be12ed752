/** What lever accounts are worth at index prices. */
import * as fields from '../../book/order-fields.ts'
import { CROSS_MARGIN, ISOLATED_MARGIN, SELL } from '../../protocol/codec/layout.ts'
import { addValues, assetValue, borders, debtValue, divisorOf, levelPpm, oneUsdt, orderLoss } from '../../risk/margin.ts'
import type { Borders, Holding, IndexValue } from '../../risk/margin.ts'
import type { State } from '../state.ts'
import { marginRow } from './postings.ts'
import type { Account } from './state.ts'

// Copies, because the compiler knows a module's own constants, not imported ones.
const { F, FLAGS, I, LEFT, MARKET, PRICE, USER_NEXT } = fields

const nothing: IndexValue = { price: 0, divisor: 1 }

/** Whether an asset has a price in USDT: only such can be borrowed, or stand in a cross account. */
export function hasPrice(x: State, asset: number): boolean {
  return asset === x.usdt || x.usdtVenues[asset] !== undefined
}

export function isPriceGood(x: State, asset: number): boolean {
  return asset === x.usdt || x.usdtVenues[asset]?.isIndexGood === true
}

/** Index price of an asset, as the arithmetic takes it. Without one it counts for nothing. */
export function indexValue(x: State, asset: number): IndexValue {
  const venue = x.usdtVenues[asset]
  if (venue === undefined && asset !== x.usdt) return nothing
  const divisor = (x.margin.divisors[asset] ??= divisorOf(x.assets[asset - 1]!.scale, x.assets[x.usdt - 1]!.scale))
  return { price: venue === undefined ? oneUsdt : venue.indexPrice, divisor }
}

/** Assets that may stand in an account: a market's two, or all that have a price. */
export function assetsOf(x: State, market: number): readonly number[] {
  const venue = x.venue(market)
  if (venue !== undefined) return venue.base < venue.quote ? [venue.base, venue.quote] : [venue.quote, venue.base]
  const { margin } = x
  const listed = x.assets.length + x.venues.length
  if (margin.pricedOf !== listed) {
    margin.pricedOf = listed
    margin.priced = x.assets.map(({ id }) => id as number).filter((asset) => hasPrice(x, asset))
  }
  return margin.priced
}

/** Values in USDT units. `isGood`: every asset that is there or owed has a good index price. */
export type Worth = { readonly assets: number; readonly debt: number; readonly level: number; readonly isGood: boolean }

export function worth(x: State, account: Account): Worth {
  let assets = 0
  let debt = 0
  let isGood = true
  for (const asset of assetsOf(x, account.market)) {
    const row = marginRow(x, account.user, account.market, asset)
    const units = x.ledger.available(row) + x.ledger.held(row)
    const owed = owedOf(account, asset)
    if (units === 0 && owed === 0) continue
    const value = indexValue(x, asset)
    assets = addValues(assets, assetValue(units, value))
    debt = addValues(debt, debtValue(owed, value))
    if (!isPriceGood(x, asset)) isGood = false
  }
  if (debt > 0 && x.orders.countOf(account.user) > 0) assets = Math.max(0, assets - lossOfOrders(x, account))
  return { assets, debt, level: levelPpm(assets, debt), isGood }
}

/** What the account's open orders could lose against the index. Those that sleep to act at the market's price lose little. */
function lossOfOrders(x: State, account: Account): number {
  const { f, i } = x.orders
  let loss = 0
  for (let slot = x.orders.firstOf(account.user); slot >= 0; slot = i[slot * I + USER_NEXT]!) {
    if (!isOrderOf(x, account, slot)) continue
    const venue = x.venues[f[slot * F + MARKET]!]!
    const lots = f[slot * F + LEFT]!
    const [base, quote] = [lots * venue.basePerLot, f[slot * F + PRICE]! * lots * venue.quotePerTickLot]
    if (quote === 0) continue
    const isSell = (i[slot * I + FLAGS]! & SELL) !== 0
    loss = addValues(loss, orderLoss(isSell, base, indexValue(x, venue.base), quote, indexValue(x, venue.quote)))
  }
  return loss
}

/** Whether a spot order belongs to the account. */
export function isOrderOf(x: State, account: Account, slot: number): boolean {
  const flags = x.orders.i[slot * I + FLAGS]!
  if (account.market === 0) return (flags & CROSS_MARGIN) !== 0
  return (flags & ISOLATED_MARGIN) !== 0 && x.orders.f[slot * F + MARKET] === account.market
}

export function owedOf(account: Account, asset: number): number {
  const debt = account.debt(asset)
  return debt === undefined ? 0 : debt.principal + debt.interest
}

/** One asset of an account beside the value of all others. */
export function holding(x: State, account: Account, asset: number, { assets, debt }: Worth): Holding {
  const value = indexValue(x, asset)
  const row = marginRow(x, account.user, account.market, asset)
  const units = x.ledger.available(row) + x.ledger.held(row)
  const owed = owedOf(account, asset)
  return { ...value, units, owed, otherAssets: assets - assetValue(units, value), otherDebt: debt - debtValue(owed, value) }
}

export function bordersOf(x: State, account: Account, debt: number): Borders {
  return borders(x.margin.terms!, account.market !== 0, debt)
}

/** Whether nothing at all is in the account, held or available. */
export function isBare(x: State, account: Account): boolean {
  return assetsOf(x, account.market).every((asset) => {
    const row = marginRow(x, account.user, account.market, asset)
    return x.ledger.available(row) === 0 && x.ledger.held(row) === 0
  })
}

/** What a sum of an asset is worth in USDT units, rounded down. */
export function valueIn(x: State, asset: number, units: number): number {
  return assetValue(units, indexValue(x, asset))
}
