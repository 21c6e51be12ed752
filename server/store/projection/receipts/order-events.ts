import type { OrderExits } from '@candor/core/protocol/command/perp.ts'
import type { Side, Trigger } from '@candor/core/protocol/command/spot.ts'
import type { Traded } from '@candor/core/protocol/event/index.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { AlgoEvent } from '@candor/core/protocol/event/algo.ts'
import { own, type Tellings } from './told.ts'
import { given, ifSo, orderOf, type Words } from './words.ts'

type OrderEvent = Extract<Event, { readonly type: `order.${string}` | 'entry' | 'traded' | 'match.prevented' }>

const nobody = 0 as UserId

/** Orders of all products, their fills, and the money that they move. */
export const orderTellings: Tellings<OrderEvent> = {
  entry: [
    {
      to: ({ account }) => ('user' in account ? account.user : nobody),
      facts: ({ account, available, delta, held, heldDelta, reason }, words) => {
        const { account: kind, market } = words.account(account)
        return {
          account: kind,
          asset: words.asset(account.asset),
          available: words.sum(available, account.asset),
          change: words.sum(delta, account.asset),
          held: words.sum(held, account.asset),
          heldChange: words.sum(heldDelta, account.asset),
          market,
          reason,
        }
      },
    },
  ],
  'order.accepted': own((event, words) => {
    const { list, margin, market, order, perp, price, strategy } = event
    return {
      account: margin?.account,
      borrow: margin?.borrow,
      clientId: given(event.clientId),
      display: words.someQuantity(event.display, market),
      exits: perp?.exits === undefined ? undefined : exitsOf(perp.exits, market, words),
      goodTill: perp?.goodTill,
      isClosing: ifSo(perp?.isClosing),
      isLiquidation: ifSo(perp?.isLiquidation),
      isPostOnly: ifSo(event.isPostOnly),
      isReduceOnly: ifSo(perp?.isReduceOnly),
      list: orderOf(list),
      market: words.market(market),
      order,
      orderType: event.orderType,
      position: perp?.position,
      price: words.price(price, market),
      priceMatch: perp?.priceMatch,
      quantity: words.someQuantity(event.lots, market),
      repaysAtEnd: margin?.repaysAtEnd,
      selfTrade: event.selfTrade,
      side: event.side,
      spend: event.spend === 0 ? undefined : words.quoteSum(event.spend, market),
      strategy: strategy === undefined ? undefined : { id: strategy.id, type: strategy.type },
      timeInForce: event.timeInForce,
      trigger: event.trigger === undefined ? undefined : triggerOf(event.trigger, market, words),
      triggerBy: event.trigger === undefined ? undefined : perp?.triggerBy,
    }
  }),
  'order.triggered': own(({ market, order }, words) => ({ market: words.market(market), order })),
  'order.entered': own(({ market, order }, words) => ({ market: words.market(market), order })),
  'order.amended': own(({ keepsPriority, lots, market, order, price, triggerPrice }, words) => ({
    keepsPriority,
    market: words.market(market),
    order,
    price: words.price(price, market),
    quantity: words.quantity(lots, market),
    triggerPrice: words.price(triggerPrice, market),
  })),
  // Both orders are the user's own.
  'order.prevented': own(({ lots, makerOrder, market, price, takerOrder }, words) => ({
    makerOrder,
    market: words.market(market),
    price: words.price(price, market),
    quantity: words.quantity(lots, market),
    takerOrder,
  })),
  'match.prevented': own(({ makerLots, makerOrder, market, match, mode, price, takerLots, takerOrder }, words) => ({
    makerOrder,
    makerQuantity: words.quantity(makerLots, market),
    market: words.market(market),
    match,
    mode,
    price: words.price(price, market),
    takerOrder,
    takerQuantity: words.quantity(takerLots, market),
  })),
  traded: [
    { to: ({ makerUser }) => makerUser, facts: (event, words) => fillOf(event, true, words) },
    { to: ({ takerUser }) => takerUser, facts: (event, words) => fillOf(event, false, words) },
  ],
  'order.closed': own(({ executedLots, executedQuote, market, order, reason }, words) => ({
    executed: words.quantity(executedLots, market),
    executedValue: words.quoteSum(executedQuote, market),
    market: words.market(market),
    order,
    reason,
  })),
}

export const algoTellings: Tellings<AlgoEvent> = {
  'algo.placed': own((event, words) => {
    const { algo, clientId, everyMs, from, isReduceOnly, kind, lots, market, parts, position, shape, side, to } = event
    return {
      algo,
      clientId: given(clientId),
      everyMs: kind === 'twap' ? everyMs : undefined,
      from: words.price(from, market),
      isReduceOnly: ifSo(isReduceOnly),
      kind,
      market: words.market(market),
      parts,
      position,
      quantity: words.quantity(lots, market),
      shape: kind === 'scaled' ? shape : undefined,
      side,
      to: words.price(to, market),
    }
  }),
  'algo.part': own(({ algo, market, nextAtMs, order, partsLeft }, words) => ({
    ...{ algo, market: words.market(market), nextAtMs: nextAtMs || undefined, order, partsLeft },
  })),
  'algo.missed': own(({ algo, market, nextAtMs, partsLeft, refusal }, words) => ({
    ...{ algo, market: words.market(market), nextAtMs: nextAtMs || undefined, partsLeft, refusal },
  })),
  'algo.ended': own(({ algo, executedLots, executedQuote, market, reason }, words) => ({
    algo,
    executed: words.quantity(executedLots, market),
    executedValue: words.quoteSum(executedQuote, market),
    market: words.market(market),
    reason,
  })),
}

/** One side of a trade. Nothing tells who or what was on the other. */
function fillOf(event: Traded, isMaker: boolean, words: Words): object {
  const { lots, market, price, quote, takerSide, trade } = event
  const side: Side = isMaker ? (takerSide === 'buy' ? 'sell' : 'buy') : takerSide
  const { asset, fee } = words.received(side, market)
  return {
    fee: fee(isMaker ? event.makerFee : event.takerFee),
    feeAsset: asset,
    isMaker,
    market: words.market(market),
    order: isMaker ? event.makerOrder : event.takerOrder,
    price: words.price(price, market),
    quantity: words.quantity(lots, market),
    side,
    trade,
    value: words.quoteSum(quote, market),
  }
}

export function triggerOf(trigger: Trigger, market: MarketId, words: Words): object {
  const { direction, kind } = trigger
  if (trigger.kind === 'stop') return { direction, kind, price: words.price(trigger.price, market) }
  return { activation: words.price(trigger.activation, market), direction, kind, trail: words.share(trigger.trailPpm) }
}

export function exitsOf({ stopLoss, takeProfit }: OrderExits, market: MarketId, words: Words): object {
  const shown = (exit: OrderExits['stopLoss']): object | undefined =>
    exit === undefined ? undefined : { by: exit.by, price: words.price(exit.price, market) }
  return { stopLoss: shown(stopLoss), takeProfit: shown(takeProfit) }
}
