import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { anchorTimes } from '../../store/query/proof/anchors.ts'
import { fundBalances } from '../../store/query/console/funds.ts'
import { databaseSize, failingSends, queueSizes, withdrawalTroubles } from '../../store/query/console/health.ts'
import { contractRisk } from '../../store/query/console/risk.ts'
import { workWaiting } from '../../store/query/console/waiting.ts'
import { type Sample, sample } from '../../watch/samples.ts'
import type { MetricName } from '../../watch/catalogue.ts'

/** Reads metrics from the query tables; each function is one group that fails alone. */
export type TableParts = { readonly pool: pg.Pool; readonly clock: Clock }

export async function databaseSamples({ pool }: TableParts): Promise<readonly Sample[]> {
  const { rows } = await pool.query<{ connections: number; max: number; oldest: number; waiting: number }>(
    'select connections, connections_max as max, oldest_transaction_s as oldest, waiting_locks as waiting from database_activity()',
  )
  const { connections = Number.NaN, max = Number.NaN, oldest = Number.NaN, waiting = Number.NaN } = rows[0] ?? {}
  const { bytes, tables } = await databaseSize(pool)
  const { rows: dead } = await pool.query<{ name: string; rows: number }>(
    'select relname as name, n_dead_tup::bigint as rows from pg_stat_user_tables where relname = any($1)',
    [tables.map(({ name }) => name)],
  )
  return [
    sample('candor_database_bytes', bytes),
    sample('candor_database_connections', connections),
    sample('candor_database_connections_max', max),
    sample('candor_database_oldest_transaction_seconds', oldest),
    sample('candor_database_waiting_locks', waiting),
    ...tables.map(({ name, bytes }) => sample('candor_table_bytes', bytes, { table: name })),
    ...tables.map(({ name, rows }) => sample('candor_table_live_rows', rows, { table: name })),
    ...dead.map(({ name, rows }) => sample('candor_table_dead_rows', rows, { table: name })),
  ]
}

export async function snapshotSamples({ pool, clock }: TableParts): Promise<readonly Sample[]> {
  const { rows } = await pool.query<{ age: number | null; distance: number }>(
    `select $1::float8 / 1000 - extract(epoch from newest.made_at)::float8 as age, head.seq - coalesce(newest.seq, 0) as distance
     from (select coalesce(max(seq), 0) as seq from journal) head
     left join (select seq, made_at from list_snapshots() order by seq desc limit 1) newest on true`,
    [clock()],
  )
  return rows.flatMap(({ age, distance }) => [
    sample('candor_snapshot_age_seconds', age ?? Number.NaN),
    sample('candor_snapshot_distance_commands', Number(distance)),
  ])
}

export async function bookSamples({ pool }: TableParts): Promise<readonly Sample[]> {
  const [funds, contracts, { rows }] = await Promise.all([
    fundBalances(pool),
    contractRisk(pool),
    pool.query<{ uneven: number }>(
      'select count(*)::int as uneven from (select asset from balances group by asset having sum(available + held) <> 0) sums',
    ),
  ])
  return [
    sample('candor_books_uneven_assets', rows[0]?.uneven ?? Number.NaN),
    ...funds.map(({ fund, asset, balance }) => sample('candor_insurance_fund', Number(balance), { fund, asset })),
    ...contracts.flatMap(({ symbol: market, openInterest, limit }) => [
      sample('candor_open_interest', Number(openInterest), { market }),
      sample('candor_open_interest_limit', Number(limit), { market }),
    ]),
  ]
}

export async function workSamples({ pool, clock }: TableParts): Promise<readonly Sample[]> {
  const now = clock()
  const [work, queues, failing] = await Promise.all([workWaiting(pool, now), queueSizes(pool), failingSends(pool)])
  const seconds = (oldestAt: number | null): number => (oldestAt === null ? 0 : Math.max(0, now - oldestAt) / 1e3)
  return [
    ...work.flatMap(({ kind, waiting, oldestAt }) => [
      sample('candor_work_waiting', waiting, { kind }),
      sample('candor_work_oldest_seconds', seconds(oldestAt), { kind }),
    ]),
    ...queues.flatMap(({ name: queue, waiting, oldestAt }) => [
      sample('candor_queue_waiting', waiting, { queue }),
      sample('candor_queue_oldest_seconds', seconds(oldestAt), { queue }),
    ]),
    sample('candor_sends_failing', failing),
  ]
}

export async function proofSamples({ pool, clock }: TableParts): Promise<readonly Sample[]> {
  const { rows } = await pool.query<{ at: number }>('select at_ms as at from proof_heads order by n desc limit 1')
  const { rows: reserves } = await pool.query<{ at: number | null }>(
    `select coalesce((select max(at_ms) from reserve_statements where signature is not null), (select min(at_ms) from proof_heads)) as at
     where exists (select from chain_cursors)`,
  )
  const now = clock()
  const age = (at: number): number => Math.max(0, now - at) / 1e3
  return [
    ...rows.flatMap(({ at }) => [
      sample('candor_proof_head_age_seconds', age(at)),
      sample('candor_proof_head_ahead_seconds', Math.max(0, at - now) / 1e3),
    ]),
    ...reserves.flatMap(({ at }) => (at === null ? [] : [sample('candor_reserves_age_seconds', age(at))])),
    ...(await anchorTimes(pool)).map(({ network, at, since }) => sample('candor_anchor_age_seconds', age(at ?? since), { network })),
  ]
}

type Cursor = { readonly network: string; readonly block: number; readonly final: number; readonly at: number | null }
type Count = { readonly network: string; readonly state: string; readonly count: number }

export async function chainSamples({ pool, clock }: TableParts): Promise<readonly Sample[]> {
  const now = clock()
  const [{ rows: cursors }, { rows: deposits }, { rows: payouts }, { rows: troubled }, { stuck }, treasury] = await Promise.all([
    pool.query<Cursor>(
      `select network, block, final, (select max(at) from chain_blocks b where b.network = c.network) as at from chain_cursors c`,
    ),
    pool.query<Count>(
      `select network, state, count(*)::int as count from deposits where state in ('confirming', 'credited') group by 1, 2`,
    ),
    pool.query<Count>(`select network, state, count(*)::int as count from payouts where state <> 'done' group by 1, 2`),
    pool.query<Omit<Count, 'state'>>(
      `select network, count(*) filter (where trouble is not null)::int as count from payouts where state <> 'done' group by 1`,
    ),
    withdrawalTroubles(pool, now, now),
    treasurySamples(pool, now),
  ])
  const networks = cursors.map(({ network }) => network)
  // A state without a row counts zero: otherwise a graph would stop instead of falling.
  const all = (name: MetricName, states: readonly string[], counts: readonly Count[]): readonly Sample[] =>
    networks.flatMap((network) =>
      states.map((state) => {
        const found = counts.find((row) => row.network === network && row.state === state)
        return sample(name, found?.count ?? 0, { network, state })
      }),
    )
  return [
    ...cursors.flatMap(({ network, block, final, at }) => [
      sample('candor_chain_block', Number(block), { network }),
      sample('candor_chain_final_block', Number(final), { network }),
      sample('candor_chain_block_age_seconds', Number(at ?? 0) === 0 ? Number.NaN : Math.max(0, now - Number(at)) / 1e3, { network }),
      sample('candor_payouts_troubled', troubled.find((row) => row.network === network)?.count ?? 0, { network }),
    ]),
    ...all('candor_deposits_waiting', ['confirming', 'credited'], deposits),
    ...all('candor_payouts', ['taken', 'bound', 'signed', 'settled'], payouts),
    sample('candor_withdrawals_stuck', stuck),
    ...treasury,
  ]
}

async function treasurySamples(pool: pg.Pool, now: number): Promise<readonly Sample[]> {
  const { rows: beats } = await pool.query<{ at: number; isMatch: boolean }>('select at, is_match as "isMatch" from treasury_beats')
  const { rows } = await pool.query<{ stops: number; others: number }>(
    `select count(*) filter (where stops)::int as stops, count(*) filter (where not stops)::int as others
     from treasury_findings where closed_at is null`,
  )
  return [
    ...beats.flatMap(({ at, isMatch }) => [
      sample('candor_treasury_beat_age_seconds', Math.max(0, now - Number(at)) / 1e3),
      sample('candor_treasury_match', isMatch ? 1 : 0),
    ]),
    ...rows.flatMap(({ stops, others }) => [
      sample('candor_treasury_findings', stops, { stops: 'yes' }),
      sample('candor_treasury_findings', others, { stops: 'no' }),
    ]),
  ]
}
