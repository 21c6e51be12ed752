/** Accepts orders: their holds, their initial state, and their event. */
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { OrderStrategy, PlaceOrder, Trigger } from '@candor/core/protocol/command/spot.ts'
import { payingAsset } from './matching.ts'
import type { Order, OracleState, Venue } from './state.ts'

export function hold(state: OracleState, venue: Venue, order: Order, need: bigint): void {
  const balance = state.account(order.user, 'spot', payingAsset(venue, order.side))
  balance.available -= need
  balance.held += need
}

type Asked = Pick<PlaceOrder, 'user' | 'clientId' | 'market' | 'side' | 'orderType' | 'timeInForce' | 'isPostOnly' | 'selfTrade'> & {
  readonly list?: number
  readonly spend?: number
  readonly display?: number
  readonly trigger?: Trigger
  readonly strategy?: OrderStrategy
}

export function newOrder(
  state: OracleState,
  asked: Omit<Asked, 'user' | 'market'> & { user: number; market: number },
  set: Pick<Order, 'price' | 'lots' | 'turn'> & Partial<Pick<Order, 'status' | 'sleepingNeed'>>,
): Order {
  return {
    order: state.lastOrder + 1,
    list: asked.list ?? 0,
    user: asked.user,
    clientId: asked.clientId,
    market: asked.market,
    side: asked.side,
    orderType: asked.orderType,
    timeInForce: asked.orderType === 'market' ? 'IOC' : asked.timeInForce,
    selfTrade: asked.selfTrade,
    isPostOnly: asked.isPostOnly,
    display: asked.display ?? 0,
    trigger: asked.trigger,
    strategy: asked.strategy,
    spend: asked.spend ?? 0,
    placedAt: state.at,
    updatedAt: state.at,
    executedLots: 0,
    executedQuote: 0n,
    preventedLots: 0,
    preventedMatch: 0,
    status: set.status ?? 'open',
    sleepingNeed: set.sleepingNeed ?? 0n,
    triggeredAt: undefined,
    workingNeed: 0n,
    isParked: false,
    role: undefined,
    visible: 0,
    peak: 0,
    price: set.price,
    lots: set.lots,
    turn: set.turn,
  }
}

/** Gives the order its number and its event. */
export function accept(state: OracleState, order: Order): void {
  state.lastOrder = order.order
  const { list, user, clientId, market, side, orderType, timeInForce, price, lots, spend, isPostOnly, display, trigger, selfTrade } = order
  const { strategy } = order
  state.events.push({
    type: 'order.accepted',
    order: order.order,
    list,
    user,
    clientId,
    market,
    side,
    orderType,
    timeInForce,
    price,
    lots,
    spend,
    isPostOnly,
    display,
    ...(trigger === undefined ? {} : { trigger }),
    ...(selfTrade === 'expire-taker' ? {} : { selfTrade }),
    ...(strategy === undefined ? {} : { strategy }),
  } as Event)
}
