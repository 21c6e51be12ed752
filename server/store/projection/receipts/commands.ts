import type { Command } from '@candor/core/protocol/command/index.ts'
import type { ListedOrder } from '@candor/core/protocol/command/order-list.ts'
import type { OrderRef } from '@candor/core/protocol/command/order.ts'
import type { MarginOrder } from '@candor/core/protocol/event/index.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import { exitsOf, triggerOf } from './order-events.ts'
import { given, ifSo, orderOf, type Words } from './words.ts'

type Facts<C> = (command: C, words: Words) => object

/**
 * How each command is shown to the customer in whose name it came, with the names in rising order. `house`: other commands, of the
 * exchange and its staff. A new command does not compile until it is decided.
 */
export const commandFacts: { readonly [T in Command['type']]: Facts<Extract<Command, { readonly type: T }>> | 'house' } = {
  ...notOfCustomers(),
  'user.rest': ({ until }) => ({ until }),
  'funds.faucet': ({ amount, asset, clientId }, words) => ({
    ...{ amount: words.sum(amount, asset), asset: words.asset(asset), clientId: given(clientId) },
  }),
  'funds.transfer': ({ amount, asset, clientId, from, market, to }, words) => ({
    ...{ amount: words.sum(amount, asset), asset: words.asset(asset), clientId: given(clientId), from },
    ...{ market: market === undefined ? undefined : words.market(market), to },
  }),
  'chain.repay': ({ asset }, words) => ({ asset: words.asset(asset) }),
  'withdraw.request': ({ amount, asset, clientId, destination, fee, network }, words) => ({
    ...{ amount: words.sum(amount, asset), asset: words.asset(asset), clientId: given(clientId), destination },
    ...{ fee: words.sum(fee, asset), network },
  }),
  'withdraw.cancel': ({ withdrawal }) => ({ withdrawal }),
  'convert.quote': ({ amount, clientId, from, isGet, to }, words) => ({
    ...{ amount: words.sum(amount, isGet ? to : from), clientId: given(clientId), from: words.asset(from), isGet, to: words.asset(to) },
  }),
  'convert.accept': ({ quote }) => ({ quote }),
  'presale.subscribe': ({ amount, clientId, presale }, words) => ({ amount: words.usdt(amount), clientId: given(clientId), presale }),
  // The account that gets it has a receipt of its own.
  'firm.move': ({ amount, asset, clientId }, words) => ({
    ...{ amount: words.sum(amount, asset), asset: words.asset(asset), clientId: given(clientId) },
  }),
  'algo.place': ({ clientId, isReduceOnly, lots, market, parts, plan, position, side }, words) => ({
    ...{ clientId: given(clientId), isReduceOnly: ifSo(isReduceOnly), market: words.market(market), parts },
    plan:
      plan.kind === 'twap'
        ? { durationMs: plan.durationMs, kind: plan.kind, worst: words.price(plan.worst, market) }
        : { from: words.price(plan.from, market), kind: plan.kind, shape: plan.shape, to: words.price(plan.to, market) },
    ...{ position, quantity: words.quantity(lots, market), side },
  }),
  'algo.cancel': ({ algo, clientId }) => ({ algo, clientId: given(clientId) }),
  'spot.place': (command, words) => {
    const { market, spend, strategy } = command
    return {
      account: command.margin?.account,
      borrow: command.margin?.borrow,
      clientId: given(command.clientId),
      display: words.someQuantity(command.display, market),
      expires: command.expires,
      isPostOnly: ifSo(command.isPostOnly),
      market: words.market(market),
      orderType: command.orderType,
      price: words.price(command.price, market),
      quantity: words.someQuantity(command.lots, market),
      repaysAtEnd: command.margin?.repaysAtEnd,
      selfTrade: command.selfTrade,
      side: command.side,
      spend: spend === undefined ? undefined : words.quoteSum(spend, market),
      strategy: strategy === undefined ? undefined : { id: strategy.id, type: strategy.type },
      timeInForce: command.timeInForce,
      trigger: command.trigger === undefined ? undefined : triggerOf(command.trigger, market, words),
    }
  },
  'spot.placeOco': (command, words) => {
    const { lots, market, side } = command
    return {
      ...accountOf(command.margin),
      clientId: given(command.clientId),
      limitClientId: command.limitClientId,
      limitPrice: words.price(command.limitPrice, market),
      limitTimeInForce: command.limitTimeInForce,
      limitTrigger: words.price(command.limitTrigger, market),
      market: words.market(market),
      quantity: words.quantity(lots, market),
      repaysAtEnd: command.margin?.repaysAtEnd,
      selfTrade: command.selfTrade,
      side,
      stopClientId: command.stopClientId,
      stopLimit: words.price(command.stopLimit, market),
      stopPrice: words.price(command.stopPrice, market),
      stopTimeInForce: command.stopTimeInForce,
    }
  },
  'spot.placeList': ({ clientId, legs, market, selfTrade, working }, words) => ({
    clientId: given(clientId),
    legs: legs.map((leg) => listedOf(leg, market, words)),
    market: words.market(market),
    selfTrade,
    working: working === undefined ? undefined : listedOf(working, market, words),
  }),
  'spot.amend': (command, words) => ({
    ...named(command),
    keepsPriority: command.keepsPriority,
    market: words.market(command.market),
    ...ordered(command),
    price: words.price(command.price, command.market),
    quantity: words.someQuantity(command.lots, command.market),
    triggerPrice: words.price(command.triggerPrice, command.market),
  }),
  'spot.cancel': (command, words) => ({
    ...{ ...named(command), market: words.market(command.market), only: command.only, ...ordered(command) },
  }),
  'spot.cancelAll': ({ clientId, endsTwaps, market, only }, words) => ({
    ...{ clientId: given(clientId), endsTwaps: ifSo(endsTwaps), market: words.market(market), only },
  }),
  'perp.place': (command, words) => {
    const { market } = command
    return {
      clientId: given(command.clientId),
      exits: command.exits === undefined ? undefined : exitsOf(command.exits, market, words),
      goodTill: command.goodTill,
      isClosing: ifSo(command.isClosing),
      isPostOnly: ifSo(command.isPostOnly),
      isReduceOnly: ifSo(command.isReduceOnly),
      market: words.market(market),
      orderType: command.orderType,
      position: command.position,
      price: words.price(command.price, market),
      priceMatch: command.priceMatch,
      quantity: words.someQuantity(command.lots, market),
      selfTrade: command.selfTrade,
      side: command.side,
      timeInForce: command.timeInForce,
      trigger: command.trigger === undefined ? undefined : triggerOf(command.trigger, market, words),
      triggerBy: command.trigger === undefined ? undefined : command.triggerBy,
    }
  },
  'perp.amend': (command, words) => ({
    ...named(command),
    market: words.market(command.market),
    ...ordered(command),
    price: words.price(command.price, command.market),
    priceMatch: command.priceMatch,
    quantity: words.someQuantity(command.lots, command.market),
    triggerPrice: words.price(command.triggerPrice, command.market),
  }),
  'perp.cancel': (command, words) => ({ ...named(command), market: words.market(command.market), ...ordered(command) }),
  'perp.reverse': ({ clientId, market }, words) => ({ clientId: given(clientId), market: words.market(market) }),
  'perp.setLeverage': ({ leverage, market }, words) => ({ leverage, market: words.market(market) }),
  'perp.setMarginMode': ({ market, mode }, words) => ({ market: words.market(market), mode }),
  'perp.setHedgeMode': ({ isHedge }) => ({ isHedge }),
  'perp.adjustMargin': ({ amount, clientId, market, position }, words) => ({
    ...{ amount: words.quoteSum(amount, market), clientId: given(clientId), market: words.market(market), position },
  }),
  'perp.countdown': ({ duration, market }, words) => ({ durationMs: duration, market: words.market(market) }),
  'margin.borrow': debt,
  'margin.repay': debt,
  'lend.supply': lent,
  'lend.withdraw': lent,
  'lend.cancelWithdraw': ({ asset, clientId }, words) => ({ asset: words.asset(asset), clientId: given(clientId) }),
  'option.open': ({ clientId, direction, guardPpm, market, seconds, stake }, words) => ({
    ...{ clientId: given(clientId), direction, guard: guardPpm === 0 ? undefined : words.share(guardPpm), market: words.market(market) },
    ...{ seconds, stake: words.quoteSum(stake, market) },
  }),
  'option.admit': () => ({}),
  'option.setLimits': ({ coolOffUntil, lossMax }, words) => ({ coolOffUntil, lossMax: words.usdt(lossMax) }),
}

type Debt = Extract<Command, { readonly type: 'margin.borrow' | 'margin.repay' }>
type Lent = Extract<Command, { readonly type: 'lend.supply' | 'lend.withdraw' }>
type AboutOrder = OrderRef & { readonly clientId: string }

function debt({ amount, asset, clientId, market }: Debt, words: Words): object {
  return { amount: words.sum(amount, asset), asset: words.asset(asset), clientId: given(clientId), market: words.market(market) }
}

function lent({ amount, asset, clientId }: Lent, words: Words): object {
  return { amount: words.sum(amount, asset), asset: words.asset(asset), clientId: given(clientId) }
}

function accountOf(margin: MarginOrder | undefined): object {
  return { account: margin?.account, borrow: margin?.borrow }
}

function named({ clientId }: AboutOrder): object {
  return { clientId: given(clientId) }
}

/** The order that a command names, by its number or its client id. */
function ordered({ order, orderClientId }: AboutOrder): object {
  return { order: orderOf(order), orderClientId: given(orderClientId) }
}

function listedOf(order: ListedOrder, market: MarketId, words: Words): object {
  return {
    clientId: given(order.clientId),
    display: words.someQuantity(order.display, market),
    isPostOnly: ifSo(order.isPostOnly),
    orderType: order.orderType,
    price: words.price(order.price, market),
    quantity: words.quantity(order.lots, market),
    side: order.side,
    timeInForce: order.timeInForce,
    trigger: order.trigger === undefined ? undefined : triggerOf(order.trigger, market, words),
  }
}

/** Commands of the exchange, its staff and its programs; some name a user, but not as the one who sends them. */
function notOfCustomers() {
  return {
    ...({ 'user.open': 'house', 'user.set': 'house', 'user.certify': 'house', 'user.house': 'house', 'user.staff': 'house' } as const),
    ...({ 'user.locate': 'house', 'region.operate': 'house', 'exchange.operate': 'house', 'mode.set': 'house' } as const),
    ...({ 'asset.list': 'house', 'market.list': 'house', 'market.set': 'house', 'fees.set': 'house' } as const),
    ...({ 'index.tick': 'house', 'clock.tick': 'house', 'funds.system': 'house', 'funds.post': 'house' } as const),
    ...({ 'chain.credit': 'house', 'chain.final': 'house', 'chain.orphan': 'house', 'withdraw.setTerms': 'house' } as const),
    ...({ 'withdraw.decide': 'house', 'withdraw.finish': 'house', 'convert.setTerms': 'house', 'convert.hedge': 'house' } as const),
    ...({ 'referral.setTerms': 'house', 'referral.sever': 'house', 'presale.set': 'house', 'presale.cancel': 'house' } as const),
    ...({ 'firm.join': 'house', 'firm.setTerms': 'house', 'perp.list': 'house', 'perp.set': 'house' } as const),
    ...({ 'margin.setTerms': 'house', 'option.setTerms': 'house', 'option.operate': 'house' } as const),
  }
}
