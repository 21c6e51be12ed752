import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { userUrl } from '../../store/roles.ts'
import { rehearse } from '../rehearse.ts'
import { restore } from '../restore.ts'
import type { Run } from '../runs.ts'
import { hooked } from './hooked.ts'
import { World } from './world.ts'

const slotsOf = async ({ store }: World): Promise<readonly string[]> =>
  (await store.pool.query<{ name: string }>('select slot_name as name from pg_replication_slots')).rows.map(({ name }) => name)

test('BACKUP-MAKE-004: a run that begins while another one ends never takes its number', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  await world.row()
  let other: Promise<unknown> | undefined
  const place = hooked(world.place, {
    got: async (name) => {
      if (name !== 'runs/0000000001' || other !== undefined) return
      other = world.backUp({ isFull: true, keep: 1 })
      await other.catch(() => undefined)
    },
  })
  const run = await world.backUp({ place })
  await assert.rejects(other!, /Another backup of this exchange is in progress/)
  assert.deepEqual(
    (await world.runs()).map(({ number }) => number),
    [1, run.number],
  )
  assert.deepEqual((await world.restored()).rows, await world.rows())
})

/** Ends the connection of the run that is in progress, and with it the lock. */
async function cutOff({ store: { pool } }: World): Promise<void> {
  const ofBackups = `from pg_stat_activity where application_name = 'candor backup'`
  await pool.query(`select pg_terminate_backend(pid) ${ofBackups}`)
  while ((await pool.query(`select ${ofBackups}`)).rowCount !== 0) await sleep(5)
}

test('BACKUP-MAKE-014: a run whose connection ended counts as nothing, whatever another one did meanwhile', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  await world.row()
  let other: Promise<Run> | undefined
  const place = hooked(world.place, {
    // All is stored but the run itself.
    settle: async () => {
      if (other !== undefined) return
      await cutOff(world)
      await world.row()
      other = world.backUp()
      await other
    },
  })
  await assert.rejects(world.backUp({ place, isFull: true }), /went away/)
  assert.deepEqual(
    (await world.runs()).map(({ number }) => number),
    [1, (await other!).number],
  )
  assert.deepEqual((await world.restored()).rows, await world.rows())
})

test('BACKUP-MAKE-014: a run whose connection ended removes nothing that another one stored', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  await world.row()
  const lists: string[] = []
  const place = hooked(world.place, {
    list: async (kind) => {
      lists.push(kind)
      // Once to know what is stored already, and once more to remove what no run needs.
      if (kind !== 'chunks' || lists.filter((one) => one === 'chunks').length !== 2) return
      await cutOff(world)
      await world.row()
      await world.backUp()
    },
  })
  assert.equal((await world.backUp({ place, isFull: true, keep: 1 })).number, 2)
  assert.equal((await world.runs()).at(-1)!.number, 3)
  assert.deepEqual((await world.restored()).rows, await world.rows())
})

test('BACKUP-MAKE-015: a complete run counts, also when the database gave up the log that the next one would need', async () => {
  await using world = await World.start()
  await world.row()
  const { store } = await world.backUp()
  await world.row()
  const place = hooked(world.place, {
    put: async (name) => {
      if (name === 'runs/0000000002') await world.store.pool.query('select pg_drop_replication_slot($1)', [`candor_backup_${store}`])
    },
  })
  const said: string[] = []
  assert.equal((await world.backUp({ place, say: (line) => said.push(line) })).number, 2)
  assert.match(said.join(), /Run 2 is complete, but the database could not be told what to keep/)
  assert.ok((await world.backUp()).base !== undefined)
  assert.deepEqual((await world.restored()).rows, await world.rows())
})

test('BACKUP-MAKE-016: what the database keeps for a run that can’t continue is discarded before the next full one', async () => {
  await using world = await World.start()
  await world.row()
  const { store } = await world.backUp()
  const { pool } = world.store
  await pool.query('select pg_switch_wal()')
  await world.row()
  await pool.query('select pg_switch_wal()')
  await world.row()
  await pool.query('select pg_replication_slot_advance($1, pg_current_wal_lsn())', [`candor_backup_${store}`])
  let held: readonly string[] = []
  const place = hooked(world.place, {
    put: async (name) => {
      if (name.startsWith('chunks/')) held = await slotsOf(world)
    },
  })
  assert.ok((await world.backUp({ place })).base !== undefined)
  assert.deepEqual(held, [`candor_backup_${store}_run`])
  assert.deepEqual(await slotsOf(world), [`candor_backup_${store}`])
})

test('BACKUP-MAKE-010: however often a first run is cut off, the database keeps no log for it', async () => {
  await using world = await World.start()
  await world.row()
  const place = hooked(world.place, {
    put: async (name) => {
      if (name.startsWith('chunks/')) throw new Error('cut off')
    },
  })
  for (let tries = 0; tries < 3; tries++) await assert.rejects(world.backUp({ place }), /cut off/)
  assert.deepEqual(await slotsOf(world), [])
  const run = await world.backUp()
  assert.deepEqual(await slotsOf(world), [`candor_backup_${run.store}`])
  await world.row()
  assert.equal((await world.backUp()).base, undefined)
})

test('BACKUP-MAKE-011: a run counts as nothing when the database gave up its log while it was copied', async () => {
  await using world = await World.start()
  await world.row()
  const { store } = await world.backUp()
  await world.row()
  // The log has more chunks than are sent at once, so the copy waits for the first of them.
  await world.store.pool.query(
    `select pg_logical_emit_message(false, 'test', string_agg(md5(n::text), '')) from generate_series(1, 300000) n`,
  )
  let givenUp: Promise<unknown> | undefined
  const place = hooked(world.place, {
    put: async (name) => {
      if (name.startsWith('chunks/'))
        await (givenUp ??= world.store.pool.query('select pg_drop_replication_slot($1)', [`candor_backup_${store}`]))
    },
  })
  await assert.rejects(world.backUp({ place }), /discarded its log while it was copied/)
  assert.equal((await world.runs()).length, 1)
  assert.ok((await world.backUp()).base !== undefined)
  assert.deepEqual((await world.restored()).rows, await world.rows())
})

for (const isFull of [false, true])
  test(`BACKUP-MAKE-013: the log is copied while the files are, ${isFull ? 'also where it was kept for the next run' : 'and not kept until then'}`, async () => {
    await using world = await World.start()
    await world.row()
    const { pool } = world.store
    if (isFull) await world.backUp()
    const segmentBytes = 2 ** 24
    // Half of what the database keeps is 16 segments.
    await pool.query(`alter system set max_slot_wal_keep_size = '512MB'`)
    await pool.query('select pg_reload_conf()')
    while ((await pool.query('show max_slot_wal_keep_size')).rows[0].max_slot_wal_keep_size !== '512MB') await sleep(5)
    const [heldMost, segments] = isFull ? [22, 26] : [5, 12]
    let [writing, written] = [Promise.resolve(), 0]
    const held = async (): Promise<number> =>
      Number((await pool.query('select max(pg_current_wal_lsn() - restart_lsn) as n from pg_replication_slots')).rows[0].n) / segmentBytes
    const write = async (): Promise<void> => {
      while (written < segments && (await held()) < heldMost) {
        written++
        await world.row()
        await pool.query('select pg_switch_wal()')
        await pool.query('checkpoint')
      }
    }
    // All wait in a row, so that the copy does not outrun the log.
    const put = async (name: string): Promise<void> => {
      if (name.startsWith('chunks/')) await (writing = writing.then(write))
    }
    const place = hooked(world.place, { put })
    assert.ok((await world.backUp({ place, isFull })).base !== undefined)
    assert.equal(written, segments, 'the database had to keep all of its log')
    assert.deepEqual((await world.restored()).rows, await world.rows())
    // The next run continues.
    await world.row()
    assert.equal((await world.backUp()).base, undefined)
    assert.deepEqual((await world.restored()).rows, await world.rows())
  })

test('BACKUP-USER-002: nobody streams the log or copies the database over the connection of backups', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  // The type does not know this parameter of the protocol.
  const options: pg.ClientConfig & { readonly replication: string } = {
    connectionString: userUrl(world.store.url, 'archiver'),
    replication: 'true',
  }
  const client = new pg.Client(options)
  client.on('error', () => undefined)
  await assert.rejects(client.connect(), { code: '53300' })
})

test('BACKUP-RESTORE-006: a restore or a rehearsal that would fill the disk is refused before it writes anything', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  const { place, keys } = world
  const dataFolder = join(world.folder, 'small')
  const space = async () => ({ free: 1e9, total: 100e9 })
  await assert.rejects(restore({ place, keys, target: { kind: 'newest' }, dataFolder, space }), /has 1\.0 GB free.*the disk would be full/)
  assert.deepEqual(readdirSync(dataFolder), [])
  const folder = join(world.folder, 'rehearsals')
  mkdirSync(folder)
  const audit = () => Promise.reject(new Error('nothing was restored'))
  await assert.rejects(rehearse({ place, keys, folder, audit, space }), /the disk would be full/)
  assert.deepEqual(readdirSync(folder), [])
  assert.ok(existsSync(world.dataFolder))
})

test('BACKUP-SEAL-006: a damaged run that the restore does not need is named and stops neither it nor the next backups', async () => {
  await using world = await World.start()
  for (let run = 0; run < 4; run++) {
    await world.row()
    await world.backUp({ isFull: run % 2 === 0 })
  }
  const first = join(world.folder, 'store', 'runs', '0000000001')
  const bytes = readFileSync(first)
  rmSync(first)
  const newest = await world.restored()
  assert.deepEqual([newest.rows, newest.damage], [await world.rows(), 'Run 1 is missing in the store'])
  await assert.rejects(world.restored({ kind: 'seq', seq: 2 }), /Run 1 is missing in the store, and without it: /)
  // Nothing of the runs before goes while the damaged one may be brought back.
  const objects = new Set((await world.objects()).keys())
  await world.backUp({ keep: 3 })
  for (const path of objects) assert.ok(existsSync(path), path)
  writeFileSync(first, bytes)
  assert.equal((await world.restored({ kind: 'seq', seq: 2 })).rows.length, 2)
  writeFileSync(first, bytes.subarray(1))
  await world.backUp({ isFull: true, keep: 2 })
  assert.deepEqual(
    (await world.runs()).map(({ number }) => number),
    [3, 4, 5, 6],
  )
  const last = await world.restored()
  assert.deepEqual([last.rows, last.damage], [await world.rows(), undefined])
})

test('BACKUP-REHEARSE-002: what a killed rehearsal left is removed by the next one, and nothing else', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  const folder = join(world.folder, 'rehearsals')
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const [left, running, other] = [`candor-rehearsal-${ended}-abc`, `candor-rehearsal-${process.pid}-abc`, 'candor-rehearsal-notes']
  for (const name of [left, running, other]) mkdirSync(join(folder, name, 'restoring'), { recursive: true })
  const { place, keys } = world
  const audit = () => Promise.reject(new Error('not audited'))
  await assert.rejects(rehearse({ place, keys, folder, audit }), /not audited/)
  assert.deepEqual(readdirSync(folder).toSorted(), [running, other].toSorted())
})

test('BACKUP-RESTORE-003: a restore that is interrupted at its very end leaves no database without its keys', async () => {
  await using world = await World.start()
  await world.row()
  const beside = ['chains', 'head.key', 'photos', 'server.key']
  for (const name of ['chains/engine.key', 'photos/ab', 'server.key']) {
    mkdirSync(join(world.dataFolder, name, '..'), { recursive: true })
    writeFileSync(join(world.dataFolder, name), name)
  }
  await world.backUp()
  const { place, keys } = world
  const dataFolder = join(world.folder, 'target')
  const target = { kind: 'newest' } as const
  // The database can't be moved to its place.
  const say = (line: string): void =>
    void (line.startsWith('Replaying') && mkdirSync(join(dataFolder, 'postgres', 'in-the-way'), { recursive: true }))
  await assert.rejects(restore({ place, keys, target, dataFolder, say }), { code: 'ENOTEMPTY' })
  assert.deepEqual(readdirSync(join(dataFolder, 'restoring')), ['postgres'])
  assert.deepEqual(readdirSync(dataFolder).toSorted(), [...beside, 'postgres', 'restoring'].toSorted())
})
