import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hooked } from './hooked.ts'
import { World } from './world.ts'

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
