/** Answers of the routes below `/risk`, as `server/console/risk/schema.ts` describes them. */
import type { TablesAt } from './tables.ts'

export type MarketRow = {
  readonly symbol: string
  readonly phase: string | null
  readonly mark: string | null
  readonly longs: number
  readonly shorts: number
  readonly quantity: string
  readonly openInterest: string
  readonly limit: string
  readonly largest: string
  readonly markedAt: number | null
}
export type PositionRow = {
  readonly uid: string
  readonly position: string
  readonly symbol: string
  readonly side: 'long' | 'short'
  readonly mode: string
  readonly leverage: number
  readonly quantity: string
  readonly value: string | null
  readonly margin: string
  readonly mark: string | null
  readonly liquidation: string | null
  readonly distance: string | null
}
/** A step of a liquidation. `closed`: quantity of Futures, or the assets of a margin account in USDT. */
export type LiquidationRow = {
  readonly seq: number
  readonly line: number
  readonly at: number
  readonly product: 'perp' | 'margin'
  readonly uid: string
  readonly account: string
  readonly closed: string
  readonly mark: string | null
  readonly fee: string
  readonly insured: string
}
export type DeleverageRow = {
  readonly seq: number
  readonly line: number
  readonly at: number
  readonly symbol: string
  readonly bankrupt: string
  readonly uid: string
  readonly quantity: string
  readonly level: string
}
/** One of the exchange's own funds. `balance`: decimals of the asset. */
export type FundRow = { readonly fund: string; readonly asset: string; readonly balance: string }
export type FundDay = { readonly day: string; readonly asset: string; readonly balance: string }
export type PoolRow = {
  readonly asset: string
  readonly supplied: string
  readonly borrowed: string
  readonly queued: string
  readonly utilization: string
  readonly hourlyRate: string
  readonly earnRate: string
  readonly isStopped: boolean
}
/** The customers' collateral by asset, in its decimals. `owed`: debts of margin accounts with interest, as of their last entry. */
export type CollateralRow = {
  readonly asset: string
  readonly perp: string
  readonly cross: string
  readonly isolated: string
  readonly owed: string
}
export type TimedRow = {
  readonly symbol: string
  readonly orders: number
  readonly stakes: string
  readonly payouts: string
  readonly isPaused: boolean | null
}
export type House = {
  readonly isOpen: boolean
  readonly fund: string
  readonly floor: string
  readonly perMarket: string
  readonly total: string
}
export type Risk = {
  readonly tables: TablesAt
  readonly markets: readonly MarketRow[]
  readonly largest: readonly PositionRow[]
  readonly closest: readonly PositionRow[]
  readonly liquidations: readonly LiquidationRow[]
  readonly deleverages: readonly DeleverageRow[]
  readonly funds: readonly FundRow[]
  readonly history: readonly FundDay[]
  readonly pools: readonly PoolRow[] | null
  readonly collateral: readonly CollateralRow[]
  readonly timed: readonly TimedRow[]
  readonly house: House | null
}
