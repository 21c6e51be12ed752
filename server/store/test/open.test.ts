import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { migrate } from '../migrate.ts'
import { openStore } from '../open.ts'
import { type ScratchServer, startScratchServer } from './scratch.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

test('the embedded database is UTF-8 with checksums, and its password is readable by its owner only', async () => {
  await using store = await openStore({ dataFolder: server.folder })
  const { rows } = await store.pool.query("select current_setting('data_checksums') as sums, 9007199254740991::bigint as big, 'ß₿' as text")
  assert.deepEqual(rows, [{ sums: 'on', big: 9007199254740991, text: 'ß₿' }])
  assert.equal(statSync(join(server.folder, 'postgres', 'password')).mode & 0o777, 0o600)
})

for (const setting of ['synchronous_commit = off', 'synchronous_commit = local']) {
  test(`a database with ${setting} is refused with the reason`, async () => {
    const store = await server.store()
    await store.pool.query(`alter database ${new URL(store.url).pathname.slice(1)} set ${setting}`)
    await assert.rejects(
      openStore({ dataFolder: server.folder, databaseUrl: store.url }),
      /could lose acknowledged orders.*synchronous_commit/,
    )
  })
}

test('a server with fsync off is refused, and accepted when it is on', async () => {
  const store = await server.store()
  await store.pool.query('alter system set fsync = off')
  await store.pool.query('select pg_reload_conf(), pg_sleep(0.3)')
  await assert.rejects(openStore({ dataFolder: server.folder, databaseUrl: store.url }), /fsync is "off"/)
  await store.pool.query('alter system reset fsync')
  await store.pool.query('select pg_reload_conf(), pg_sleep(0.3)')
  await (await openStore({ dataFolder: server.folder, databaseUrl: store.url }))[Symbol.asyncDispose]()
})

test('a database that cannot be reached is a fault that may pass', async () => {
  await assert.rejects(openStore({ dataFolder: server.folder, databaseUrl: 'postgres://nobody@127.0.0.1:1/none' }), { isRetryable: true })
})

test('several processes may migrate the tables at once', async () => {
  const store = await server.store()
  await store.pool.query('drop schema public cascade; create schema public')
  await Promise.all([migrate(store), migrate(store), migrate(store)])
  const { rows } = await store.pool.query("select count(*) from migrations where name = '001-journal.ts'")
  assert.equal(rows[0].count, 1)
})

test('the first process to leave does not stop the server for the others', async () => {
  const first = await openStore({ dataFolder: server.folder })
  const store = await server.store()
  await first[Symbol.asyncDispose]()
  assert.equal((await store.pool.query('select 1 as one')).rows[0].one, 1)
})

test('a killed database server starts again with everything committed', async () => {
  const store = await server.store()
  await store.pool.query('create table kept as select generate_series(1, 1000) as n')
  process.kill(Number(readFileSync(join(server.folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  const again = await openStore({ dataFolder: server.folder })
  assert.equal((await store.pool.query('select count(*) from kept')).rows[0].count, 1000)
  await again.pool.end()
})

test('a process that reserves more memory than there is stops the server, too', async () => {
  const other = await startScratchServer()
  // The system may refuse to copy the process now, so that it can't start others. Nothing is written here, so no memory is used.
  const reserved = [1, 2, 3].map(() => new Float64Array(totalmem() / 2 / 8))
  await other[Symbol.asyncDispose]()
  assert.equal(existsSync(other.folder), false)
  assert.equal(reserved[2]?.at(-1), 0)
})
