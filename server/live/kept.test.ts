import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Kept } from './kept.ts'

test('GATEWAY-MEMORY-002: the engine is asked once for many readers, and again after an event', async () => {
  let value = 0
  let asked = 0
  const kept = new Kept(
    async () => {
      asked++
      const answer = value
      await new Promise((resolve) => setImmediate(resolve))
      return answer
    },
    { maxAgeMs: 1e9 },
  )
  assert.deepEqual(
    await Promise.all(Array.from({ length: 500 }, () => kept.get())),
    Array.from({ length: 500 }, () => 0),
  )
  assert.equal(asked, 1)
  value = 1
  kept.outdate()
  assert.equal(await kept.get(), 1)
  assert.equal(asked, 2)
})

test('an answer that was on its way during an event reaches no reader who asks after the event', async () => {
  let value = 'old'
  const waiting: (() => void)[] = []
  const kept = new Kept(
    () => {
      const answer = value
      return new Promise<string>((resolve) => waiting.push(() => resolve(answer)))
    },
    { maxAgeMs: 1e9 },
  )
  const first = kept.get()
  while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve))
  value = 'new'
  kept.outdate()
  const second = kept.get()
  waiting.shift()!()
  assert.equal(await first, 'old')
  while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  waiting.shift()!()
  assert.equal(await second, 'new')
  assert.equal(await kept.get(), 'new')
})

test('an engine that does not answer is asked again by the next reader', async () => {
  let isDown = true
  const kept = new Kept(async () => (isDown ? Promise.reject(new Error('down')) : 'up'), { maxAgeMs: 1e9 })
  await assert.rejects(kept.get(), /down/)
  isDown = false
  assert.equal(await kept.get(), 'up')
})
