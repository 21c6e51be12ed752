/** Results that several pages share. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recent } from '../overview/recent.ts'

test('a result is shared for its time, one that is slow is waited for and not asked for again, and a failure is not kept', async () => {
  const asked: PromiseWithResolvers<number>[] = []
  let now = 0
  const read = recent(
    1_000,
    () => {
      const one = Promise.withResolvers<number>()
      asked.push(one)
      return one.promise
    },
    () => now,
  )
  const first = read()
  now = 5_000
  const second = read()
  assert.equal(asked.length, 1)
  asked[0]!.resolve(7)
  assert.deepEqual(await Promise.all([first, second]), [7, 7])
  now = 5_999
  assert.equal(await read(), 7)
  now = 6_000
  const third = read()
  assert.equal(asked.length, 2)
  asked[1]!.reject(new Error('no database'))
  await assert.rejects(third, /no database/)
  const fourth = read()
  asked[2]!.resolve(8)
  assert.deepEqual([await fourth, asked.length], [8, 3])
})
