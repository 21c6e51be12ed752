// Printed from the routes of the exchange: node tools/tidy/print.ts

import type { Call, CallOptions, Decimal, Millis } from '../call.ts'
import type { CancelledOrder, Order, OrderCount, OrderList, OwnTrade, PlacedOrder, PreventedMatch, ReportedList } from './shared.ts'

export type CrossAccount = {
  readonly created: boolean
  readonly borrowEnabled: boolean
  readonly marginLevel: Decimal
  readonly collateralMarginLevel: Decimal
  readonly totalAssetOfBtc: Decimal
  readonly totalLiabilityOfBtc: Decimal
  readonly totalNetAssetOfBtc: Decimal
  readonly TotalCollateralValueInUSDT: Decimal
  readonly tradeEnabled: boolean
  readonly transferEnabled: boolean
  readonly transferInEnabled: boolean
  readonly transferOutEnabled: boolean
  readonly accountType: 'MARGIN_1'
  readonly userAssets: readonly MarginBalance[]
}

export type CrossPair = {
  readonly id: number
  readonly symbol: string
  readonly base: string
  readonly quote: string
  readonly isMarginTrade: boolean
  readonly isBuyAllowed: boolean
  readonly isSellAllowed: boolean
}

export type CrossTerms = {
  readonly vipLevel: number
  readonly coin: string
  readonly transferIn: boolean
  readonly borrowable: boolean
  readonly dailyInterest: Decimal
  readonly yearlyInterest: Decimal
  readonly borrowLimit: Decimal
  readonly marginablePairs: readonly string[]
}

export type DailyRate = {
  readonly asset: string
  readonly dailyInterestRate: Decimal
  readonly timestamp: Millis
  readonly vipLevel: number
}

export type HourlyRate = {
  readonly asset: string
  readonly nextHourlyInterestRate: Decimal
}

export type InterestPage = {
  readonly total: number
  readonly rows: readonly {
    readonly isolatedSymbol?: string
    readonly txId: number
    readonly interestAccuredTime: Millis
    readonly asset: string
    readonly rawAsset: string
    readonly principal: Decimal
    readonly interest: Decimal
    readonly interestRate: Decimal
    readonly type: 'ON_BORROW' | 'PERIODIC'
  }[]
}

export type IsolatedAccount = {
  readonly baseAsset: IsolatedBalance
  readonly quoteAsset: IsolatedBalance
  readonly symbol: string
  readonly isolatedCreated: boolean
  readonly enabled: boolean
  readonly marginLevel: Decimal
  readonly marginLevelStatus: 'EXCESSIVE' | 'NORMAL' | 'MARGIN_CALL' | 'FORCE_LIQUIDATION'
  readonly marginRatio: Decimal
  readonly indexPrice: Decimal
  readonly liquidatePrice: Decimal
  readonly liquidateRate: Decimal
  readonly tradeEnabled: boolean
}

/** Totals are included only if no names were sent. */
export type IsolatedAccounts = {
  readonly assets: readonly IsolatedAccount[]
  readonly totalAssetOfBtc?: Decimal
  readonly totalLiabilityOfBtc?: Decimal
  readonly totalNetAssetOfBtc?: Decimal
}

export type IsolatedBalance = {
  readonly asset: string
  readonly borrowed: Decimal
  readonly free: Decimal
  readonly interest: Decimal
  readonly locked: Decimal
  readonly netAsset: Decimal
  readonly borrowEnabled: boolean
  readonly repayEnabled: boolean
  readonly netAssetOfBtc: Decimal
  readonly totalAsset: Decimal
}

export type IsolatedLimit = {
  readonly enabledAccount: number
  readonly maxAccount: number
}

export type IsolatedPair = {
  readonly symbol: string
  readonly base: string
  readonly quote: string
  readonly isMarginTrade: boolean
  readonly isBuyAllowed: boolean
  readonly isSellAllowed: boolean
}

export type IsolatedTerms = {
  readonly vipLevel: number
  readonly symbol: string
  readonly leverage: Decimal
  readonly data: readonly {
    readonly coin: string
    readonly dailyInterest: Decimal
    readonly borrowLimit: Decimal
  }[]
}

export type IsolatedTier = {
  readonly symbol: string
  readonly tier: number
  readonly effectiveMultiple: Decimal
  readonly initialRiskRatio: Decimal
  readonly liquidationRiskRatio: Decimal
  readonly baseAssetMaxBorrowable: Decimal
  readonly quoteAssetMaxBorrowable: Decimal
}

export type LiquidationPage = {
  readonly total: number
  readonly rows: readonly {
    readonly avgPrice: Decimal
    readonly executedQty: Decimal
    readonly orderId: number
    readonly price: Decimal
    readonly qty: Decimal
    readonly side: 'BUY' | 'SELL'
    readonly symbol: string
    readonly timeInForce: string
    readonly isIsolated: boolean
    readonly updatedTime: Millis
  }[]
}

export type LoanPage = {
  readonly total: number
  readonly rows: readonly {
    readonly isolatedSymbol?: string
    readonly asset: string
    readonly amount: Decimal
    readonly principal: Decimal
    readonly interest: Decimal
    readonly status: 'CONFIRMED'
    readonly timestamp: Millis
    readonly txId: number
    readonly type: 'MANUAL' | 'AUTO'
  }[]
}

export type Loaned = {
  readonly tranId: number
}

export type MarginBalance = {
  readonly asset: string
  readonly borrowed: Decimal
  readonly free: Decimal
  readonly interest: Decimal
  readonly locked: Decimal
  readonly netAsset: Decimal
}

export type MarginCoin = {
  readonly assetName: string
  readonly assetFullName: string
  readonly isBorrowable: boolean
  readonly isMortgageable: boolean
  readonly userMinBorrow: Decimal
  readonly userMinRepay: Decimal
}

export type MarginLevels = {
  readonly normalBar: Decimal
  readonly marginCallBar: Decimal
  readonly forceLiquidationBar: Decimal
}

export type MaxBorrowable = {
  readonly amount: Decimal
  readonly borrowLimit: Decimal
}

export type MaxTransferable = {
  readonly amount: Decimal
}

export type PriceIndex = {
  readonly calcTime: Millis
  readonly price: Decimal
  readonly symbol: string
}

export type CrossPairsParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * Pairs of the cross account.
 *
 * GET /sapi/v1/margin/allPairs · weight 1 · a key that may read
 */
export function crossPairs(call: Call, params: CrossPairsParams = {}, options?: CallOptions): Promise<readonly CrossPair[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/allPairs', security: 'key' }, params, options)
}

export type CrossPairParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
}

/**
 * One pair of the cross account.
 *
 * GET /sapi/v1/margin/pair · weight 10 · a key that may read
 */
export function crossPair(call: Call, params: CrossPairParams, options?: CallOptions): Promise<CrossPair> {
  return call({ method: 'GET', path: '/sapi/v1/margin/pair', security: 'key' }, params, options)
}

export type IsolatedPairsParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * Pairs of isolated accounts.
 *
 * GET /sapi/v1/margin/isolated/allPairs · weight 10 · a key that may read
 */
export function isolatedPairs(call: Call, params: IsolatedPairsParams = {}, options?: CallOptions): Promise<readonly IsolatedPair[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/isolated/allPairs', security: 'key' }, params, options)
}

export type IsolatedPairParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
}

/**
 * One pair of isolated accounts.
 *
 * GET /sapi/v1/margin/isolated/pair · weight 10 · a key that may read
 */
export function isolatedPair(call: Call, params: IsolatedPairParams, options?: CallOptions): Promise<IsolatedPair> {
  return call({ method: 'GET', path: '/sapi/v1/margin/isolated/pair', security: 'key' }, params, options)
}

export type AssetsParams = {
  /** Name of an asset. */
  readonly asset?: string | undefined
}

/**
 * Coins that may be borrowed.
 *
 * GET /sapi/v1/margin/allAssets · weight 1 · a key that may read
 */
export function assets(call: Call, params: AssetsParams = {}, options?: CallOptions): Promise<readonly MarginCoin[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/allAssets', security: 'key' }, params, options)
}

export type AssetParams = {
  /** Name of an asset. */
  readonly asset: string
}

/**
 * One coin that may be borrowed.
 *
 * GET /sapi/v1/margin/asset · weight 10 · a key that may read
 */
export function asset(call: Call, params: AssetParams, options?: CallOptions): Promise<MarginCoin> {
  return call({ method: 'GET', path: '/sapi/v1/margin/asset', security: 'key' }, params, options)
}

export type PriceIndexParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
}

/**
 * Index price of a pair.
 *
 * GET /sapi/v1/margin/priceIndex · weight 10 · a key that may read
 */
export function priceIndex(call: Call, params: PriceIndexParams, options?: CallOptions): Promise<PriceIndex> {
  return call({ method: 'GET', path: '/sapi/v1/margin/priceIndex', security: 'key' }, params, options)
}

/**
 * Margin levels for transfers out, margin calls and liquidation.
 *
 * GET /sapi/v1/margin/tradeCoeff · weight 10 · a key that may read
 */
export function levels(call: Call, options?: CallOptions): Promise<MarginLevels> {
  return call({ method: 'GET', path: '/sapi/v1/margin/tradeCoeff', security: 'signed' }, {}, options)
}

export type CrossTermsParams = {
  /** There is one level of customers, 0. */
  readonly vipLevel?: number | undefined
  /** Only this coin. */
  readonly coin?: string | undefined
}

/**
 * Rates and limits of each coin.
 *
 * GET /sapi/v1/margin/crossMarginData · weight 5 · a key that may read
 */
export function crossTerms(call: Call, params: CrossTermsParams = {}, options?: CallOptions): Promise<readonly CrossTerms[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/crossMarginData', security: 'signed' }, params, options)
}

export type IsolatedTermsParams = {
  /** There is one level of customers, 0. */
  readonly vipLevel?: number | undefined
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * Leverage, rates and limits of each pair.
 *
 * GET /sapi/v1/margin/isolatedMarginData · weight 10 · a key that may read
 */
export function isolatedTerms(call: Call, params: IsolatedTermsParams = {}, options?: CallOptions): Promise<readonly IsolatedTerms[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/isolatedMarginData', security: 'signed' }, params, options)
}

export type IsolatedTiersParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Only this tier. */
  readonly tier?: number | undefined
}

/**
 * Maximum debt of a pair’s account per leverage.
 *
 * GET /sapi/v1/margin/isolatedMarginTier · weight 1 · a key that may read
 */
export function isolatedTiers(call: Call, params: IsolatedTiersParams, options?: CallOptions): Promise<readonly IsolatedTier[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/isolatedMarginTier', security: 'signed' }, params, options)
}

export type HourlyRatesParams = {
  /** Names, separated by commas. */
  readonly assets: string
  /** Ignored: the rate is the same for both kinds of account. */
  readonly isIsolated?: boolean | undefined
}

/**
 * The interest rate of the next hour.
 *
 * GET /sapi/v1/margin/next-hourly-interest-rate · weight 100 · a key that may read
 */
export function hourlyRates(call: Call, params: HourlyRatesParams, options?: CallOptions): Promise<readonly HourlyRate[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/next-hourly-interest-rate', security: 'signed' }, params, options)
}

export type RateHistoryParams = {
  /** Name of an asset. */
  readonly asset: string
  /** There is one level of customers, 0. */
  readonly vipLevel?: number | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Most items in the answer. Default: 20. */
  readonly limit?: number | undefined
}

/**
 * Daily interest rates, newest first.
 *
 * GET /sapi/v1/margin/interestRateHistory · weight 1 · a key that may read
 */
export function rateHistory(call: Call, params: RateHistoryParams, options?: CallOptions): Promise<readonly DailyRate[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/interestRateHistory', security: 'signed' }, params, options)
}

/**
 * The cross account.
 *
 * GET /sapi/v1/margin/account · weight 10 · a key that may read
 */
export function crossAccount(call: Call, options?: CallOptions): Promise<CrossAccount> {
  return call({ method: 'GET', path: '/sapi/v1/margin/account', security: 'signed' }, {}, options)
}

export type IsolatedAccountsParams = {
  /** Names, separated by commas, five at most. */
  readonly symbols?: string | undefined
}

/**
 * Isolated accounts: those in use, or up to five by name.
 *
 * GET /sapi/v1/margin/isolated/account · weight 10 · a key that may read
 */
export function isolatedAccounts(call: Call, params: IsolatedAccountsParams = {}, options?: CallOptions): Promise<IsolatedAccounts> {
  return call({ method: 'GET', path: '/sapi/v1/margin/isolated/account', security: 'signed' }, params, options)
}

/**
 * Number of isolated accounts in use, and its maximum.
 *
 * GET /sapi/v1/margin/isolated/accountLimit · weight 1 · a key that may read
 */
export function isolatedLimit(call: Call, options?: CallOptions): Promise<IsolatedLimit> {
  return call({ method: 'GET', path: '/sapi/v1/margin/isolated/accountLimit', security: 'signed' }, {}, options)
}

export type MaxBorrowableParams = {
  /** Name of an asset. */
  readonly asset: string
  /** Pair of an isolated account. */
  readonly isolatedSymbol?: string | undefined
}

/**
 * How much more the account could borrow.
 *
 * GET /sapi/v1/margin/maxBorrowable · weight 50 · a key that may read
 */
export function maxBorrowable(call: Call, params: MaxBorrowableParams, options?: CallOptions): Promise<MaxBorrowable> {
  return call({ method: 'GET', path: '/sapi/v1/margin/maxBorrowable', security: 'signed' }, params, options)
}

export type MaxTransferableParams = {
  /** Name of an asset. */
  readonly asset: string
  /** Pair of an isolated account. */
  readonly isolatedSymbol?: string | undefined
}

/**
 * How much can be transferred out of the account.
 *
 * GET /sapi/v1/margin/maxTransferable · weight 50 · a key that may read
 */
export function maxTransferable(call: Call, params: MaxTransferableParams, options?: CallOptions): Promise<MaxTransferable> {
  return call({ method: 'GET', path: '/sapi/v1/margin/maxTransferable', security: 'signed' }, params, options)
}

export type BorrowOrRepayParams = {
  /** Name of an asset. */
  readonly asset: string
  /** TRUE for the isolated account of `symbol`. */
  readonly isIsolated?: boolean | undefined
  /** Pair of the isolated account. */
  readonly symbol?: string | undefined
  /** Amount, as decimal text. */
  readonly amount: string
  /** BORROW or REPAY. */
  readonly type: 'BORROW' | 'REPAY'
  /** Your client id for the transfer; a second request with the same id gets the first outcome. */
  readonly clientTranId?: string | undefined
}

/**
 * Borrows into a Margin account, or repays from it.
 *
 * POST /sapi/v1/margin/borrow-repay · weight 10 · a key that may trade
 */
export function borrowOrRepay(call: Call, params: BorrowOrRepayParams, options?: CallOptions): Promise<Loaned> {
  return call({ method: 'POST', path: '/sapi/v1/margin/borrow-repay', security: 'signed', clientId: 'clientTranId' }, params, options)
}

export type LoansParams = {
  /** Name of an asset. */
  readonly asset?: string | undefined
  /** Pair of an isolated account. */
  readonly isolatedSymbol?: string | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Page, from 1. Default: 1. */
  readonly current?: number | undefined
  /** Items per page. Default: 10. */
  readonly size?: number | undefined
  /** BORROW or REPAY. */
  readonly type: 'BORROW' | 'REPAY'
  /** Only the loan or repayment with this number. */
  readonly txId?: number | undefined
}

/**
 * Loans or repayments, newest first.
 *
 * GET /sapi/v1/margin/borrow-repay · weight 10 · a key that may read
 */
export function loans(call: Call, params: LoansParams, options?: CallOptions): Promise<LoanPage> {
  return call({ method: 'GET', path: '/sapi/v1/margin/borrow-repay', security: 'signed' }, params, options)
}

export type InterestParams = {
  /** Name of an asset. */
  readonly asset?: string | undefined
  /** Pair of an isolated account. */
  readonly isolatedSymbol?: string | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Page, from 1. Default: 1. */
  readonly current?: number | undefined
  /** Items per page. Default: 10. */
  readonly size?: number | undefined
}

/**
 * Interest charges, newest first.
 *
 * GET /sapi/v1/margin/interestHistory · weight 1 · a key that may read
 */
export function interest(call: Call, params: InterestParams = {}, options?: CallOptions): Promise<InterestPage> {
  return call({ method: 'GET', path: '/sapi/v1/margin/interestHistory', security: 'signed' }, params, options)
}

export type LiquidationsParams = {
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Page, from 1. Default: 1. */
  readonly current?: number | undefined
  /** Items per page. Default: 10. */
  readonly size?: number | undefined
  /** Pair of an isolated account. */
  readonly isolatedSymbol?: string | undefined
}

/**
 * Liquidation orders, newest first.
 *
 * GET /sapi/v1/margin/forceLiquidationRec · weight 1 · a key that may read
 */
export function liquidations(call: Call, params: LiquidationsParams = {}, options?: CallOptions): Promise<LiquidationPage> {
  return call({ method: 'GET', path: '/sapi/v1/margin/forceLiquidationRec', security: 'signed' }, params, options)
}

export type PlaceOrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** BUY or SELL. */
  readonly side: 'BUY' | 'SELL'
  /** LIMIT, MARKET, LIMIT_MAKER, STOP_LOSS, STOP_LOSS_LIMIT, TAKE_PROFIT or TAKE_PROFIT_LIMIT. */
  readonly type: 'LIMIT' | 'MARKET' | 'LIMIT_MAKER' | 'STOP_LOSS' | 'STOP_LOSS_LIMIT' | 'TAKE_PROFIT' | 'TAKE_PROFIT_LIMIT'
  /** How long the order stays open. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  /** Quantity of the base asset. */
  readonly quantity?: string | undefined
  /** Amount of the quote asset to spend or to receive. */
  readonly quoteOrderQty?: string | undefined
  /** Limit price. */
  readonly price?: string | undefined
  /** Your client id for the order; a second request with the same id gets the first outcome. */
  readonly newClientOrderId?: string | undefined
  /** The last price that triggers the order. */
  readonly stopPrice?: string | undefined
  /** Distance of a trailing stop in hundredths of a percent. */
  readonly trailingDelta?: number | undefined
  /** The visible part of the quantity. */
  readonly icebergQty?: string | undefined
  /** Detail of the answer. */
  readonly newOrderRespType?: 'ACK' | 'RESULT' | 'FULL' | undefined
  /** Which order gives way when your own orders would trade with each other. */
  readonly selfTradePreventionMode?: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT' | undefined
  /** TRUE for the isolated account of `symbol`. */
  readonly isIsolated?: boolean | undefined
  /** Whether the order borrows, and whether it repays from its proceeds. */
  readonly sideEffectType?: 'NO_SIDE_EFFECT' | 'MARGIN_BUY' | 'AUTO_REPAY' | 'AUTO_BORROW_REPAY' | undefined
  /** Whether the unused part of the order’s loan is repaid when the order is cancelled; TRUE by default. */
  readonly autoRepayAtCancel?: boolean | undefined
}

/**
 * Places an order of a Margin account.
 *
 * POST /sapi/v1/margin/order · weight 6 · a key that may trade
 */
export function placeOrder(call: Call, params: PlaceOrderParams, options?: CallOptions): Promise<PlacedOrder> {
  return call({ method: 'POST', path: '/sapi/v1/margin/order', security: 'signed', clientId: 'newClientOrderId' }, params, options)
}

export type CancelOrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** The exchange’s number of the order. */
  readonly orderId?: number | undefined
  /** Your client id for the order. */
  readonly origClientOrderId?: string | undefined
  /** Your client id for the cancel. */
  readonly newClientOrderId?: string | undefined
  /** Cancels the order only if it is new, or only if it is partially filled. */
  readonly cancelRestrictions?: 'ONLY_NEW' | 'ONLY_PARTIALLY_FILLED' | undefined
  /** TRUE for the isolated account of `symbol`. */
  readonly isIsolated?: boolean | undefined
}

/**
 * Cancels an order of a Margin account; if it is in a list, the whole list.
 *
 * DELETE /sapi/v1/margin/order · weight 10 · a key that may trade
 */
export function cancelOrder(call: Call, params: CancelOrderParams, options?: CallOptions): Promise<CancelledOrder | ReportedList> {
  return call({ method: 'DELETE', path: '/sapi/v1/margin/order', security: 'signed', clientId: 'newClientOrderId' }, params, options)
}

export type OrderParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** The exchange’s number of the order. */
  readonly orderId?: number | undefined
  /** Your client id for the order. */
  readonly origClientOrderId?: string | undefined
  /** TRUE for the isolated account of `symbol`. */
  readonly isIsolated?: boolean | undefined
}

/**
 * One order of a Margin account.
 *
 * GET /sapi/v1/margin/order · weight 10 · a key that may read
 */
export function order(call: Call, params: OrderParams, options?: CallOptions): Promise<Order> {
  return call({ method: 'GET', path: '/sapi/v1/margin/order', security: 'signed' }, params, options)
}

export type PlaceOcoParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Your client id for the list; a second request with the same id gets the first outcome. */
  readonly listClientOrderId?: string | undefined
  /** BUY or SELL. */
  readonly side: 'BUY' | 'SELL'
  /** Quantity of each order, of the base asset. */
  readonly quantity: string
  /** Your client id for the limit order. */
  readonly limitClientOrderId?: string | undefined
  /** Price of the limit order. */
  readonly price: string
  /** Your client id for the stop. */
  readonly stopClientOrderId?: string | undefined
  /** The last price that triggers the stop. */
  readonly stopPrice: string
  /** Makes the stop a limit order at this price. */
  readonly stopLimitPrice?: string | undefined
  /** How long that limit order stays open once triggered; GTC by default. */
  readonly stopLimitTimeInForce?: 'GTC' | 'IOC' | 'FOK' | undefined
  /** Detail of the answer. */
  readonly newOrderRespType?: 'ACK' | 'RESULT' | 'FULL' | undefined
  /** Which order gives way when your own orders would trade with each other. */
  readonly selfTradePreventionMode?: 'NONE' | 'EXPIRE_TAKER' | 'EXPIRE_MAKER' | 'EXPIRE_BOTH' | 'DECREMENT' | undefined
  /** TRUE for the isolated account of `symbol`. */
  readonly isIsolated?: boolean | undefined
  /** Whether the order borrows, and whether it repays from its proceeds. */
  readonly sideEffectType?: 'NO_SIDE_EFFECT' | 'MARGIN_BUY' | 'AUTO_REPAY' | 'AUTO_BORROW_REPAY' | undefined
  /** Whether the unused part of the order’s loan is repaid when the order is cancelled; TRUE by default. */
  readonly autoRepayAtCancel?: boolean | undefined
}

/**
 * Places two orders of a Margin account, one of which cancels the other.
 *
 * POST /sapi/v1/margin/order/oco · weight 6 · a key that may trade
 */
export function placeOco(call: Call, params: PlaceOcoParams, options?: CallOptions): Promise<ReportedList> {
  return call({ method: 'POST', path: '/sapi/v1/margin/order/oco', security: 'signed', clientId: 'listClientOrderId' }, params, options)
}

export type CancelOpenOrdersParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** TRUE for the isolated account of `symbol`. */
  readonly isIsolated?: boolean | undefined
}

/**
 * Cancels all orders of a Margin account in a market.
 *
 * DELETE /sapi/v1/margin/openOrders · weight 1 · a key that may trade
 */
export function cancelOpenOrders(
  call: Call,
  params: CancelOpenOrdersParams,
  options?: CallOptions,
): Promise<readonly (CancelledOrder | ReportedList)[]> {
  return call({ method: 'DELETE', path: '/sapi/v1/margin/openOrders', security: 'signed' }, params, options)
}

export type OpenOrdersParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** TRUE for the isolated account of `symbol`. */
  readonly isIsolated?: boolean | undefined
}

/**
 * Open and conditional orders of a Margin account.
 *
 * GET /sapi/v1/margin/openOrders · weight 10 · a key that may read
 */
export function openOrders(call: Call, params: OpenOrdersParams = {}, options?: CallOptions): Promise<readonly Order[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/openOrders', security: 'signed' }, params, options)
}

export type AllOrdersParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** From this order on. */
  readonly orderId?: number | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
  /** TRUE for the isolated account of `symbol`. */
  readonly isIsolated?: boolean | undefined
}

/**
 * Orders of a Margin account in a market, open or not, oldest first.
 *
 * GET /sapi/v1/margin/allOrders · weight 200 · a key that may read
 */
export function allOrders(call: Call, params: AllOrdersParams, options?: CallOptions): Promise<readonly Order[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/allOrders', security: 'signed' }, params, options)
}

export type OwnTradesParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Only fills of this order. */
  readonly orderId?: number | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** From this number on. */
  readonly fromId?: number | undefined
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
  /** TRUE for the isolated account of `symbol`. */
  readonly isIsolated?: boolean | undefined
}

/**
 * Fills of a Margin account in a market, oldest first.
 *
 * GET /sapi/v1/margin/myTrades · weight 10 · a key that may read
 */
export function ownTrades(call: Call, params: OwnTradesParams, options?: CallOptions): Promise<readonly OwnTrade[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/myTrades', security: 'signed' }, params, options)
}

export type PreventedMatchesParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** The match with this number in the market; not together with orderId. */
  readonly preventedMatchId?: number | undefined
  /** Matches of this order, as maker or taker. */
  readonly orderId?: number | undefined
  /** With orderId: from this number on. */
  readonly fromPreventedMatchId?: number | undefined
  /** TRUE for the isolated account of `symbol`. */
  readonly isIsolated?: boolean | undefined
}

/**
 * Matches of orders of a Margin account that self-trade prevention kept from trading, oldest first, at most 500.
 *
 * Give the number of one match, or an order for all of its matches.
 *
 * GET /sapi/v1/margin/myPreventedMatches · weight 10 · a key that may read
 */
export function preventedMatches(call: Call, params: PreventedMatchesParams, options?: CallOptions): Promise<readonly PreventedMatch[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/myPreventedMatches', security: 'signed' }, params, options)
}

export type OrderCountsParams = {
  /** Ignored: the counts cover all markets. */
  readonly symbol?: string | undefined
  /** Ignored: the counts cover all accounts. */
  readonly isIsolated?: boolean | undefined
}

/**
 * Number of spot and margin orders that the account has sent in each window.
 *
 * GET /sapi/v1/margin/rateLimit/order · weight 20 · a key that may read
 */
export function orderCounts(call: Call, params: OrderCountsParams = {}, options?: CallOptions): Promise<readonly OrderCount[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/rateLimit/order', security: 'signed' }, params, options)
}

export type CancelOrderListParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Number of a list of orders. */
  readonly orderListId?: number | undefined
  /** Your client id for the list. */
  readonly listClientOrderId?: string | undefined
  /** Your client id for the cancel. */
  readonly newClientOrderId?: string | undefined
  /** TRUE for the isolated account of `symbol`. */
  readonly isIsolated?: boolean | undefined
}

/**
 * Cancels both orders of a list.
 *
 * DELETE /sapi/v1/margin/orderList · weight 1 · a key that may trade
 */
export function cancelOrderList(call: Call, params: CancelOrderListParams, options?: CallOptions): Promise<ReportedList> {
  return call({ method: 'DELETE', path: '/sapi/v1/margin/orderList', security: 'signed', clientId: 'newClientOrderId' }, params, options)
}

export type OrderListParams = {
  /** Number of a list of orders. */
  readonly orderListId?: number | undefined
  /** Your client id for the list. */
  readonly origClientOrderId?: string | undefined
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** TRUE for the isolated account of `symbol`. */
  readonly isIsolated?: boolean | undefined
}

/**
 * One list of a Margin account.
 *
 * GET /sapi/v1/margin/orderList · weight 10 · a key that may read
 */
export function orderList(call: Call, params: OrderListParams = {}, options?: CallOptions): Promise<OrderList> {
  return call({ method: 'GET', path: '/sapi/v1/margin/orderList', security: 'signed' }, params, options)
}

export type OpenOrderListsParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** TRUE for the isolated account of `symbol`. */
  readonly isIsolated?: boolean | undefined
}

/**
 * Open lists of a Margin account.
 *
 * GET /sapi/v1/margin/openOrderList · weight 10 · a key that may read
 */
export function openOrderLists(call: Call, params: OpenOrderListsParams = {}, options?: CallOptions): Promise<readonly OrderList[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/openOrderList', security: 'signed' }, params, options)
}

export type AllOrderListsParams = {
  /** From this number on. */
  readonly fromId?: number | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** TRUE for the isolated account of `symbol`. */
  readonly isIsolated?: boolean | undefined
}

/**
 * Lists of a Margin account, oldest first.
 *
 * GET /sapi/v1/margin/allOrderList · weight 200 · a key that may read
 */
export function allOrderLists(call: Call, params: AllOrderListsParams = {}, options?: CallOptions): Promise<readonly OrderList[]> {
  return call({ method: 'GET', path: '/sapi/v1/margin/allOrderList', security: 'signed' }, params, options)
}
