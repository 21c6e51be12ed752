import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SharedCounts } from '../counts.ts'
import { Gossip } from '../gossip.ts'
import { HeardCounts } from '../heard.ts'

/** A kind whose windows begin when the test says so, and what it was asked to add. */
function kind(begun = (_mark: number): boolean => true) {
  const asked: (readonly [string | number, number, number])[] = []
  const counts: SharedCounts = {
    ...{ kind: 'window', keptMs: 60_000, watch: () => undefined, changed: () => [], all: () => [] },
    add: (name, mark, more) => {
      if (typeof name !== 'string') throw new TypeError('this kind has names of text')
      asked.push([name, mark, more])
      return begun(mark)
    },
  }
  return { asked, counts }
}

test('GATEWAY-SHARED-009: of a window that has not begun here, the last count of each name is kept', () => {
  let now = 0
  const { asked, counts } = kind((mark) => mark <= now)
  const heard = new HeardCounts({ counts }, () => now)
  for (let value = 1; value <= 50; value++) for (const name of ['a', 'b']) heard.hear('ahead', 'counts', [name, 10, value], true)
  asked.length = 0
  now = 10
  heard.again()
  assert.deepEqual(asked, [
    ['a', 10, 50],
    ['b', 10, 50],
  ])
  heard.again()
  assert.equal(asked.length, 2)
})

test('GATEWAY-SHARED-009: a gateway whose clock is hours ahead fills no memory of others', () => {
  const { asked, counts } = kind(() => false)
  const heard = new HeardCounts({ counts }, () => 0)
  for (let n = 0; n < 30_000; n++) heard.hear('ahead', 'counts', [`name-${n}`, 1e13, 1], true)
  asked.length = 0
  heard.again()
  assert.equal(asked.length, 10_000)
  assert.equal(asked.at(-1)![0], 'name-29999')
})

test('GATEWAY-SHARED-010: a message about counts that can’t be read is skipped', () => {
  const { asked, counts } = kind()
  let hear: (value: unknown) => void = () => undefined
  using gossip = new Gossip({ publish: () => undefined, onPublished: (listener) => (hear = listener), kinds: { counts }, now: () => 0 })
  const odd: readonly unknown[] = [
    ...[undefined, null, 0, 'text', [], {}, { from: 'x' }],
    ...[null, 1, 'text', { counts: 1 }, { counts: null }].map((lists) => ({ from: 'x', n: 1, counts: lists })),
    ...[1, {}, null].map((asks) => ({ from: 'x', n: 1, asks })),
  ]
  for (const message of odd) hear(message)
  assert.equal(gossip.others, 0)
  hear({ from: 'x', n: 1, counts: { constructor: ['a', 1, 1], other: ['a', 1, 1] } })
  hear({ from: 'x', n: 2, counts: { counts: ['a', null, 1, 'b', 1, 'many', 3, 1, 1, null, 1, 1, 'c', 1, 1] } })
  assert.deepEqual(asked, [['c', 1, 1]])
})
