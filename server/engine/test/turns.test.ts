import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turns } from '../turns.ts'

/** Questions that take a millisecond each, with `limitMs` in each turn. Their numbers are noted in the order of their answers. */
function numbered(limitMs: number) {
  const turns: (() => void)[] = []
  let now = 0
  const shared = new Turns(
    limitMs,
    (begin) => turns.push(begin),
    () => now,
  )
  const answered: number[] = []
  const ask = (question: number): Promise<number> =>
    shared.run(() => {
      now += 1
      return answered.push(question)
    })
  return { turns, answered, ask }
}

test('ENGINE-ASK-001: questions take a few milliseconds of a turn; further ones wait for the next turn, in order', async () => {
  const { turns, answered, ask } = numbered(3)
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

test('ENGINE-ASK-001: a question that comes while others wait does not overtake them', async () => {
  const { turns, answered, ask } = numbered(1)
  const all = [ask(0), ask(1), ask(2)]
  turns.shift()!()
  all.push(ask(3))
  while (answered.length < 4) {
    await new Promise((resolve) => setImmediate(resolve))
    turns.shift()?.()
  }
  await Promise.all(all)
  assert.deepEqual(answered, [0, 1, 2, 3])
})

test('ENGINE-ASK-001: without clocks of a test, the time that questions take is real', async () => {
  const shared = new Turns(1)
  let isAnswered = false
  const long = shared.run(() => {
    const until = performance.now() + 2
    while (performance.now() < until);
  })
  const next = shared.run(() => {
    isAnswered = true
  })
  assert.equal(isAnswered, false, 'it waits for the next turn')
  await Promise.all([long, next])
  assert.equal(isAnswered, true)
})
