import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { startEmbedded } from '../../embedded.ts'
import { migrate } from '../../migrate.ts'
import { openStore } from '../../open.ts'
import { FaultyProxy } from '../../test/faulty-proxy.ts'
import { copyPrepared } from '../../test/prepared.ts'
import { startProjector } from '../projector.ts'
import { readWatermark } from '../watermark.ts'
import { emptyProjection } from '../rebuild.ts'
import { differences, keep } from './tables.ts'
import { WrittenJournal } from './written-journal.ts'

const customer = 1
const refusedCancel = (clientId: string): Command =>
  ({ type: 'spot.cancel', user: customer, clientId, market: 1, order: 1_000_000_000, orderClientId: '' }) as unknown as Command

test('JOURNAL-PROJECTION-010: a database that loses the last rows in a crash gets them again, and the projector continues', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-taken-'))
  await using parts = new AsyncDisposableStack()
  parts.defer(() => rmSync(folder, { recursive: true, force: true }))
  copyPrepared(folder)
  let database = await startEmbedded(folder)
  parts.defer(() => database.stop({ isForced: true }))
  const { proxy, url } = await FaultyProxy.start(database.url)
  parts.use(proxy)
  const store = parts.use(await openStore({ dataFolder: folder, databaseUrl: url }))
  await migrate(store)
  // Asynchronous commits stay in memory until another commit takes them along, so a crash loses them for certain.
  await store.pool.query(`alter system set wal_writer_delay = '10s'`)
  await store.pool.query(`alter system set wal_writer_flush_after = '1GB'`)
  await store.pool.query('select pg_reload_conf()')
  const written = new WrittenJournal(store.pool, 11)
  await written.open()
  await written.trade(40)
  const logged: string[] = []
  await using projector = await startProjector({ store, log: ({ message }) => logged.push(message) })
  await projector.reached(written.seq)
  await written.trade(1)
  const safe = (await readWatermark(store.pool)).seq
  await written.trade(40)
  await projector.reached(written.seq)

  const pid = Number(readFileSync(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  proxy.refuse(true)
  process.kill(pid, 'SIGQUIT')
  database = await startEmbedded(folder)
  proxy.leadTo(Number(new URL(database.url).port))
  proxy.refuse(false)
  const direct = parts.use(await openStore({ dataFolder: folder, databaseUrl: database.url }))
  const left = (await readWatermark(direct.pool)).seq
  assert.ok(left >= safe && left < written.seq, `${left} of ${written.seq} are left`)

  await written.trade(10)
  await projector.reached(written.seq)
  assert.ok(logged.includes(`The database lost its last commits: the tables continue from ${left}`), logged.join('\n'))
  assert.equal(projector.failed, undefined)
  // The follower continues to record client ids that the core may forget.
  await written.append(Array.from({ length: 600 }, (_, n) => refusedCancel(`after-${n}`)))
  await projector.reached(written.seq)
  const { rows } = await direct.pool.query('select sum(octet_length(ids)) / 8 as count from request_blocks where user_id = $1', [customer])
  assert.ok(Number(rows[0].count) >= 600, `${rows[0].count} requests`)
  await keep(direct.pool)
  await emptyProjection(direct.pool)
  await using again = await startProjector({ store: direct })
  await again.reached(written.seq)
  assert.deepEqual(await differences(direct.pool), {})
})
