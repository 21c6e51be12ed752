import type { Ppm, Units } from '@candor/core/money/brand.ts'
import { mulDivFloor } from '@candor/core/money/mul-div.ts'
import type { OptionView } from '@candor/core/protocol/port.ts'
import { utilization } from '@candor/core/risk/margin-rate.ts'
import type pg from 'pg'
import { wirePool } from '../../live/lending.ts'
import { amountText } from '../../live/listing.ts'
import { collateral, fundBalances, insuranceHistory, tablesAt, timedExposure } from '../../store/query/console/funds.ts'
import { contractRisk, positionRisk, recentDeleverages, recentLiquidations } from '../../store/query/console/risk.ts'
import { ifThere, type Watched } from '../watch/watched.ts'

const million = 1_000_000
/** Parts of a utilization of the core, in 1e-9, per millionth. */
const perMillionth = 1_000

/** Each table of the page by its name. */
export function riskTables(watched: Watched, clock: () => number) {
  const { pool } = watched
  return {
    markets: () => marketsOf(watched),
    largest: () => positionRisk(pool, 'largest'),
    closest: () => positionRisk(pool, 'closest'),
    liquidations: () => recentLiquidations(pool),
    deleverages: () => recentDeleverages(pool),
    funds: () => fundBalances(pool),
    history: () => insuranceHistory(pool, clock()),
    pools: () => poolsOf(watched),
    collateral: () => collateral(pool),
    timed: () => timedOf(watched),
  }
}

/** The whole page. The engine's parts are null while it is away. */
export async function riskOf(watched: Watched, clock: () => number) {
  const read = riskTables(watched, clock)
  const [tables, house] = await Promise.all([tablesAt(watched.pool), houseOf(watched)])
  const [markets, largest, closest, liquidations, deleverages] = await Promise.all([
    ...([read.markets(), read.largest(), read.closest(), read.liquidations(), read.deleverages()] as const),
  ])
  const [funds, history, pools, sums, timed] = await Promise.all([
    ...([read.funds(), read.history(), read.pools(), read.collateral(), read.timed()] as const),
  ])
  return { tables, markets, largest, closest, liquidations, deleverages, funds, history, pools, collateral: sums, timed, house }
}

async function marketsOf({ pool, ask, listing }: Watched) {
  const [rows, marks] = await Promise.all([contractRisk(pool), ifThere(ask.marks())])
  const phases = new Map(marks?.map(({ market, phase }) => [listing.marketIfAny(market)?.market.symbol, phase]))
  return rows.map((row) => ({ ...row, phase: phases.get(row.symbol) ?? null }))
}

/** The lending pools. `isStopped`: so much is borrowed that nothing more is lent. */
async function poolsOf({ ask, listing }: Watched) {
  const [pools, terms] = await Promise.all([ifThere(ask.pools()), ifThere(ask.marginTerms())])
  if (pools === null || terms === null) return null
  return pools.map((view) => ({
    ...wirePool(listing, view),
    isStopped: view.borrowed > 0 && utilization(view) >= terms.borrowStopPpm * perMillionth,
  }))
}

async function timedOf({ pool, ask, listing }: { readonly pool: pg.Pool } & Pick<Watched, 'ask' | 'listing'>) {
  const [rows, view] = await Promise.all([timedExposure(pool), ifThere(ask.optionTerms())])
  const paused = new Map(view?.markets.map(({ market, isPaused }) => [listing.marketIfAny(market)?.market.symbol, isPaused]))
  return rows.map((row) => ({ ...row, isPaused: paused.get(row.symbol) ?? null }))
}

/** The house fund of Second against its floor, and the most that open orders may cost it. */
async function houseOf({ ask, listing }: Pick<Watched, 'ask' | 'listing'>) {
  const view: OptionView | null = await ifThere(ask.optionTerms())
  if (view === null || view.terms === null) return null
  const { fund, isOpen, terms } = view
  const text = (units: Units): string => amountText(listing.assetNamed('USDT'), units)
  const share = (part: Ppm): string => text(mulDivFloor(fund, part, million) as Units)
  return {
    ...{ isOpen, fund: text(fund), floor: text(terms.houseFloor) },
    ...{ perMarket: share(terms.marketExposurePpm), total: share(terms.totalExposurePpm) },
  }
}
