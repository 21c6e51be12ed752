import type { Decimal } from '@candor/core/money/brand.ts'
import type { LoanCause } from '@candor/core/protocol/event/margin.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { WireLoanRecord, WireMarginLiquidation } from '@candor/core/protocol/wire/margin.ts'
import type pg from 'pg'
import { decodeCursor, pageLimit, toPage } from './page.ts'

export type LoanFilter = {
  /** Only this isolated account; undefined: all accounts. */
  readonly market?: MarketId | undefined
  readonly asset?: string | undefined
  readonly before?: string | undefined
  readonly limit?: number | undefined
}

type LoanRow = {
  seq: number
  line: number
  at_ms: number
  market: string
  asset: string
  cause: LoanCause
  amount: Decimal
  principal: Decimal
  interest: Decimal
}

/** Every change of a user's debts, newest first. */
export async function loanChanges(pool: pg.Pool, user: UserId, filter: LoanFilter = {}): Promise<WirePage<WireLoanRecord>> {
  const limit = pageLimit(filter.limit)
  const cursor = decodeCursor(filter.before, 3)
  const { rows } = await pool.query<LoanRow>(
    `select found.* from (select distinct market as place, asset as coin from debt_days where user_id = $1) owing
     cross join lateral (
       select seq, line, at_ms, market, asset, cause, trim_scale(delta) as amount, trim_scale(principal) as principal,
         trim_scale(interest) as interest
       from loan_changes
       where user_id = $1 and market = place and asset = coin and at_ms <= $4 and (at_ms, seq, line) < ($4::bigint, $5::bigint, $6::bigint)
       order by at_ms desc, seq desc, line desc limit $7
     ) found
     where ($2::bigint is null or place = (select symbol from markets where id = $2)) and ($3::text is null or coin = $3)
     order by at_ms desc, seq desc, line desc limit $7`,
    [user, filter.market ?? null, filter.asset ?? null, ...cursor, limit + 1],
  )
  return toPage(rows, limit, toLoan, (row) => [row.at_ms, row.seq, row.line])
}

function toLoan({ seq, line, at_ms, market, ...row }: LoanRow): WireLoanRecord {
  return { id: `${seq}-${line}`, ...symbolOf(market), ...row, time: at_ms }
}

type LiquidationRow = {
  seq: number
  line: number
  at_ms: number
  market: string
  order_id: number | null
  level: Decimal
  liquidation_level: Decimal
  assets: Decimal
  debt: Decimal
  fee: Decimal
  insured: Decimal
}

export type LiquidationFilter = Pick<LoanFilter, 'before' | 'limit'>

/** Steps in which Margin accounts of a user were liquidated, newest first. */
export async function marginLiquidations(
  pool: pg.Pool,
  user: UserId,
  filter: LiquidationFilter = {},
): Promise<WirePage<WireMarginLiquidation>> {
  const limit = pageLimit(filter.limit)
  const cursor = decodeCursor(filter.before, 3)
  const { rows } = await pool.query<LiquidationRow>(
    `select seq, line, at_ms, market, order_id, level, liquidation_level, trim_scale(assets) as assets, trim_scale(debt) as debt,
       trim_scale(fee) as fee, trim_scale(insured) as insured
     from margin_liquidations
     where user_id = $1 and at_ms <= $2 and (at_ms, seq, line) < ($2::bigint, $3::bigint, $4::bigint)
     order by at_ms desc, seq desc, line desc limit $5`,
    [user, ...cursor, limit + 1],
  )
  return toPage(rows, limit, toLiquidation, (row) => [row.at_ms, row.seq, row.line])
}

function toLiquidation(row: LiquidationRow): WireMarginLiquidation {
  return {
    id: `${row.seq}-${row.line}`,
    ...symbolOf(row.market),
    orderId: row.order_id === null ? null : String(row.order_id),
    level: row.level,
    liquidationLevel: row.liquidation_level,
    assetsUsdt: row.assets,
    debtUsdt: row.debt,
    fee: row.fee,
    insured: row.insured,
    time: row.at_ms,
  }
}

/** The cross account has no symbol. */
function symbolOf(market: string): { readonly symbol?: string } {
  return market === '' ? {} : { symbol: market }
}
