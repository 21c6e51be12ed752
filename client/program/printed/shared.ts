// Printed from the routes of the exchange: node tools/tidy/print.ts

import type { Decimal, Millis } from '../call.ts'

/** `clientOrderId` is that of the cancel. */
export type CancelledOrder = {
  readonly symbol: string
  readonly orderId: number
  /** Number of its list; −1 for none. */
  readonly orderListId: number
  readonly clientOrderId: string
  readonly price: Decimal
  readonly origQty: Decimal
  readonly executedQty: Decimal
  readonly origQuoteOrderQty: Decimal
  readonly cummulativeQuoteQty: Decimal
  readonly status: OrderStatus
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK'
  readonly type: OrderType
  readonly side: 'BUY' | 'SELL'
  /** Time at which it became active; −1 while a stop or an order of a list waits. */
  readonly workingTime: number
  readonly selfTradePreventionMode: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT'
  readonly trailingDelta?: number
  /** The last match in which self-trade prevention took something from it. */
  readonly preventedMatchId?: number
  readonly preventedQuantity?: Decimal
  readonly strategyId?: number
  readonly strategyType?: number
  /** Only for orders of Margin accounts. */
  readonly isIsolated?: boolean
  readonly transactTime: Millis
  readonly origClientOrderId: string
  readonly stopPrice?: Decimal
  readonly icebergQty?: Decimal
}

/** Fractions of the received amount. */
export type Commission = {
  readonly maker: Decimal
  readonly taker: Decimal
  readonly buyer: Decimal
  readonly seller: Decimal
}

export type ContractOrder = {
  readonly orderId: number
  readonly symbol: string
  readonly status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'
  readonly clientOrderId: string
  readonly price: Decimal
  readonly avgPrice: Decimal
  readonly origQty: Decimal
  readonly executedQty: Decimal
  readonly cumQty: Decimal
  readonly cumQuote: Decimal
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD'
  readonly type: ContractOrderType
  readonly reduceOnly: boolean
  readonly closePosition: boolean
  readonly side: 'BUY' | 'SELL'
  readonly positionSide: 'BOTH' | 'LONG' | 'SHORT'
  readonly stopPrice: Decimal
  readonly workingType: 'CONTRACT_PRICE' | 'MARK_PRICE'
  readonly priceMatch: 'NONE' | 'OPPONENT' | 'OPPONENT_5' | 'OPPONENT_10' | 'OPPONENT_20' | 'QUEUE' | 'QUEUE_5' | 'QUEUE_10' | 'QUEUE_20'
  readonly priceProtect: false
  readonly origType: ContractOrderType
  readonly selfTradePreventionMode: string
  readonly goodTillDate: Millis
  readonly time: Millis
  readonly updateTime: Millis
  readonly activatePrice?: Decimal
  readonly priceRate?: Decimal
}

export type ContractOrderType = 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET'

export type Done = {
  readonly code: 200
  readonly msg: string
}

export type DoneOrder = {
  readonly symbol: string
  readonly orderId: number
  /** Number of its list; −1 for none. */
  readonly orderListId: number
  readonly clientOrderId: string
  readonly price: Decimal
  readonly origQty: Decimal
  readonly executedQty: Decimal
  readonly origQuoteOrderQty: Decimal
  readonly cummulativeQuoteQty: Decimal
  readonly status: OrderStatus
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK'
  readonly type: OrderType
  readonly side: 'BUY' | 'SELL'
  /** Time at which it became active; −1 while a stop or an order of a list waits. */
  readonly workingTime: number
  readonly selfTradePreventionMode: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT'
  readonly trailingDelta?: number
  /** The last match in which self-trade prevention took something from it. */
  readonly preventedMatchId?: number
  readonly preventedQuantity?: Decimal
  readonly strategyId?: number
  readonly strategyType?: number
  /** Only for orders of Margin accounts. */
  readonly isIsolated?: boolean
  readonly transactTime: Millis
  readonly stopPrice?: Decimal
  readonly icebergQty?: Decimal
  readonly origClientOrderId?: string
}

export type Fill = {
  readonly price: Decimal
  readonly qty: Decimal
  readonly commission: Decimal
  readonly commissionAsset: string
  readonly tradeId: number
}

/** Open time, open, high, low, close, volume, close time, quote volume, trades, volume that takers bought, the same in quote, "0". */
export type Kline = readonly [Millis, Decimal, Decimal, Decimal, Decimal, Decimal, Millis, Decimal, number, Decimal, Decimal, Decimal]

/** An object without fields. */
export type Nothing = Readonly<Record<string, never>>

export type Order = {
  readonly symbol: string
  readonly orderId: number
  /** Number of its list; −1 for none. */
  readonly orderListId: number
  readonly clientOrderId: string
  readonly price: Decimal
  readonly origQty: Decimal
  readonly executedQty: Decimal
  readonly origQuoteOrderQty: Decimal
  readonly cummulativeQuoteQty: Decimal
  readonly status: OrderStatus
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK'
  readonly type: OrderType
  readonly side: 'BUY' | 'SELL'
  /** Time at which it became active; −1 while a stop or an order of a list waits. */
  readonly workingTime: number
  readonly selfTradePreventionMode: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT'
  readonly trailingDelta?: number
  /** The last match in which self-trade prevention took something from it. */
  readonly preventedMatchId?: number
  readonly preventedQuantity?: Decimal
  readonly strategyId?: number
  readonly strategyType?: number
  /** Only for orders of Margin accounts. */
  readonly isIsolated?: boolean
  readonly stopPrice: Decimal
  readonly icebergQty: Decimal
  readonly time: Millis
  readonly updateTime: Millis
  readonly isWorking: boolean
}

export type OrderCount = {
  readonly rateLimitType: 'ORDERS'
  readonly interval: 'SECOND' | 'DAY'
  readonly intervalNum: number
  readonly limit: number
  readonly count: number
}

export type OrderList = {
  readonly orderListId: number
  readonly contingencyType: 'OCO' | 'OTO'
  readonly listStatusType: 'EXEC_STARTED' | 'ALL_DONE'
  readonly listOrderStatus: 'EXECUTING' | 'ALL_DONE'
  readonly listClientOrderId: string
  readonly transactionTime: Millis
  readonly symbol: string
  /** Only for orders of Margin accounts. */
  readonly isIsolated?: boolean
  readonly orders: readonly OrderOfList[]
}

export type OrderOfList = {
  readonly symbol: string
  readonly orderId: number
  readonly clientOrderId: string
}

export type OrderStatus = 'PENDING_NEW' | 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED' | 'EXPIRED_IN_MATCH'

export type OrderType = 'LIMIT' | 'MARKET' | 'LIMIT_MAKER' | 'STOP_LOSS' | 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT'

export type OwnTrade = {
  readonly symbol: string
  readonly id: number
  readonly orderId: number
  /** Number of its list; −1 for none. */
  readonly orderListId: number
  readonly price: Decimal
  readonly qty: Decimal
  readonly quoteQty: Decimal
  readonly commission: Decimal
  readonly commissionAsset: string
  readonly time: Millis
  readonly isBuyer: boolean
  readonly isMaker: boolean
  readonly isBestMatch: boolean
  /** Only for orders of Margin accounts. */
  readonly isIsolated?: boolean
}

/** ACK: only its ids; RESULT: its state; FULL: its state and the trades that it made at once. */
export type PlacedOrder = {
  readonly symbol: string
  readonly orderId: number
  /** Number of its list; −1 for none. */
  readonly orderListId: number
  readonly clientOrderId: string
  readonly transactTime: Millis
  readonly price?: Decimal
  readonly origQty?: Decimal
  readonly executedQty?: Decimal
  readonly origQuoteOrderQty?: Decimal
  readonly cummulativeQuoteQty?: Decimal
  readonly status?: OrderStatus
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK'
  readonly type?: OrderType
  readonly side?: 'BUY' | 'SELL'
  /** Time at which it became active; −1 while a stop or an order of a list waits. */
  readonly workingTime?: number
  readonly selfTradePreventionMode?: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT'
  readonly stopPrice?: Decimal
  readonly icebergQty?: Decimal
  readonly trailingDelta?: number
  /** The last match in which self-trade prevention took something from it. */
  readonly preventedMatchId?: number
  readonly preventedQuantity?: Decimal
  readonly strategyId?: number
  readonly strategyType?: number
  /** Only for orders of Margin accounts. */
  readonly isIsolated?: boolean
  readonly fills?: readonly Fill[]
  readonly preventedMatches?: readonly PreventedMatchOfOrder[]
  readonly marginBuyBorrowAmount?: Decimal
  readonly marginBuyBorrowAsset?: string
}

/** Two orders of the account that met and did not trade. */
export type PreventedMatch = {
  readonly symbol: string
  readonly preventedMatchId: number
  readonly makerSymbol: string
  readonly makerOrderId: number
  readonly price: Decimal
  readonly takerOrderId: number
  /** Accounts are in no group: only orders of the same account meet. */
  readonly tradeGroupId: -1
  /** The mode of the taking order. */
  readonly selfTradePreventionMode: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT'
  readonly takerPreventedQuantity?: Decimal
  readonly makerPreventedQuantity?: Decimal
  readonly transactTime: Millis
  /** Only for orders of Margin accounts. */
  readonly isIsolated?: boolean
}

export type PreventedMatchOfOrder = {
  readonly preventedMatchId: number
  readonly makerSymbol: string
  readonly makerOrderId: number
  readonly price: Decimal
  readonly takerPreventedQuantity?: Decimal
  readonly makerPreventedQuantity?: Decimal
}

/** Price and quantity. */
export type PriceLevel = readonly [Decimal, Decimal]

export type RateLimit = {
  readonly rateLimitType: 'REQUEST_WEIGHT' | 'ORDERS' | 'RAW_REQUESTS'
  readonly interval: 'SECOND' | 'MINUTE' | 'DAY'
  readonly intervalNum: number
  readonly limit: number
}

/** With the state of its orders; with ACK only their ids. */
export type ReportedList = {
  readonly orderListId: number
  readonly contingencyType: 'OCO' | 'OTO'
  readonly listStatusType: 'EXEC_STARTED' | 'ALL_DONE'
  readonly listOrderStatus: 'EXECUTING' | 'ALL_DONE'
  readonly listClientOrderId: string
  readonly transactionTime: Millis
  readonly symbol: string
  /** Only for orders of Margin accounts. */
  readonly isIsolated?: boolean
  readonly orders: readonly OrderOfList[]
  readonly orderReports: readonly (
    | DoneOrder
    | {
        readonly symbol: string
        readonly orderId: number
        readonly orderListId: number
        readonly clientOrderId: string
        readonly transactTime: Millis
      }
  )[]
}

export type ServerTime = {
  readonly serverTime: Millis
}
