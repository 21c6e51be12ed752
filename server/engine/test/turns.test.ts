import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turns } from '../turns.ts'

test('ENGINE-ASK-001: questions take a few milliseconds of a turn; further ones wait for the next turn, in order', async () => {
  const turns: (() => void)[] = []
  let now = 0
  const shared = new Turns(
    3,
    (begin) => turns.push(begin),
    () => now,
  )
  const answered: number[] = []
  const ask = (question: number): Promise<number> =>
    shared.run(() => {
      now += 1
      return answered.push(question)
    })
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const all = Array.from({ length: 10 }, (_, n) => ask(n))
  await settled()
  assert.deepEqual(answered, [0, 1, 2])
  for (const count of [6, 9, 10]) {
    assert.equal(turns.length, 1)
    turns.shift()!()
    await settled()
    assert.deepEqual(
      answered,
      Array.from({ length: count }, (_, n) => n),
    )
  }
  assert.deepEqual(await Promise.all(all), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  turns.shift()!()
  await ask(10)
  assert.equal(answered.length, 11)
})
