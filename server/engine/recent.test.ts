import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hub } from './hub.ts'
import { RecentBatches } from './recent.ts'

/** A batch of two commands from `seq` on, with `length` slots of events that all read `seq`. */
const batch = (seq: number, length: number) => ({ firstSeq: seq, lastSeq: seq + 1, events: new Float64Array(length).fill(seq) })
const plain = (batches: ReturnType<RecentBatches['since']>) =>
  batches?.map(({ firstSeq, lastSeq, events }) => [firstSeq, lastSeq, events.length, new Set(events).size <= 1 && (events[0] ?? firstSeq)])

test('a client gets every batch after the last one that it has, and none when it has all', () => {
  const recent = new RecentBatches(10)
  assert.equal(recent.since(0), undefined)
  for (const [seq, length] of [
    [1, 3],
    [3, 0],
    [5, 4],
  ] as const) {
    recent.add(batch(seq, length))
  }
  const [one, two, three] = [
    [1, 2, 3, 1],
    [3, 4, 0, 3],
    [5, 6, 4, 5],
  ]
  assert.deepEqual(plain(recent.since(0)), [one, two, three])
  assert.deepEqual(plain(recent.since(2)), [two, three])
  assert.deepEqual(plain(recent.since(4)), [three])
  assert.deepEqual(recent.since(6), [])
  assert.equal(recent.since(7), undefined, 'the future')
  assert.equal(recent.since(1), undefined, 'the middle of a batch')
})

test('the oldest batches are dropped for newer ones; a client that missed one of them gets none', () => {
  const recent = new RecentBatches(10)
  for (let n = 0; n < 100; n++) {
    const length = 1 + (n % 4)
    recent.add(batch(1 + 2 * n, length))
    const last = 2 + 2 * n
    assert.deepEqual(recent.since(last), [])
    let kept = 0
    for (let seq = last - 2; seq >= 0; seq -= 2) {
      const missed = plain(recent.since(seq))
      if (missed === undefined) break
      kept++
      assert.equal(missed.length, kept)
      missed.forEach((one, at) => assert.deepEqual(one, [seq + 1 + 2 * at, seq + 2 + 2 * at, 1 + ((seq / 2 + at) % 4), seq + 1 + 2 * at]))
    }
    assert.ok(kept >= Math.min(n + 1, 2), `${kept} batches are kept after ${n + 1}`)
  }
})

test('a batch as large as the buffer is kept alone; a larger one is not kept, nor is any before it', () => {
  const recent = new RecentBatches(10)
  recent.add(batch(1, 2))
  recent.add(batch(3, 10))
  assert.equal(recent.since(0), undefined)
  assert.deepEqual(plain(recent.since(2)), [[3, 4, 10, 3]])
  recent.add(batch(5, 11))
  for (const seq of [0, 2, 4, 6]) assert.equal(recent.since(seq), undefined)
  recent.add(batch(7, 10))
  assert.deepEqual(plain(recent.since(6)), [[7, 8, 10, 7]])
})

test('a batch that ends at the end of the buffer does not wrap, and the next one starts at its beginning', () => {
  const recent = new RecentBatches(10)
  for (const [seq, length] of [
    [1, 4],
    [3, 6],
    [5, 4],
  ] as const) {
    recent.add(batch(seq, length))
  }
  assert.equal(recent.since(0), undefined)
  assert.deepEqual(plain(recent.since(2)), [
    [3, 4, 6, 3],
    [5, 6, 4, 5],
  ])
})

test('all other processes get a published value, and those that join later the last of each topic', () => {
  const hub = new Hub()
  const heard: string[] = []
  const [one, two] = ['one', 'two'].map((name) => (topic: string, value: unknown) => void heard.push(`${name} ${topic} ${value}`))
  hub.join(one!)
  hub.join(two!)
  hub.publish('feeds', 'good', one)
  hub.publish('feeds', 'bad')
  assert.deepEqual(heard.splice(0), ['two feeds good', 'one feeds bad', 'two feeds bad'])
  hub.leave(one!)
  hub.publish('head', 5)
  assert.deepEqual(heard.splice(0), ['two head 5'])
  hub.join(one!)
  assert.deepEqual(heard, ['one feeds bad', 'one head 5'])
  assert.deepEqual(
    [...hub.last],
    [
      ['feeds', 'bad'],
      ['head', 5],
    ],
  )
})
