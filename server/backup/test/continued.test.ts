import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { JournalWriter } from '../../journal/append.ts'
import type { Head } from '../../journal/row.ts'
import { openStore } from '../../store/open.ts'
import { openPlace } from '../place.ts'
import { restore } from '../restore.ts'
import type { Run } from '../runs.ts'
import { hooked } from './hooked.ts'
import { World } from './world.ts'

const isFull = true

async function stopped(world: World): Promise<void> {
  await world.writer.close()
  await world.store[Symbol.asyncDispose]()
}

/** Starts the database in the data folder, whose journal ends at `head`. */
async function started(world: World, head: Head): Promise<void> {
  world.store = await openStore({ dataFolder: world.dataFolder })
  world.writer = await JournalWriter.lead(world.store.url)
  world.head = head
}

/** Puts another folder of a database in place of the one that is there. */
function replace(world: World, folder: string): void {
  rmSync(join(world.dataFolder, 'postgres'), { recursive: true })
  cpSync(join(folder, 'postgres'), join(world.dataFolder, 'postgres'), { recursive: true, preserveTimestamps: true })
}

test('BACKUP-MAKE-017: a run counts as nothing when anything that it names could not be stored', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  await world.row()
  // Whatever comes last: the place has no room from some object on.
  let room = Infinity
  const put = async (name: string): Promise<void> => {
    if (name.startsWith('chunks/') && room-- <= 0) throw new Error('no room')
  }
  let count = 0
  const counting = hooked(world.place, { put: async (name) => void (count += name.startsWith('chunks/') ? 1 : 0) })
  await world.backUp({ place: counting })
  for (const left of [1, 2]) {
    await world.row()
    room = count - left
    const before = (await world.runs()).length
    await assert.rejects(world.backUp({ place: hooked(world.place, { put }) }), /no room/, `without the last ${left}`)
    assert.equal((await world.runs()).length, before)
  }
  await world.backUp()
  assert.deepEqual((await world.restored()).rows, await world.rows())
})

for (const [how, isOldSlot] of [
  ['shorter than its backups', true],
  ['that went on differently', false],
] as const)
  test(`BACKUP-MAKE-018: a database that was set back without a restore, with a log ${how}, begins a line of its own`, async () => {
    await using world = await World.start()
    await world.row()
    await world.backUp()
    await stopped(world)
    const copy = join(world.folder, 'copy')
    cpSync(world.dataFolder, copy, { recursive: true, preserveTimestamps: true })
    const { head } = world
    await started(world, head)
    const runs: Run[] = []
    for (let run = 0; run < 2; run++) {
      await world.row()
      runs.push(await world.backUp())
    }
    await stopped(world)
    replace(world, copy)
    await started(world, head)
    await world.row()
    if (!isOldSlot)
      for (let segment = 0; segment < 4; segment++) {
        await world.row()
        await world.store.pool.query('select pg_switch_wal()')
      }
    const said: string[] = []
    const next = await world.backUp({ say: (line) => said.push(line) })
    assert.match(said.join(), /set back, or is another copy than that of run 3: this is a full backup/)
    assert.deepEqual([next.base !== undefined, next.line === runs[1]!.line], [true, false])
    assert.deepEqual((await world.restored()).rows, await world.rows())
    await world.row()
    assert.equal((await world.backUp()).base, undefined)
    assert.deepEqual((await world.restored()).rows, await world.rows())
  })

test('BACKUP-MAKE-018: of two restores of one state, each begins a line of its own', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  await world.row()
  await world.backUp({ isFull })
  await world.row()
  const last = await world.backUp()
  const target = { kind: 'seq', seq: 3 } as const
  const backed: Run[] = []
  for (const name of ['first', 'second']) {
    const dataFolder = join(world.folder, name)
    // The second one is restored from the same runs as the first, as if nobody had used that.
    const { place, keys } = world
    await restore({ place: olderPlace(world), keys, target, dataFolder })
    await using store = await openStore({ dataFolder })
    await using writer = await writerOf(store.url)
    const other: World = Object.assign(Object.create(world) as World, { store, dataFolder, writer: writer.writer, head: world.head })
    for (let row = 0; row < 3; row++) await other.row()
    backed.push(await other.backUp({ place, keys }))
    assert.deepEqual((await world.restored()).rows, await other.rows(), name)
  }
  assert.equal(new Set([last, ...backed].map(({ line }) => line)).size, 3)

  /** The store without the runs after the third. */
  function olderPlace({ place }: World): typeof place {
    return {
      ...hooked(place, {}),
      list: async (kind) => (await place.list(kind)).filter((name) => name <= 'runs/0000000003' || kind !== 'runs'),
    }
  }
})

async function writerOf(url: string): Promise<AsyncDisposable & { readonly writer: JournalWriter }> {
  const writer = await JournalWriter.lead(url)
  return { writer, [Symbol.asyncDispose]: () => writer.close() }
}

test('BACKUP-CONTENT-002: a restored database has no slot, so it keeps no log for the one that was backed up', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  await world.row()
  await world.backUp({ isFull })
  const { dataFolder } = await world.restored()
  assert.deepEqual(readdirSync(join(dataFolder, 'postgres', 'data', 'pg_replslot')), [])
})

test('BACKUP-MAKE-019: a run never takes the place of another one that was written meanwhile', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  await world.row()
  const run = join(world.folder, 'store', 'runs', '0000000002')
  // As an exchange would write it that has a copy of the database, and so a lock of its own.
  const place = hooked(world.place, { settle: () => world.place.put('runs/0000000002', Buffer.from('of another exchange')) })
  await assert.rejects(world.backUp({ place }), /Another exchange with a copy of this database wrote run 2 meanwhile/)
  assert.ok(existsSync(run))
  rmSync(run)
  await world.backUp()
  assert.deepEqual((await world.restored()).rows, await world.rows())
})

test('BACKUP-PLACE-004: a run into a folder whose disk is nearly full ends before an exchange there would pause, and leaves no chunk', async () => {
  await using world = await World.start()
  await world.row()
  await world.backUp()
  await world.row()
  const chunks = await world.place.list('chunks')
  let looks = 0
  const place = openPlace(`file://${world.folder}/store`, async () => ({ free: looks++ < 5 ? 30e9 : 3e9, total: 100e9 }))
  await assert.rejects(world.backUp({ place, isFull }), /The disk of .*\/store has 3\.0 GB free/)
  assert.ok(looks > 5 && looks < 20, `${looks} looks`)
  assert.equal((await world.runs()).length, 1)
  assert.deepEqual(await world.place.list('chunks'), chunks)
  await world.backUp()
  assert.deepEqual((await world.restored()).rows, await world.rows())
  // On a small disk of its own, a twentieth is enough.
  const small = openPlace(`file://${world.folder}/small`, async () => ({ free: 0.2e9, total: 1e9 }))
  await small.put('runs/1', Buffer.of(1))
})
