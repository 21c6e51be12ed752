import { formatUnits } from '@candor/core/money/units.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import { depositStates, type WireDeposit, type WireDepositState } from '@candor/core/protocol/wire/chains.ts'
import type pg from 'pg'
import { decodeCursor, endOfTime, pageLimit, toPage } from '../../store/query/page.ts'
import type { ChainsConfig } from '../config.ts'
import { historyMax } from './terms.ts'

export type DepositFilter = {
  readonly asset?: string | undefined
  readonly states?: readonly WireDepositState[] | undefined
  readonly txid?: string | undefined
  readonly before?: string | undefined
  readonly limit?: number | undefined
} & Span

/** Of longer histories: only what was seen or asked for from `since` to `until`, milliseconds, without the newest `offset` ones. */
export type Span = { readonly since?: number | undefined; readonly until?: number | undefined; readonly offset?: number | undefined }

type Row = {
  readonly id: number
  readonly network: string
  readonly asset: string
  readonly raw: string
  readonly state: WireDepositState
  readonly confirmations: number | null
  readonly address: string
  readonly txid: string
  readonly seen_at: number
  readonly credited_at: number | null
  readonly final_at: number | null
  readonly waiting: string | null
  readonly decimals: number
}

/**
 * A customer's deposits, newest first, also those of coins that are not listed any more. Deposits of tokens that never were are for the
 * staff.
 */
export async function depositsOf(
  pool: pg.Pool,
  { networks }: ChainsConfig,
  account: string,
  filter: DepositFilter = {},
): Promise<WirePage<WireDeposit>> {
  const limit = pageLimit(filter.limit, historyMax)
  const [before] = decodeCursor(filter.before, 1)
  // Deposits that were stored before their digits were.
  const coins = networks.flatMap(({ name: network, tokens }) => tokens.map(({ asset, decimals }) => ({ network, asset, decimals })))
  const { rows } = await pool.query<Row>(
    `select d.id, d.network, d.asset, d.raw, d.state, c.block - d.block_number + 1 as confirmations, d.address, d.txid, d.seen_at,
       d.credited_at, d.final_at, w.sum as waiting, coalesce(d.decimals, l.decimals) as decimals
     from deposits d left join chain_cursors c on c.network = d.network
     left join unnest($3::text[], $4::text[], $12::int[]) as l (network, asset, decimals) on l.network = d.network and l.asset = d.asset
     left join lateral (select sum(s.raw) as sum from deposits s where s.network = d.network and s.user_no = d.user_no
       and s.asset = d.asset and s.state = 'small') w on d.state = 'small'
     where d.account = $1 and d.user_no = (select core_user from accounts where id = $1) and d.asset is not null and d.state = any($2)
       and coalesce(d.decimals, l.decimals) is not null and ($5::text is null or d.asset = $5) and d.id < $6
       and d.seen_at between $7 and $8 and ($9::text is null or d.txid = $9)
     order by d.id desc limit $10 offset $11`,
    [
      ...[account, filter.states ?? depositStates],
      ...[coins.map(({ network }) => network), coins.map(({ asset }) => asset), filter.asset ?? null, before],
      ...[filter.since ?? 0, filter.until ?? endOfTime, filter.txid ?? null, limit + 1, filter.offset ?? 0],
      coins.map(({ decimals }) => decimals),
    ],
  )
  return toPage(
    rows,
    limit,
    (row) => wireDeposit(networks, row),
    ({ id }) => [id],
  )
}

/** How many deposits of an account are not credited yet: on their way, below the minimum, or held. */
export async function waitingDeposits(pool: pg.Pool, account: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from deposits where account = $1 and asset is not null and state in ('confirming', 'small', 'held')`,
    [account],
  )
  return rows[0]!.count
}

function wireDeposit(networks: ChainsConfig['networks'], row: Row): WireDeposit {
  const { id, network, asset, state, address, txid, seen_at: seenAt } = row
  const { tokens, confirmations: needed } = networks.find(({ name }) => name === network) ?? { tokens: [], confirmations: 0 }
  const token = tokens.find((one) => one.asset === asset)
  const text = (raw: string): string => formatUnits(BigInt(raw), row.decimals)
  const isIn = state !== 'orphaned' && state !== 'failed'
  return {
    ...{ id: String(id), network, asset, amount: text(row.raw), state, needed, address, txid, seenAt },
    confirmations: isIn ? Math.max(0, row.confirmations ?? 0) : 0,
    ...(row.credited_at === null ? {} : { creditedAt: row.credited_at }),
    ...(row.final_at === null ? {} : { finalAt: row.final_at }),
    ...(row.waiting === null || token === undefined ? {} : { waiting: { sum: text(row.waiting), min: token.depositMin } }),
  }
}
