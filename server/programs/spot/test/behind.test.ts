import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis } from '@candor/core/money/brand.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { Context } from '../../context.ts'
import { Freshness } from '../../../live/freshness.ts'
import { Followed } from '../../../live/followed.ts'
import { Orders } from '../../../live/orders.ts'
import type { ApiUser } from '../../key-ring.ts'
import type { Names } from '../../names.ts'
import { OrderCounts } from '../../order-counts.ts'
import { cancelSpotOrder } from '../cancel.ts'
import type { Desk } from '../desk.ts'

const owner = { user: 7, class: 'retail' } as ApiUser
const symbol = 'BTCUSDT'
/** The other values of a cancellation were not sent. */
const valuesOf = (sent: object) => ({ symbol, ...sent }) as unknown as Parameters<typeof cancelSpotOrder>[2]
const onMargin = {
  type: 'order.accepted',
  ...{ order: 5, list: 0, user: 7, clientId: 'margin', market: 1, side: 'buy', orderType: 'limit', timeInForce: 'gtc', price: 1, lots: 1 },
  margin: { account: 'margin-cross', borrow: false, repay: false },
} as unknown as Event

/** A gateway that has answered the command at 9 and has not applied its events yet; no command may reach the core. */
function behind() {
  const [orders, followed, freshness] = [new Orders(), new Followed(), new Freshness(async () => 9)]
  freshness.wrote(owner.user, 9)
  const context = {
    ...{ orders, followed, freshness, ask: { ordersAt: async () => ({ seq: 8, orders: [] }) } },
    ...{ orderCounts: { spot: new OrderCounts() }, now: () => 0 },
    submit: () => assert.fail('the core was asked to cancel'),
  } as unknown as Context
  const market = () => ({ market: { id: 1 } })
  const desk = { context, names: { market } as unknown as Names } as Desk
  const follow = (): void => {
    orders.apply(onMargin, 1 as Millis, 9)
    followed.advance(9)
  }
  return { desk, freshness, follow }
}

for (const which of [{ orderId: 5 }, { origClientOrderId: 'margin' }]) {
  test(`API-SPOT-016: an order of a Margin account that was placed a moment ago does not count as one of the spot account, by ${Object.keys(which)[0]}`, async () => {
    const { desk, freshness, follow } = behind()
    // The user's write still counts after another reader has read it from the tables.
    await freshness.settled(owner.user)
    const told = assert.rejects(cancelSpotOrder(desk, owner, valuesOf(which)), { code: -2011 })
    setImmediate(follow)
    await told
  })
}

test('API-SPOT-016: an order of the spot account that was placed a moment ago does not count as one of a Margin account', async () => {
  const { desk, follow } = behind()
  const told = assert.rejects(cancelSpotOrder(desk, owner, valuesOf({ orderId: 5 }), 'margin-isolated'), { code: -2011 })
  setImmediate(follow)
  await told
})
