import assert from 'node:assert/strict'
import { test } from 'node:test'
import { added, closed, type Notice, passed, type Queue, readingMs } from './queue.ts'

const filled = (text: string): Notice => ({ text, group: 'filled', many: (count) => ({ text: `${count} orders filled` }) })
const texts = (queue: Queue): readonly string[] => queue.map(({ told }) => told.text)
const queueOf = (notices: readonly Notice[]): Queue => notices.reduce<Queue>((queue, notice, id) => added(queue, notice, id), [])

test('NOTICE-BANNER-001: notices of one kind join into one with their count, others wait for their turn', () => {
  const queue = queueOf([filled('a'), { text: 'expired' }, filled('b'), filled('c')])
  assert.deepEqual(texts(queue), ['3 orders filled', 'expired'])
  assert.deepEqual(texts(passed(queue)), ['expired'])
  const many = queueOf(Array.from({ length: 200 }, (_, at) => filled(String(at))))
  assert.deepEqual(texts(many), ['200 orders filled'])
})

test('NOTICE-BANNER-002: a danger goes before what waits, stays until it is closed, and lets others be read', () => {
  const queue = queueOf([{ text: 'a' }, { text: 'b' }, { text: 'danger', tone: 'bad', stays: true }])
  assert.deepEqual(texts(queue), ['a', 'danger', 'b'])
  const second = passed(queue)
  assert.deepEqual(texts(second), ['danger', 'b'])
  assert.deepEqual(texts(passed(second)), ['b', 'danger'])
  const last = passed(passed(second))
  assert.deepEqual(texts(last), ['danger'])
  assert.deepEqual(texts(passed(last)), ['danger'])
  assert.deepEqual(closed(last, 2), [])
})

test('NOTICE-BANNER-003: at most 20 notices wait, and one that stays is never dropped', () => {
  const danger: Notice = { text: 'danger', tone: 'bad', stays: true }
  const queue = queueOf([danger, danger, ...Array.from({ length: 100 }, (_, at) => ({ text: String(at) }))])
  assert.equal(queue.length, 21)
  assert.equal(texts(queue).filter((text) => text === 'danger').length, 2)
  assert.equal(texts(queue).at(-1), '99')
})

test('NOTICE-BANNER-004: long texts and errors stay longer, never above 12 s', () => {
  assert.equal(readingMs({ text: 'short' }), 5_000)
  assert.equal(readingMs({ text: 'short', tone: 'bad' }), 7_000)
  assert.equal(readingMs({ text: 'x'.repeat(1_000) }), 12_000)
})
