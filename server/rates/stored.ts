import type { Decimal } from '@candor/core/money/brand.ts'
import type pg from 'pg'
import type { ReferenceRates } from './parse.ts'
import { shippedRates } from './shipped.ts'

type Queries = Pick<pg.Pool, 'query'>

/** The newest stored rates, or those that came with this version if they are newer. */
export async function lastRates(pool: Queries): Promise<ReferenceRates> {
  const { rows } = await pool.query<{ day: string; perEuro: Readonly<Record<string, Decimal>> }>(
    'select day, per_euro as "perEuro" from reference_rates order by day desc limit 1',
  )
  const [row] = rows
  if (row === undefined || row.day < shippedRates.date) return shippedRates
  return { date: row.day, perEuro: new Map(Object.entries(row.perEuro)) }
}

/** Stores the rates of a day. Those of a day that is there already stay. */
export async function storeRates(pool: Queries, { date, perEuro }: ReferenceRates, nowMs: number): Promise<void> {
  const rates = JSON.stringify(Object.fromEntries(perEuro))
  await pool.query('insert into reference_rates (day, per_euro, fetched_at) values ($1, $2, $3) on conflict do nothing', [
    ...[date, rates, nowMs],
  ])
}
