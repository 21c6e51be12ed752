import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Context } from '../../live/context.ts'
import { Followed } from '../../live/followed.ts'
import { Freshness } from '../../live/freshness.ts'
import { Orders } from '../../live/orders.ts'
import { orderNow } from '../orders/answers.ts'

test('GATEWAY-MEMORY-004: an order that was executed by another gateway is never called unknown while the tables are behind', async () => {
  const [user, order, seq] = [1 as UserId, 77 as OrderId, 500]
  const followed = new Followed()
  followed.advance(seq)
  const freshness = new Freshness(() => Promise.resolve(seq - 1), undefined, 20, 40)
  freshness.wrote(user, seq)
  const context = {
    ...{ followed, freshness, orders: new Orders() },
    pool: { query: () => Promise.resolve({ rows: [] }) },
    ask: { openOrders: () => Promise.resolve([]) },
  } as unknown as Context
  await assert.rejects(orderNow(context, user, order, seq), { refusal: 'STATUS_UNKNOWN' })
})
