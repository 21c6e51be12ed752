import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type Embedded, startEmbedded } from './embedded.ts'
import { StoreFault } from './fault.ts'
import type { Tables } from './tables.ts'

/** The one database of the exchange: the embedded one, or the one that DATABASE_URL names. After opening, both work the same. */
export type Store = AsyncDisposable & {
  readonly url: string
  readonly pool: pg.Pool
  readonly db: Kysely<Tables>
}

export type StoreOptions = { readonly dataFolder: string; readonly databaseUrl?: string | undefined; readonly connections?: number }

/** Throws a StoreFault when the database can't be reached or its settings would make an acknowledgement untrue. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const embedded = options.databaseUrl ? undefined : await startEmbedded(options.dataFolder)
  const url = embedded?.url ?? (options.databaseUrl as string)
  const pool = new pg.Pool({
    ...{ connectionString: url, max: options.connections ?? 10, types, connectionTimeoutMillis: 10_000 },
    ...{ keepAlive: true, keepAliveInitialDelayMillis: 5_000 },
  })
  // The pool replaces a connection that broke while idle; a user of a broken connection gets its error there. One that breaks
  // between two queries of its user reports it here; without a listener the error would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  try {
    await checkDatabase(pool)
  } catch (cause) {
    await close(pool, embedded)
    throw cause
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { url, pool, db, [Symbol.asyncDispose]: () => close(pool, embedded) }
}

async function close(pool: pg.Pool, embedded: Embedded | undefined): Promise<void> {
  await pool.end()
  await embedded?.stop()
}

/** Reads 64-bit integers as numbers (ours are safe, and a larger one throws); `numeric` stays a decimal string. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === 20 && format !== 'binary' ? parseSafeInteger : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new StoreFault(`The database has ${text}, which is not a safe integer`)
  return value
}

const required: Readonly<Record<string, readonly string[]>> = {
  fsync: ['on'],
  full_page_writes: ['on'],
  synchronous_commit: ['on', 'remote_apply'],
  data_checksums: ['on'],
  server_encoding: ['UTF8'],
}

/** Refuses settings under which a commit may not survive a power cut, or disk corruption may go unnoticed. */
export async function checkDatabase(queries: pg.Pool | pg.Client): Promise<void> {
  let rows: readonly { name: string; setting: string }[]
  try {
    rows = (await queries.query('select name, setting from pg_settings where name = any($1)', [Object.keys(required)])).rows
  } catch (cause) {
    throw new StoreFault(`The database can't be reached: ${(cause as Error).message}`, { cause, isRetryable: true })
  }
  const wrong = rows.filter(({ name, setting }) => !required[name]?.includes(setting))
  if (rows.length !== Object.keys(required).length || wrong.length > 0) {
    const list = wrong.map(({ name, setting }) => `${name} is "${setting}", must be "${required[name]?.[0]}"`).join('; ')
    throw new StoreFault(`This database could lose acknowledged orders, so the exchange does not start on it: ${list}`)
  }
}
