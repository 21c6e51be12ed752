import type { Ppm, Units } from '@candor/core/money/brand.ts'
import { mulDivCeil, mulDivFloor } from '@candor/core/money/mul-div.ts'
import { scaleOf } from '@candor/core/money/scale.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { Exposure, ExposureRow, FundState } from '@candor/core/protocol/wire/console/overview.ts'
import { wirePool } from '../../live/lending.ts'
import { tablesAt } from '../../store/query/console/funds.ts'
import { type FundChange, fundChanges, openStakes } from '../../store/query/console/figures.ts'
import { contractRisk } from '../../store/query/console/risk.ts'
import { ifThere, type Watched } from '../watch/watched.ts'

const dayMs = 86_400_000
const million = 1_000_000
const usdtDigits = 6
/** What an insurance fund should hold: so much of the open interest of all Futures markets, and of what a pool has lent. */
const openInterestPpm = 50_000 as Ppm
const lentPpm = 10_000 as Ppm

/** Funds and pools with their targets, and open positions with their limits. */
export async function exposureOf({ pool, ask, listing }: Watched, now: number): Promise<Exposure> {
  const [tables, rows, changes, stakes] = await Promise.all([
    ...([tablesAt(pool), contractRisk(pool), fundChanges(pool, now - (now % dayMs)), openStakes(pool)] as const),
  ])
  const [views, option] = await Promise.all([ifThere(ask.pools()), ifThere(ask.optionTerms())])
  const pools = views?.map((view) => wirePool(listing, view)) ?? null
  const markets = rows.map(
    ({ symbol, openInterest, limit, longs, shorts, largest }): ExposureRow => ({ symbol, openInterest, limit, longs, shorts, largest }),
  )
  const terms = option?.terms ?? null
  const floor = terms === null ? null : formatUnits(terms.houseFloor, usdtDigits)
  const targetOf = ({ fund, asset }: FundChange): string | null => {
    if (fund === 'option-house') return asset === 'USDT' ? floor : null
    if (fund === 'insurance') return asset === 'USDT' ? shareOfInterest(markets) : null
    const lent = pools?.find((one) => one.asset === asset)?.borrowed
    return lent === undefined ? null : shareOf(lent, lentPpm, scaleOf(listing.assets, asset))
  }
  return {
    tables,
    funds: changes.map((row): FundState => ({ ...row, target: targetOf(row) })),
    pools: pools?.map(({ asset, supplied, borrowed, utilization }) => ({ asset, supplied, borrowed, utilization })) ?? null,
    markets,
    second: {
      ...stakes,
      limit: option === null || terms === null ? null : formatUnits(mulDivFloor(option.fund, terms.totalExposurePpm, million), usdtDigits),
    },
  }
}

/** Open interest is in USDT, which every Futures market is settled in. */
function shareOfInterest(markets: readonly ExposureRow[]): string {
  const sum = markets.reduce((all, { openInterest }) => all + (parseUnits(openInterest, usdtDigits) ?? 0), 0)
  return formatUnits(mulDivCeil(sum as Units, openInterestPpm, million), usdtDigits)
}

function shareOf(amount: string, part: Ppm, scale: number): string {
  return formatUnits(mulDivCeil((parseUnits(amount, scale) ?? 0) as Units, part, million), scale)
}
