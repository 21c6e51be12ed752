import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { recordedIds } from '../request-blocks.ts'

test('GATEWAY-ONCE-008: what it costs to read a user’s ids grows with their number, and not with its square', async () => {
  const [total, ids] = [20_000, Buffer.alloc(8)]
  let looks = 0
  const rowAt = (seq: number) => ({
    ...{ user: 1, seq },
    get ids() {
      looks++
      return ids
    },
  })
  const query = async (_: string, [, before]: readonly [number, number]) => {
    const last = Math.min(before, total + 1) - 1
    return { rows: Array.from({ length: Math.min(200, last) }, (_, n) => rowAt(last - n)) }
  }
  const found = await recordedIds({ query } as unknown as pg.Pool, 1, total)
  assert.equal(found.length, total)
  assert.ok(looks <= 2 * total, `${looks} looks at ${total} rows`)
})
