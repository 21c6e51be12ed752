import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../embedded.ts'
import { migrate } from '../migrate.ts'
import { openStore, type Store } from '../open.ts'
import { copyPrepared } from './prepared.ts'

/** A PostgreSQL server of its own in a temporary folder, for one test file; each store is a new database in it. */
export type ScratchServer = AsyncDisposable & {
  readonly folder: string
  readonly url: string
  /** A new database with all tables. Disposing of the store removes it. */
  store(): Promise<Store>
}

/** Resolves when a connection waits for a lock on a table of this store that another one holds. */
export async function untilHeldUp({ pool }: Store, table: string): Promise<void> {
  const waiting = `select from pg_locks where not granted and relation = $1::regclass
    and database = (select oid from pg_database where datname = current_database())`
  while ((await pool.query(waiting, [table])).rowCount === 0) await sleep(5)
}

export async function startScratchServer(): Promise<ScratchServer> {
  const folder = mkdtempSync(join(tmpdir(), 'candor-test-'))
  copyPrepared(folder)
  const embedded = await startEmbedded(folder)
  const stores: Store[] = []
  const admin = await openStore({ dataFolder: folder, databaseUrl: embedded.url, connections: 2 })
  // Idle connections are closed, and a store that leaves a server without any stops it: this connection stays open.
  const held = await admin.pool.connect()
  held.on('error', () => undefined)
  const opened = (name: string): Promise<Store> => {
    const url = new URL(embedded.url)
    url.pathname = name
    return openStore({ dataFolder: folder, databaseUrl: url.href })
  }
  // Copying a database with all tables takes a fifth of the time of creating them.
  const makeTables = async (): Promise<string> => {
    await admin.pool.query('create database test_tables')
    await using store = await opened('test_tables')
    await migrate(store)
    return 'test_tables'
  }
  let tables: Promise<string> | undefined
  return {
    folder,
    url: embedded.url,
    async store() {
      const name = `test_${randomBytes(6).toString('hex')}`
      await admin.pool.query(`create database ${name} template ${await (tables ??= makeTables())}`)
      const store = await opened(name)
      stores.push(store)
      return {
        ...store,
        async [Symbol.asyncDispose]() {
          stores.splice(stores.indexOf(store), 1)
          await store[Symbol.asyncDispose]()
          await admin.pool.query(`drop database ${name} with (force)`)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      held.release(true)
      for (const store of [...stores, admin]) if (!store.pool.ended) await store[Symbol.asyncDispose]()
      await embedded.stop({ isForced: true })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
