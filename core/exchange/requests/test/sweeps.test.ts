/** Forgotten requests are cleared out of the memory, a few with each new request. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atOnce, every, Swept, swept } from './swept.ts'

const first = [
  [2, 1, 2 ** 52 + 2 ** 31 + 5, 0],
  [2, 2, 0, 2_047],
  [0, 3, 12, 0],
  [1, 4, 40, 0],
  [1, 5, 41, 0],
] as const

function given(isAdded: boolean): Swept {
  const all = new Swept(isAdded)
  all.open.add(40).add(41)
  for (const [user, name, number, refusal] of first) all.send(user, name, number, refusal)
  return all
}

function knowsFirst(all: Swept): void {
  for (const [user, name, number, refusal] of first) assert.deepEqual(all.outcome(user, name), [number, refusal, true], `${name}`)
}

for (const isAdded of [false, true])
  test(`SPOT-ONCE-001: forgotten requests are cleared out while new ones come, and remembered ones stay${isAdded ? ', beside a running one' : ''}`, () => {
    const all = given(isAdded)
    const { requests } = all
    // The last six of user 1 and three others are remembered.
    const begins = swept + 9 + every - ((swept + 9) % every)
    all.sendUntil(begins - 1)
    assert.equal(requests.count, begins - 1)
    const listed = requests.all(new Set([0, 1, 2]))
    assert.equal(listed.next().value?.user, 2)
    // The order of this one ends and its id is used again, so that its entry is forgotten before the sweep reaches it.
    all.open.delete(41)
    assert.equal(all.outcome(1, 5), undefined)
    all.open.add(41)
    all.send(1, 5, 41)
    assert.equal(requests.count, begins - atOnce + 4, 'of the oldest 32 requests, four are remembered')
    // The four that were written again count as new ones.
    all.sendUntil(begins + every - 5)
    assert.equal(requests.count, begins + every - 5 - atOnce + 4)
    all.sendUntil(begins + every - 4)
    assert.equal(requests.count, begins + every - 4 - 2 * atOnce + 4)
    knowsFirst(all)
    const ends = begins + Math.floor(begins / atOnce) * every - 4
    all.sendUntil(ends - 1)
    assert.equal(requests.count, ends - 1 - Math.floor(begins / atOnce) * atOnce + 4)
    // The last look is at the newest requests of when the sweep began: the id that was used again is one.
    all.sendUntil(ends)
    assert.equal(requests.count, ends - begins + 5)
    knowsFirst(all)
    const rest = [...listed].filter(({ user, number }) => user !== 1 || number !== 0)
    assert.deepEqual(new Set(rest.map(({ number }) => number)), new Set(first.map(([, , number]) => number)))
    // The dump has user 1's oldest request first.
    const dump = all.dumped()
    const copy = new Swept(isAdded)
    copy.open.add(40).add(41)
    copy.requests.restore(new Float64Array(new Uint8Array(dump).buffer), 0, 13)
    knowsFirst(copy)
    assert.deepEqual(copy.dumped(), dump)
    const words = new Int32Array(new Uint8Array(dump).buffer)
    // Records of one request of user 0, then of eight of user 1.
    assert.deepEqual([...new Float64Array(new Uint8Array(dump).buffer).subarray(6, 9)], [2, 8, 2])
    assert.deepEqual([words[9 * 2 + 4], words[12 * 2 + 4], words[15 * 2 + 4]], [40, 41, 0])
    // The next sweep begins when as many have been forgotten again.
    const left = requests.count
    let again = ends + swept
    while ((again + 5) % every !== 0) again++
    all.sendUntil(again - 1)
    assert.equal(requests.count, left + again - 1 - ends)
    all.sendUntil(again)
    assert.equal(requests.count, left + again - ends - atOnce + 4)
    knowsFirst(all)
  })
