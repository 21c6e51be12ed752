import { readdirSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Store } from './open.ts'

/** One step of the schema. Runs once, in a transaction, after all with a lower number. */
export type Migration = { up(db: Kysely<unknown>): Promise<void> }

const folder = new URL('./migrations/', import.meta.url)
const lockKey = 0x63616e64

const namesOfAll = (): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /^\d{3}-[a-z0-9-]+\.ts$/.test(name) && !name.endsWith('.test.ts'))
    .sort()

/** Whether an existing database lacks tables of this version of the code. A new database lacks none: it has no data. */
export async function lacksMigrations({ pool }: Store): Promise<boolean> {
  const { rows: tables } = await pool.query<{ has: boolean }>(`select to_regclass('public.migrations') is not null as has`)
  if (!tables[0]!.has) return false
  const { rows } = await pool.query<{ name: string }>('select name from public.migrations')
  const applied = new Set(rows.map(({ name }) => name))
  return applied.size > 0 && namesOfAll().some((name) => !applied.has(name))
}

/** Migrates the tables to this version of the code. Several processes may call it at once. */
export async function migrate(store: Store): Promise<void> {
  const names = namesOfAll()
  await store.db.connection().execute(async (db) => {
    await sql`select pg_advisory_lock(${lockKey})`.execute(db)
    try {
      await sql`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`.execute(db)
      const applied = new Set((await db.selectFrom('migrations').select('name').execute()).map(({ name }) => name))
      for (const name of names) {
        if (applied.has(name)) continue
        const migration = (await import(new URL(name, folder).href)) as Migration
        await db.transaction().execute(async (transaction) => {
          await migration.up(transaction as unknown as Kysely<unknown>)
          await transaction.insertInto('migrations').values({ name }).execute()
        })
      }
    } finally {
      await sql`select pg_advisory_unlock(${lockKey})`.execute(db)
    }
  })
}
