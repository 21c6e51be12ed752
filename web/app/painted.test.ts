import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { inTurn, publishAt } from './painted.ts'

/** Frames come when the test says so. */
let frames: (() => void)[] = []
const real = globalThis.requestAnimationFrame
const frame = (): void => {
  const due = frames
  frames = []
  for (const one of due) one()
}
/** Lets the tasks run that wait for no frame. */
const tasks = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const frameAsked = async (): Promise<void> => {
  while (frames.length === 0) await tasks()
}

beforeEach(() => {
  frames = []
  globalThis.requestAnimationFrame = (work) => frames.push(() => work(0))
})
afterEach(() => {
  globalThis.requestAnimationFrame = real
})

test('works come in turn, each in a task after a frame of its own', async () => {
  const done: string[] = []
  inTurn(() => done.push('a'))
  inTurn(() => done.push('b'))
  await tasks()
  assert.deepEqual(done, [], 'none before the frame')
  for (const expected of [['a'], ['a', 'b']]) {
    await frameAsked()
    const before: readonly string[] = [...done]
    frame()
    assert.deepEqual(done, before, 'not in the frame itself')
    while (done.length < expected.length) await tasks()
    assert.deepEqual(done, expected)
  }
})

test('a work that is taken back is not done, wherever it waits', async () => {
  const done: string[] = []
  const [first, , third] = ['a', 'b', 'c'].map((name) => inTurn(() => done.push(name)))
  first?.()
  third?.()
  while (done.length === 0) {
    await frameAsked()
    frame()
    await tasks()
  }
  await tasks()
  assert.deepEqual(done, ['b'])
  assert.equal(frames.length, 0, 'nothing waits any more')
})

test('values that are due about the same time share a frame, and each is published once', async () => {
  const published: string[] = []
  const [soon, near, far] = ['soon', 'near', 'far'].map((name) => () => void published.push(name))
  const now = performance.now()
  publishAt(now + 60_000, far as () => void)
  publishAt(now + 30, near as () => void)
  publishAt(now, soon as () => void)
  publishAt(now, soon as () => void)
  await frameAsked()
  frame()
  assert.deepEqual(published.toSorted(), ['near', 'soon'])
  publishAt(performance.now(), far as () => void)
  await frameAsked()
  frame()
  assert.deepEqual(published.toSorted(), ['far', 'near', 'soon'], 'a new time takes the place of the old one')
})
