import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type pg from 'pg'
import type { TestUser } from '../../../main/test/exchange.ts'
import { OldIds } from '../old-ids.ts'
import { cancelOf, ring } from './ids-world.ts'

/** Users from 10 on are at the end of their ring; those from 1,000 on have many ids in the tables. */
function world(seenBytesMax: number) {
  const [asked, read]: number[][] = [[], []]
  const since: unknown[] = []
  const many = Array.from({ length: 20 }, (_, n) => ({ seq: 20 - n, ids: randomBytes(2_048 * 8) }))
  const watermark = { seq: 1_000, at: 1_000, upToSeq: 1_000, upToAt: 1_000, user: null }
  const query = async (text: string | { readonly name: string }, values?: readonly number[]) => {
    if (typeof text !== 'string') {
      if (text.name === 'recorded-since') since.push(text)
      return { rows: text.name === 'recorded-request' ? [] : [watermark] }
    }
    if (!text.includes('fetch first')) return { rows: [watermark] }
    read!.push(values![0]!)
    return { rows: values![0]! >= 1_000 ? many : [] }
  }
  const ids = new OldIds({
    submit: () => Promise.resolve({} as Outcome),
    ask: {
      requestRoom: (user) => {
        asked!.push(user)
        return Promise.resolve({ seq: 1, ring, left: user < 10 ? ring : 0, isCrowded: false, next: 1 })
      },
    },
    ...{ freshness: { reached: () => Promise.resolve(true) }, pool: { query } as unknown as pg.Pool, seenBytesMax },
  })
  let n = 0
  const cancel = (user: number) => ids.submit(cancelOf({ id: user } as unknown as TestUser, `cancel-${n++}`), undefined)
  return { ids, asked: asked!, read: read!, since, cancel }
}

test('GATEWAY-ONCE-008: users far from the end of their ring are not asked about again when filters of others are dropped', async () => {
  const { asked, cancel } = world(0)
  await cancel(1)
  for (const user of [10, 11, 12]) await cancel(user)
  await cancel(1)
  assert.deepEqual(
    asked.filter((user) => user === 1),
    [1],
  )
})

test('GATEWAY-ONCE-008: the filters of a few users with very many ids never push out those of all others', async () => {
  const { read, cancel } = world(4_000_000)
  await cancel(10)
  // Each of them takes 0.7 megabytes.
  for (let turn = 0; turn < 2; turn++) for (let user = 1_000; user < 1_008; user++) await cancel(user)
  read.length = 0
  await cancel(10)
  assert.deepEqual(read, [])
})

test('GATEWAY-ONCE-008: a gateway that was idle for long reads the ids of those who come back, not of all since', async () => {
  const { ids, read, since, cancel } = world(4_000_000)
  await cancel(10)
  ids.reached(1_000_000)
  await cancel(10)
  assert.deepEqual(read, [10])
  since.length = 0
  ids.reached(1_100_000)
  await cancel(10)
  assert.deepEqual([read, since], [[10, 10], []])
})
