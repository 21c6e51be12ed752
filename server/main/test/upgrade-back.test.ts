import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import { checkRoom, isUpgrade } from '../../backup/upgrade.ts'
import { openPlace } from '../../backup/place.ts'
import { restore } from '../../backup/restore.ts'
import { Runs } from '../../backup/runs.ts'
import { openStore } from '../../store/open.ts'
import { backupKeysOf } from '../backup-settings.ts'
import { startInProcess } from '../exchange.ts'
import { reachStore } from '../roles.ts'
import type { Settings } from '../settings.ts'
import { oldData } from './old-data.ts'

const first = 'data-core-4'

/** A hash of all rows of each table. */
async function tablesOf(pool: pg.Pool): Promise<Readonly<Record<string, string>>> {
  const { rows } = await pool.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public' order by 1`)
  const sums: Record<string, string> = {}
  for (const { name } of rows) {
    const { rows: found } = await pool.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as sum from public.${name} t`,
    )
    sums[name] = found[0].sum
  }
  return sums
}

async function tablesIn(settings: Settings): Promise<Readonly<Record<string, string>>> {
  await using store = await reachStore(settings)
  return await tablesOf(store.pool)
}

const starts = async (settings: Settings): Promise<void> => {
  await using _ = await startInProcess(settings, { hasHistory: false, hasFeeds: false, reservesTables: false })
}

test('BACKUP-UPGRADE-001: an upgrade backs up the data before it changes anything, and a restore of that backup is the data of the build before', async () => {
  using settings = oldData(first)
  const before = await tablesIn(settings)
  await starts(settings)
  assert.notDeepEqual(await tablesIn(settings), before)
  const place = openPlace(pathToFileURL(`${settings.dataFolder}.upgrade-backup`).href)
  const runs = new Runs(place, backupKeysOf(settings))
  assert.deepEqual(
    (await runs.kept()).runs.map(({ number }) => number),
    [1],
  )
  // A start without an upgrade makes none.
  await starts(settings)
  assert.equal((await runs.kept()).runs.length, 1)
  const dataFolder = join(dirname(settings.dataFolder), 'back')
  const { head } = await restore({ place, keys: backupKeysOf(settings), target: { kind: 'newest' }, dataFolder })
  assert.deepEqual(await tablesIn({ ...settings, dataFolder }), before)
  {
    await using store = await openStore({ dataFolder })
    assert.equal(await isUpgrade(store), true)
    assert.equal((await store.pool.query('select max(seq) as seq from journal')).rows[0].seq, head.seq)
    // Its next server keeps no log for a backup that is complete.
    assert.equal((await store.pool.query('select count(*)::int as n from pg_replication_slots')).rows[0].n, 0)
  }
})

test('BACKUP-UPGRADE-002: an upgrade whose backup fails is not begun, and says so; it can be switched off', async () => {
  using settings = oldData(first)
  const before = await tablesIn(settings)
  const taken = join(dirname(settings.dataFolder), 'taken')
  writeFileSync(taken, 'a file')
  await assert.rejects(
    starts({ ...settings, upgradeBackup: join(taken, 'inside') }),
    /The backup before the upgrade failed, and nothing was changed: .*set CANDOR_UPGRADE_BACKUP to another folder or to off/,
  )
  assert.deepEqual(await tablesIn(settings), before)
  const nearlyFull = async () => ({ free: 1_000, total: 1e12 })
  await assert.rejects(
    checkRoom(join(taken, '..', 'new', 'folder'), [settings.dataFolder], nearlyFull),
    /has 0\.0 GB free, and the data takes/,
  )
  await checkRoom(taken, [settings.dataFolder, undefined], async () => ({ free: 1e12, total: 1e12 }))
  await starts({ ...settings, upgradeBackup: 'off' })
  assert.notDeepEqual(await tablesIn(settings), before)
  assert.equal(existsSync(`${settings.dataFolder}.upgrade-backup`), false)
})
