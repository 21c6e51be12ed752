/** The steps of a sweep, in a memory that is restored shortly before one begins. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseMemory } from '../../test/short-memory.ts'
import { atOnce, every, Swept, swept } from './swept.ts'

/** Users, names, numbers and refusals of requests that stay remembered. */
const known = [
  [0, 1, 12, 0],
  [1, 2, 40, 0],
  [1, 3, 41, 0],
  [2, 4, 2 ** 52 + 2 ** 31 + 5, 0],
] as const

/** A memory in which a sweep begins with the 28th request from now on. User 0 has the oldest request, user 2 the newest. */
function given(isAdded: boolean): Swept {
  const young = new Swept(isAdded)
  young.open.add(40).add(41)
  for (const [user, name, number, refusal] of known) young.send(user, name, number, refusal)
  // From now on, two requests are remembered for their open orders alone.
  for (let name = 10; name < 16; name++) young.send(1, name)
  const all = young.restored(swept - 30)
  assert.equal(all.requests.count, swept - 20)
  return all
}

function knows(all: Swept, ...without: readonly number[]): void {
  for (const [user, name, number, refusal] of known) {
    const expected = without.includes(name) ? undefined : [number, refusal, true]
    assert.deepEqual(all.outcome(user, name), expected, `${name}`)
  }
}

for (const isAdded of [false, true])
  test(`SPOT-ONCE-001: a sweep begins when enough requests are forgotten, and looks at a few with each eighth one${isAdded ? ', beside a running one' : ''}`, () => {
    const all = given(isAdded)
    const { requests } = all
    // In one of the two runs, the entry of an order that has ended is already out of the index.
    if (isAdded) {
      all.open.delete(41)
      assert.equal(all.outcome(1, 3), undefined)
    }
    const [without, moved] = isAdded ? [[3], 2] : [[], 3]
    all.sendUntil(swept + 7)
    assert.equal(requests.count, swept + 7)
    all.sendUntil(swept + 8)
    assert.equal(requests.count, swept + 8 - atOnce + moved)
    knows(all, ...without)
    // The requests that were written again count as new ones.
    all.sendUntil(swept + 8 + every - moved - 1)
    assert.equal(requests.count, swept + 8 - atOnce + every - 1)
    all.sendUntil(swept + 8 + every - moved)
    assert.equal(requests.count, swept + 8 - 2 * atOnce + every)
    knows(all, ...without)
    // A dump has the requests of a user in their order, wherever they are.
    const words = new Int32Array(new Uint8Array(all.dumped()).buffer)
    const first = (6 + 3) * 2 + 4
    assert.deepEqual([words[first], words[first + 6]], isAdded ? [40, 0] : [40, 41])
  })

test('SPOT-ONCE-001: a sweep ends with the requests that were there when it began, and the next one waits; new requests use the memory that it frees', (t) => {
  const all = given(false)
  const { requests } = all
  const begins = swept + 8
  // Three requests are written again by the first step, and that of user 2 by the last but one.
  const steps = Math.floor(begins / atOnce)
  const ends = begins + steps * every - 4
  let pages = 0
  refuseMemory(t, (bytes) => {
    pages++
    return bytes < 0
  })
  all.sendUntil(ends - 1)
  assert.ok(pages < 3, `${pages} new pages`)
  assert.equal(requests.count, ends - 1 - begins + 4 + (begins % atOnce))
  all.sendUntil(ends)
  assert.equal(requests.count, ends - begins + 4)
  all.sendUntil(ends + 100)
  assert.equal(requests.count, ends + 100 - begins + 4)
  knows(all)
  assert.deepEqual(
    [...requests.all(new Set([0, 1, 2]))].map(({ user, number }) => [user, number]).filter(([, number]) => number !== 0),
    known.map(([user, , number]) => [user, number]),
  )
})
