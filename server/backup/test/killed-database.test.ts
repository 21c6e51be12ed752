import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { JournalWriter } from '../../journal/append.ts'
import { openStore } from '../../store/open.ts'
import type { Place } from '../place.ts'
import { World } from './world.ts'

/** The same place; `kill` is called before the first object of this kind is put. */
function cutAt(place: Place, kind: string, kill: () => void): Place {
  let isCut = false
  return {
    where: place.where,
    async put(name, bytes) {
      if (name.startsWith(kind) && !isCut) {
        isCut = true
        kill()
      }
      await place.put(name, bytes)
    },
    get: (name) => place.get(name),
    delete: (name) => place.delete(name),
    list: (of) => place.list(of),
    settle: () => place.settle(),
    clean: () => place.clean(),
  }
}

function killDatabase({ dataFolder }: World): void {
  const [pid] = readFileSync(join(dataFolder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGKILL')
}

/** Starts the killed database again and writes to it. */
async function goOn(world: World): Promise<void> {
  await world.store[Symbol.asyncDispose]()
  world.store = await openStore({ dataFolder: world.dataFolder })
  world.writer = await JournalWriter.lead(world.store.url)
  await world.row(2)
}

test('BACKUP-MAKE-012: a run whose database is killed ends with an error and counts as nothing; the next one succeeds', {
  timeout: 240_000,
}, async () => {
  await using world = await World.start()
  for (let row = 0; row < 3; row++) await world.row(2)
  await world.backUp()
  await world.row(2)
  const place = cutAt(world.place, 'chunks/', () => killDatabase(world))
  await assert.rejects(world.backUp({ place, isFull: true }), /The database went away/)
  assert.deepEqual(readdirSync(join(world.folder, 'store', 'runs')), ['0000000001'])
  await goOn(world)
  const next = await world.backUp()
  assert.deepEqual([next.number, next.head.seq], [2, 10])
  assert.deepEqual(readdirSync(join(world.folder, 'store', 'pending')), [])
  assert.deepEqual((await world.restored()).rows, await world.rows())
})

test('BACKUP-MAKE-012: a run that is complete when its database is killed counts, and so does the next one', {
  timeout: 240_000,
}, async () => {
  await using world = await World.start()
  await world.row(2)
  await world.backUp()
  await world.row(2)
  const place = cutAt(world.place, 'runs/', () => killDatabase(world))
  assert.equal((await world.backUp({ place })).number, 2)
  await goOn(world)
  assert.deepEqual([(await world.backUp()).number, (await world.runs()).length], [3, 3])
  assert.deepEqual((await world.restored()).rows, await world.rows())
})
