import type { Decimal } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { WireCost } from '@candor/core/protocol/wire/funds.ts'
import { averageCost, costDigits } from '@candor/core/risk/cost-basis.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type pg from 'pg'

type Row = {
  readonly asset: string
  readonly scale: number
  readonly units: string
  readonly cost: string
  readonly realised: string
  readonly debt: string
  readonly debtCost: string
  readonly isPartial: boolean
}

/** What each coin of a user cost and earned, by symbol. Coins that were given away without a profit or loss are left out. */
export async function costsOf(pool: Pick<pg.Pool, 'query'>, user: UserId): Promise<readonly WireCost[]> {
  const { rows } = await pool.query<Row>(
    `select asset, scale, (quantity * 10::numeric ^ scale)::numeric(60, 0)::text as units, (cost * 1000000)::numeric(60, 0)::text as cost,
       trim_scale(realised)::text as realised, trim_scale(debt)::text as debt, trim_scale(debt_cost)::text as "debtCost",
       is_partial as "isPartial"
     from holding_costs join assets on symbol = asset
     where user_id = $1 and (quantity > 0 or debt > 0 or realised <> 0) order by asset`,
    [user],
  )
  return rows.map(({ asset, scale, units, cost, realised, debt, debtCost, isPartial }) => {
    const sums: { readonly [Name in 'realised' | 'debt' | 'debtCost']: Decimal } = { realised, debt, debtCost }
    const held = { quantity: Number(units), cost: BigInt(cost), isPartial }
    const [quantity, average] = [formatUnits(held.quantity, scale), averageCost(held, { scale })]
    return { asset, quantity, average, cost: formatUnits(held.cost, costDigits), ...sums }
  })
}
