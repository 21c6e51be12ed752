/** What lever accounts are worth at index prices. */
import { assetValue, borders, debtValue, divisorOf, levelPpm } from '../../risk/margin.ts'
import type { Borders, Holding, IndexValue } from '../../risk/margin.ts'
import type { State } from '../state.ts'
import { marginRow } from './postings.ts'
import type { Account } from './state.ts'

const oneUsdt = 100_000_000
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
  const usdtScale = x.assets[x.usdt - 1]?.scale ?? 0
  const scale = x.assets[asset - 1]!.scale
  if (asset === x.usdt) return { price: oneUsdt, divisor: divisorOf(scale, usdtScale) }
  const venue = x.usdtVenues[asset]
  return venue === undefined ? nothing : { price: venue.indexPrice, divisor: divisorOf(scale, usdtScale) }
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
    assets += assetValue(units, value)
    debt += debtValue(owed, value)
    if (!isPriceGood(x, asset)) isGood = false
  }
  return { assets, debt, level: levelPpm(assets, debt), isGood }
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
