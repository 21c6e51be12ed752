import type { DeleverageRow, LiquidationRow } from '@candor/core/protocol/wire/console/risk.ts'
import type pg from 'pg'

/** Rows that a table of the console shows at most. */
const rowsMax = 100

/** Amounts are decimals of the market's quote asset; values are at the mark. `limit`: cap of all long positions together. */
export type ContractRisk = {
  readonly symbol: string
  readonly mark: string | null
  readonly longs: number
  readonly shorts: number
  readonly quantity: string
  readonly openInterest: string
  readonly limit: string
  readonly largest: string
  readonly markedAt: number | null
}

/** Open interest of each Futures market. */
export async function contractRisk(pool: pg.Pool): Promise<readonly ContractRisk[]> {
  const { rows } = await pool.query<ContractRisk>(
    `select markets.symbol, trim_scale(m.mark)::text as mark, m.at_ms as "markedAt", coalesce(longs, 0)::int as longs, coalesce(shorts, 0)::int as shorts,
       trim_scale(coalesce(p.quantity, 0))::text as quantity,
       trim_scale(round(coalesce(p.quantity * m.mark, 0), 2))::text as "openInterest",
       trim_scale(round((definition->'perp'->>'openInterestMax')::numeric / 10::numeric ^ scale, 2))::text as "limit",
       trim_scale(round(coalesce(largest * m.mark, 0), 2))::text as largest
     from markets join assets on assets.id = (definition->>'quote')::int
     left join perp_marks m on m.market = markets.symbol
     left join (
       select market, sum(quantity) filter (where quantity > 0) as quantity, max(abs(quantity)) as largest,
         count(*) filter (where quantity > 0) as longs, count(*) filter (where quantity < 0) as shorts
       from positions group by market
     ) p on p.market = markets.symbol
     where definition ? 'perp' order by coalesce(p.quantity * m.mark, 0) desc, markets.symbol`,
  )
  return rows
}

/** `distance`: how far the mark may move to the liquidation price, in percent of the mark; null where there is no such price. */
export type PositionRisk = {
  readonly uid: string
  readonly position: string
  readonly symbol: string
  readonly side: 'long' | 'short'
  readonly mode: string
  readonly leverage: number
  readonly quantity: string
  readonly value: string
  readonly margin: string
  readonly mark: string | null
  readonly liquidation: string | null
  readonly distance: string | null
}

/** Open positions, the largest or those closest to liquidation first. */
export async function positionRisk(pool: pg.Pool, order: 'largest' | 'closest'): Promise<readonly PositionRisk[]> {
  const by = order === 'largest' ? 'found.value desc nulls last' : 'found.distance'
  const { rows } = await pool.query<PositionRisk>(
    `select uid, position, symbol, side, mode, leverage, trim_scale(quantity)::text as quantity, trim_scale(round(value, 2))::text as value,
       trim_scale(round(margin, 2))::text as margin, trim_scale(mark)::text as mark, trim_scale(liquidation)::text as liquidation,
       round(distance, 2)::text as distance
     from (
       select coalesce(uid, 'core ' || p.user_id) as uid, position::text, p.market as symbol, mode, leverage, abs(quantity) as quantity, margin,
         case when quantity > 0 then 'long' else 'short' end as side, m.mark, abs(quantity) * m.mark as value, liquidation_price as liquidation,
         case when m.mark > 0 and liquidation_price is not null then greatest(0, (m.mark - liquidation_price) * sign(quantity) * 100 / m.mark) end as distance
       from positions p left join perp_marks m on m.market = p.market left join accounts on core_user = p.user_id
     ) found
     where $1 = 'largest' or distance is not null order by ${by}, position limit $2`,
    [order, rowsMax],
  )
  return rows
}

/** The newest steps of liquidations, of Futures and of margin accounts. */
export async function recentLiquidations(pool: pg.Pool): Promise<readonly LiquidationRow[]> {
  const { rows } = await pool.query<LiquidationRow>(
    `select seq, line, at_ms as at, product, coalesce(uid, 'core ' || user_id) as uid, account, trim_scale(closed)::text as closed,
       trim_scale(mark)::text as mark, trim_scale(fee)::text as fee, trim_scale(insured)::text as insured
     from (
       (select seq, line, at_ms, 'perp' as product, user_id, market as account, abs(closed) as closed, mark, fee, insured
        from liquidations order by seq desc, line desc limit $1)
       union all
       (select seq, line, at_ms, 'margin', user_id, case market when '' then 'cross' else market end, assets, null, fee, insured
        from margin_liquidations order by seq desc, line desc limit $1)
     ) found left join accounts on core_user = user_id order by seq desc, line desc limit $1`,
    [rowsMax],
  )
  return rows
}

/** The newest positions that auto-deleveraging closed. `level`: price at which it closed them. */
export async function recentDeleverages(pool: pg.Pool): Promise<readonly DeleverageRow[]> {
  const { rows } = await pool.query<DeleverageRow>(
    `select seq, line, at_ms as at, market as symbol, coalesce(one.uid, 'core ' || bankrupt_user) as bankrupt,
       coalesce(other.uid, 'core ' || user_id) as uid, trim_scale(abs(quantity))::text as quantity, trim_scale(price)::text as level
     from (select * from deleverages order by seq desc, line desc limit $1) d
     left join accounts one on one.core_user = bankrupt_user left join accounts other on other.core_user = user_id
     order by seq desc, line desc`,
    [rowsMax],
  )
  return rows
}
