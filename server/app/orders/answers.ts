import type { OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type { WireFill, WireOrder, WirePlaced } from '@candor/core/protocol/wire/spot.ts'
import { orderById } from '../../store/query/orders.ts'
import { Refused } from '../../refused.ts'
import type { Context } from '../../live/context.ts'
import { wireFill, wireOpenOrder, wireOrder } from '../../live/order-texts.ts'
import { orderOfEvents } from '../../live/orders.ts'

/** The order that a command placed, and its immediate fills; for a repeat, the order in its current state. */
export async function answerPlaced(context: Context, user: UserId, outcome: Outcome): Promise<WirePlaced> {
  if (outcome.isRepeat) {
    const { order: now, fills } = await orderNow(context, user, outcome.order, outcome.seq)
    return { order: now, fills: fills.filter(({ role }) => role === 'taker'), isRepeat: true }
  }
  const state = orderOfEvents(outcome.events, outcome.order, outcome.at)
  if (!state) throw new Error(`command ${outcome.seq} placed order ${outcome.order} without accepting it`)
  return { order: wireOrder(context.listing, state), fills: fillsOf(context, outcome, outcome.order), isRepeat: false }
}

/** The fills that the command itself gave the order. */
export function fillsOf(context: Context, outcome: Outcome, order: OrderId): readonly WireFill[] {
  const fills: WireFill[] = []
  for (const event of outcome.events) {
    if (event.type === 'traded' && event.takerOrder === order) fills.push(wireFill(context.listing, event, 'taker', outcome.at))
  }
  return fills
}

/** The order as of the command at `seq`, with its fills: from memory if it is there, otherwise from the tables. */
export async function orderNow(
  context: Context,
  user: UserId,
  id: OrderId,
  seq: number,
): Promise<{ order: WireOrder; fills: readonly WireFill[] }> {
  await context.followed.reached(seq)
  const state = context.orders.get(id)
  if (state && state.user !== user) throw new Refused('ORDER_UNKNOWN')
  if (state && state.executedLots === 0) return { order: wireOrder(context.listing, state), fills: [] }
  // Another gateway may have sent the order: then only the tables know of it.
  await (state ? context.freshness.settled(user) : context.freshness.written(user))
  const found = await orderById(context.pool, user, id)
  if (!state && !found) {
    const open = (await context.ask.openOrders(user)).find((one) => one.order === id)
    if (!open) throw new Refused('ORDER_UNKNOWN')
    return { order: wireOpenOrder(context.listing, open), fills: [] }
  }
  return { order: state ? wireOrder(context.listing, state) : found!.order, fills: found?.fills ?? [] }
}
