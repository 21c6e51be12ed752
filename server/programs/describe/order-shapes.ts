import { z } from 'zod'
import { decimal, flag, id, list, millis, named, object, said, text, words } from './describe.ts'

export const side = words('BUY', 'SELL')
export const orderType = named(
  'OrderType',
  words('LIMIT', 'MARKET', 'LIMIT_MAKER', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'),
)
export const orderStatus = named(
  'OrderStatus',
  words('PENDING_NEW', 'NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'EXPIRED', 'EXPIRED_IN_MATCH'),
)
const selfTrade = words('NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT')
const timeInForce = words('GTC', 'IOC', 'FOK')
const isIsolated = said(flag, 'Only for orders of Margin accounts.')
const workingTime = said(z.int(), 'Time at which it became active; −1 while a stop or an order of a list waits.')
const listNumber = said(z.int(), 'Number of its list; −1 for none.')

const name = { symbol: text, orderId: id, orderListId: listNumber, clientOrderId: text }
const amounts = {
  price: decimal,
  origQty: decimal,
  executedQty: decimal,
  origQuoteOrderQty: decimal,
  cummulativeQuoteQty: decimal,
}
const terms = { status: orderStatus, timeInForce, type: orderType, side }
const preventedQuantity = said(decimal, 'The part that self-trade prevention removed.')
const strategy = { strategyId: z.int().optional(), strategyType: z.int().optional() }
const used = {
  trailingDelta: z.int().optional(),
  preventedMatchId: said(id, 'The last match in which self-trade prevention took something from it.').optional(),
  preventedQuantity: preventedQuantity.optional(),
  ...strategy,
  isIsolated: isIsolated.optional(),
}
const full = { ...name, ...amounts, ...terms, workingTime, selfTradePreventionMode: selfTrade, ...used }
const stops = { stopPrice: decimal.optional(), icebergQty: decimal.optional() }

export const order = named(
  'Order',
  object({ ...full, stopPrice: decimal, icebergQty: decimal, time: millis, updateTime: millis, isWorking: flag }),
)
const fill = named('Fill', object({ price: decimal, qty: decimal, commission: decimal, commissionAsset: text, tradeId: id }))
const lost = {
  takerPreventedQuantity: said(decimal, 'What the taking order lost; absent if nothing.').optional(),
  makerPreventedQuantity: said(decimal, 'What the resting order lost; absent if nothing.').optional(),
}
const ofMaker = { preventedMatchId: id, makerSymbol: text, makerOrderId: id, price: decimal }
const preventedPart = named('PreventedMatchOfOrder', object({ ...ofMaker, ...lost }))
export const preventedMatch = named(
  'PreventedMatch',
  object({
    ...{ symbol: text, ...ofMaker, takerOrderId: id },
    tradeGroupId: said(z.literal(-1), 'Accounts are in no group: only orders of the same account meet.'),
    selfTradePreventionMode: said(selfTrade, 'The mode of the taking order.'),
    ...lost,
    transactTime: millis,
    isIsolated: isIsolated.optional(),
  }),
  'Two orders of the account that met and did not trade.',
)
export const placedOrder = named(
  'PlacedOrder',
  object({
    ...name,
    transactTime: millis,
    price: decimal.optional(),
    origQty: decimal.optional(),
    executedQty: decimal.optional(),
    origQuoteOrderQty: decimal.optional(),
    cummulativeQuoteQty: decimal.optional(),
    status: orderStatus.optional(),
    timeInForce: timeInForce.optional(),
    type: orderType.optional(),
    side: side.optional(),
    workingTime: workingTime.optional(),
    selfTradePreventionMode: selfTrade.optional(),
    ...stops,
    ...used,
    fills: list(fill).optional(),
    preventedMatches: list(preventedPart).optional(),
    marginBuyBorrowAmount: decimal.optional(),
    marginBuyBorrowAsset: text.optional(),
  }),
  'ACK: only its ids; RESULT: its state; FULL: its state and the trades that it made at once.',
)
export const cancelledOrder = named(
  'CancelledOrder',
  object({ ...full, transactTime: millis, origClientOrderId: text, ...stops }),
  '`clientOrderId` is that of the cancel.',
)
const doneOrder = named('DoneOrder', object({ ...full, transactTime: millis, ...stops, origClientOrderId: text.optional() }))
const listShape = {
  orderListId: id,
  contingencyType: words('OCO', 'OTO'),
  listStatusType: words('EXEC_STARTED', 'ALL_DONE'),
  listOrderStatus: words('EXECUTING', 'ALL_DONE'),
  listClientOrderId: text,
  transactionTime: millis,
  symbol: text,
  isIsolated: isIsolated.optional(),
  orders: list(named('OrderOfList', object({ symbol: text, orderId: id, clientOrderId: text }))),
}
export const orderList = named('OrderList', object(listShape))
const shortOrder = object({ symbol: text, orderId: id, orderListId: id, clientOrderId: text, transactTime: millis })
export const reportedList = named(
  'ReportedList',
  object({ ...listShape, orderReports: list(z.union([doneOrder, shortOrder])) }),
  'With the state of its orders; with ACK only their ids.',
)
export const cancelledAll = list(z.union([cancelledOrder, reportedList]))

const refusal = named('OrderRefusal', object({ code: z.int(), msg: text }))
const result = words('SUCCESS', 'FAILURE', 'NOT_ATTEMPTED')
export const replaced = named(
  'ReplacedOrder',
  object({
    cancelResult: result,
    newOrderResult: result,
    cancelResponse: z.union([cancelledOrder, refusal]),
    newOrderResponse: z.union([placedOrder, refusal, z.null()]),
  }),
)
export const amended = named(
  'AmendedOrder',
  object({
    transactTime: millis,
    executionId: id,
    amendedOrder: object({
      ...name,
      price: decimal,
      executedQty: decimal,
      ...terms,
      origClientOrderId: text,
      qty: decimal,
      preventedQty: decimal,
      quoteOrderQty: decimal,
      cumulativeQuoteQty: decimal,
      workingTime,
      selfTradePreventionMode: selfTrade,
    }),
  }),
)
export const commission = named(
  'Commission',
  object({ maker: decimal, taker: decimal, buyer: decimal, seller: decimal }),
  'Fractions of the received amount.',
)
export const ownTrade = named(
  'OwnTrade',
  object({
    symbol: text,
    id,
    orderId: id,
    orderListId: listNumber,
    price: decimal,
    qty: decimal,
    quoteQty: decimal,
    commission: decimal,
    commissionAsset: text,
    time: millis,
    isBuyer: flag,
    isMaker: flag,
    isBestMatch: flag,
    isIsolated: isIsolated.optional(),
  }),
)
