import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { IndexPrice } from '@candor/core/money/brand.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type pg from 'pg'
import type { HeldCost } from '../projection/costs/costs.ts'
import type { Known } from '../projection/known.ts'

type Row = {
  readonly user: UserId
  readonly asset: string
  readonly quantity: string
  readonly cost: string
  readonly realised: string
  readonly debt: string
  readonly debtCost: string
  readonly isPartial: boolean
}

/** What coins cost in the tables, from which the projector continues. */
export async function readCosts(pool: pg.Pool, known: Known): Promise<readonly HeldCost[]> {
  // Whole numbers of units and of millionths of a USDT, without the point of the column.
  const { rows } = await pool.query<Row>(
    `select user_id as "user", asset, (quantity * 10::numeric ^ scale)::numeric(60, 0)::text as quantity, (debt * 10::numeric ^ scale)::numeric(60, 0)::text as debt,
       (cost * 1000000)::numeric(60, 0)::text as cost, (realised * 1000000)::numeric(60, 0)::text as realised,
       (debt_cost * 1000000)::numeric(60, 0)::text as "debtCost", is_partial as "isPartial"
     from holding_costs join assets on symbol = asset`,
  )
  return rows.map(({ user, asset, quantity, cost, realised, debt, debtCost, isPartial }) => ({
    ...{ user, asset: known.assetNamed(asset)?.id as AssetId, isPartial, quantity: Number(quantity), debt: Number(debt) },
    ...{ cost: BigInt(cost), realised: BigInt(realised), debtCost: BigInt(debtCost) },
  }))
}

/** The last index price of each coin in USDT, as the core has it. */
export function indexesOf(exchange: Exchange): ReadonlyMap<AssetId, IndexPrice> {
  const { assets, markets } = exchange.listing()
  const usdt = assets.find(({ symbol }) => symbol === 'USDT')?.id
  const indexes = new Map<AssetId, IndexPrice>()
  for (const { id, base, quote, perp } of markets) {
    if (perp !== undefined || quote !== usdt) continue
    const { index } = exchange.prices(id)
    if (index > 0) indexes.set(base, index as IndexPrice)
  }
  return indexes
}
