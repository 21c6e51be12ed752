import { type Kysely, sql } from 'kysely'

/** Rows of a table that count in a sum. */
type Counted = { readonly what: string; readonly key: string; readonly value: string; readonly where: string }

/**
 * Sums of what the comparison of chains and books adds up: it looks every minute, and the tables only grow. Triggers keep them with every
 * change of the rows, in its transaction, whoever makes it; no process may write them.
 *
 * credited, orphaned  what the core is told of deposits, by asset
 * due                 credited deposits, by asset
 * swept, gone         deposits that sweeps took, and what left deposit addresses in them, by token
 * paid                withdrawals that a final block shows as paid, by token
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chain_sums (
      what text not null check (what in ('credited', 'orphaned', 'due', 'swept', 'gone', 'paid')),
      network text not null,
      key text not null,
      sum numeric not null,
      primary key (what, network, key)
    )`.execute(db)
  await count(db, 'deposit_postings', [
    { what: 'credited', key: 'asset', value: 'amount', where: `kind = 'credit' and refusal is null` },
    { what: 'orphaned', key: 'asset', value: 'amount', where: `kind = 'orphan' and refusal is null` },
  ])
  await count(db, 'deposits', [
    { what: 'due', key: `coalesce(asset, '')`, value: 'amount', where: 'credit is not null' },
    { what: 'swept', key: 'contract', value: 'raw', where: 'swept_block is not null' },
  ])
  await count(db, 'treasury_flows', [
    { what: 'gone', key: 'contract', value: 'value', where: `is_done and what is distinct from 'inflow'` },
  ])
  await count(db, 'payouts', [{ what: 'paid', key: `coalesce(contract, '')`, value: 'value', where: `fate = 'paid'` }])
  // What the core may not have heard yet, and credits that it refused, are few.
  await sql`create index deposit_postings_done on deposit_postings (done_at) where done_at is not null`.execute(db)
  await sql`create index deposit_postings_refused on deposit_postings (credit) where kind = 'credit' and refusal is not null`.execute(db)
  await sql`create index payouts_done on payouts (done_at) where done_at is not null`.execute(db)
}

/** Rows before a change count no more, rows after it count. */
const sides = {
  insert: [['new_rows', '']],
  update: [
    ['old_rows', '-'],
    ['new_rows', ''],
  ],
  delete: [['old_rows', '-']],
} as const

async function count(db: Kysely<unknown>, table: string, counted: readonly Counted[]): Promise<void> {
  const rows = (from: string, sign: string): string =>
    counted
      .map(
        ({ what, key, value, where }) =>
          `select '${what}' as what, network, ${key} as key, ${sign}${value} as value from ${from} where ${where}`,
      )
      .join(' union all ')
  const add = (from: string): string => `
    insert into public.chain_sums as s (what, network, key, sum)
    select what, network, key, sum(value) from (${from}) r group by what, network, key having sum(value) <> 0
    on conflict (what, network, key) do update set sum = s.sum + excluded.sum`
  await sql.raw(add(rows(table, ''))).execute(db)
  for (const [event, of] of Object.entries(sides)) {
    const name = `chain_sums_${table}_${event}`
    await sql
      .raw(`
        create function ${name}() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
          begin
            ${add(of.map(([from, sign]) => rows(from, sign)).join(' union all '))};
            return null;
          end
        $$`)
      .execute(db)
    const tables = of.map(([from]) => `${from.startsWith('old') ? 'old' : 'new'} table as ${from}`).join(' ')
    await sql
      .raw(`create trigger ${name} after ${event} on ${table} referencing ${tables} for each statement execute function ${name}()`)
      .execute(db)
  }
}
