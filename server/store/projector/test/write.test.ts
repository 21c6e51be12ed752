import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Part } from '../../projection/projection.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { readWatermark } from '../watermark.ts'
import { PartWriter } from '../write.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

const part = { from: 0, to: 5, at: 1, statements: [], hasNews: false } as unknown as Part

test('HISTORY-WRITE-001: a write whose commit was in progress when its connection broke is found, not written twice, and the follower continues', async () => {
  await using store = await server.store()
  let held: pg.PoolClient | undefined
  // The first connection breaks at its commit, which the server carries out later.
  const pool = {
    async connect(): Promise<pg.PoolClient> {
      const client = await store.pool.connect()
      if (held !== undefined) return client
      held = client
      return new Proxy(client, {
        get(target, name) {
          if (name === 'release') return () => undefined
          if (name !== 'query') return Reflect.get(target, name, target)
          return (text: string, values?: unknown[]) =>
            text === 'commit' ? Promise.reject(new Error('Connection terminated unexpectedly')) : target.query(text, values)
        },
      })
    },
  } as unknown as pg.Pool
  const troubles: unknown[] = []
  const writer = new PartWriter(pool, (cause) => troubles.push(cause))
  const writing = writer.write(part)
  const outcome = writing.then(
    () => 'written',
    (cause: Error) => cause.message,
  )
  while (troubles.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  while ((await store.pool.query(waiting)).rowCount === 0) await sleep(5)
  await held!.query('commit')
  held!.release()
  assert.equal(await outcome, 'written')
  assert.equal((await readWatermark(store.pool)).seq, 5)
  writer.close()
})

test('HISTORY-WRITE-001: the writer waits for a database that is read-only for now', async () => {
  await using store = await server.store()
  let troubles = 0
  const fresh = {
    connect: async () => {
      const client = await store.pool.connect()
      await client.query(`set default_transaction_read_only = ${troubles === 0}`)
      return client
    },
  } as unknown as pg.Pool
  const writer = new PartWriter(fresh, () => troubles++)
  await writer.write(part)
  assert.equal(troubles, 1)
  writer.close()
  assert.equal((await readWatermark(store.pool)).seq, 5)
})
