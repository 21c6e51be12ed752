import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { WireNotice } from '@candor/core/protocol/wire/notices.ts'

let inbox: readonly WireNotice[] = []
const read: string[] = []
mock.method(globalThis, 'fetch', async (url: string, { method }: RequestInit) => {
  if (method !== 'POST') return Response.json({ notices: inbox, unread: inbox.length })
  read.push(String(url))
  return new Response(null, { status: 204 })
})
const { readViewed, viewed } = await import('./viewed.ts')

const filled = (number: number, createdAt: number): WireNotice => ({
  number,
  kind: 'order-filled',
  values: { symbol: 'BTCUSDT' },
  createdAt,
})

test('NOTICE-BANNER-008: View reads its entry, also when that comes later, and no other', async () => {
  inbox = [filled(2, 2_000), filled(1, 1_000)]
  await viewed(({ createdAt }) => createdAt === 1_000)
  assert.deepEqual(read.splice(0), ['/app/v1/notices/1/read'])

  inbox = []
  await viewed(({ createdAt }) => createdAt === 3_000)
  assert.deepEqual(read, [])
  assert.equal(await readViewed([filled(3, 3_000), filled(2, 2_000)]), 1)
  assert.deepEqual(read.splice(0), ['/app/v1/notices/3/read'])
  assert.equal(await readViewed([filled(3, 3_000)]), 0, 'once')
})
