// Printed from the routes of the exchange: node tools/tidy/print.ts

import type { Call, CallOptions, Decimal, Millis } from '../call.ts'
import type { ContractOrder, Done, OrderCount } from './shared.ts'

export type AccountConfig = {
  readonly feeTier: number
  readonly canTrade: boolean
  readonly canDeposit: boolean
  readonly canWithdraw: boolean
  readonly dualSidePosition: boolean
  readonly updateTime: Millis
  readonly multiAssetsMargin: boolean
  readonly tradeGroupId: number
}

export type CommissionRate = {
  readonly symbol: string
  readonly makerCommissionRate: Decimal
  readonly takerCommissionRate: Decimal
}

export type DeleveragingPlace = {
  readonly symbol: string
  readonly adlQuantile: {
    readonly LONG: number
    readonly SHORT: number
    readonly BOTH?: number
  }
}

export type FuturesAccount = {
  readonly totalInitialMargin: Decimal
  readonly totalMaintMargin: Decimal
  readonly totalWalletBalance: Decimal
  readonly totalUnrealizedProfit: Decimal
  readonly totalMarginBalance: Decimal
  readonly totalPositionInitialMargin: Decimal
  readonly totalOpenOrderInitialMargin: Decimal
  readonly totalCrossWalletBalance: Decimal
  readonly totalCrossUnPnl: Decimal
  readonly availableBalance: Decimal
  readonly maxWithdrawAmount: Decimal
  readonly assets: readonly FuturesAsset[]
  readonly positions: readonly HeldPosition[]
}

export type FuturesAccountV2 = {
  readonly feeTier: number
  readonly feeBurn: boolean
  readonly canTrade: boolean
  readonly canDeposit: boolean
  readonly canWithdraw: boolean
  readonly updateTime: Millis
  readonly multiAssetsMargin: boolean
  readonly tradeGroupId: number
  readonly totalInitialMargin: Decimal
  readonly totalMaintMargin: Decimal
  readonly totalWalletBalance: Decimal
  readonly totalUnrealizedProfit: Decimal
  readonly totalMarginBalance: Decimal
  readonly totalPositionInitialMargin: Decimal
  readonly totalOpenOrderInitialMargin: Decimal
  readonly totalCrossWalletBalance: Decimal
  readonly totalCrossUnPnl: Decimal
  readonly availableBalance: Decimal
  readonly maxWithdrawAmount: Decimal
  readonly assets: readonly FuturesAsset[]
  readonly positions: readonly HeldPositionV2[]
}

export type FuturesAsset = {
  readonly asset: string
  readonly walletBalance: Decimal
  readonly unrealizedProfit: Decimal
  readonly marginBalance: Decimal
  readonly maintMargin: Decimal
  readonly initialMargin: Decimal
  readonly positionInitialMargin: Decimal
  readonly openOrderInitialMargin: Decimal
  readonly crossWalletBalance: Decimal
  readonly crossUnPnl: Decimal
  readonly availableBalance: Decimal
  readonly maxWithdrawAmount: Decimal
  readonly marginAvailable: boolean
  readonly updateTime: Millis
}

export type FuturesBalance = {
  readonly accountAlias: string
  readonly asset: string
  readonly balance: Decimal
  readonly crossWalletBalance: Decimal
  readonly crossUnPnl: Decimal
  readonly availableBalance: Decimal
  readonly maxWithdrawAmount: Decimal
  readonly marginAvailable: boolean
  readonly updateTime: Millis
}

export type HeldPosition = {
  readonly symbol: string
  readonly positionSide: 'BOTH' | 'LONG' | 'SHORT'
  readonly positionAmt: Decimal
  readonly unrealizedProfit: Decimal
  readonly isolatedMargin: Decimal
  readonly notional: Decimal
  readonly isolatedWallet: Decimal
  readonly initialMargin: Decimal
  readonly maintMargin: Decimal
  readonly updateTime: Millis
}

export type HeldPositionV2 = {
  readonly symbol: string
  readonly positionSide: 'BOTH' | 'LONG' | 'SHORT'
  readonly positionAmt: Decimal
  readonly unrealizedProfit: Decimal
  readonly isolatedMargin: Decimal
  readonly notional: Decimal
  readonly isolatedWallet: Decimal
  readonly initialMargin: Decimal
  readonly maintMargin: Decimal
  readonly updateTime: Millis
  readonly positionInitialMargin: Decimal
  readonly openOrderInitialMargin: Decimal
  readonly leverage: Decimal
  readonly isolated: boolean
  readonly entryPrice: Decimal
  readonly breakEvenPrice: Decimal
  readonly maxNotional: Decimal
  readonly bidNotional: Decimal
  readonly askNotional: Decimal
  readonly isAutoAddMargin: boolean
}

export type Income = {
  readonly symbol: string
  readonly incomeType: 'TRANSFER' | 'REALIZED_PNL' | 'FUNDING_FEE' | 'COMMISSION' | 'INSURANCE_CLEAR'
  readonly income: Decimal
  readonly asset: string
  readonly time: Millis
  readonly info: string
  readonly tranId: number
  readonly tradeId: string
}

export type LeverageBracket = {
  readonly bracket: number
  readonly initialLeverage: number
  readonly notionalCap: number
  readonly notionalFloor: number
  readonly maintMarginRatio: number
  readonly cum: number
}

export type LeverageBrackets = {
  readonly symbol: string
  readonly notionalCoef: number
  readonly brackets: readonly LeverageBracket[]
}

export type LeverageSet = {
  readonly leverage: number
  readonly maxNotionalValue: Decimal
  readonly symbol: string
}

export type MarginChange = {
  readonly symbol: string
  /** 1 added, 2 removed. */
  readonly type: 1 | 2
  readonly deltaType: 'USER_ADJUST'
  readonly amount: Decimal
  readonly asset: string
  readonly time: Millis
  readonly positionSide: 'BOTH' | 'LONG' | 'SHORT'
}

export type MultiAssetsMode = {
  readonly multiAssetsMargin: false
}

export type OwnContractTrade = {
  readonly symbol: string
  readonly id: number
  readonly orderId: number
  readonly side: 'BUY' | 'SELL'
  readonly price: Decimal
  readonly qty: Decimal
  readonly realizedPnl: Decimal
  readonly quoteQty: Decimal
  readonly commission: Decimal
  readonly commissionAsset: string
  readonly time: Millis
  readonly positionSide: 'BOTH' | 'LONG' | 'SHORT'
  readonly buyer: boolean
  readonly maker: boolean
}

export type Position = {
  readonly symbol: string
  readonly positionSide: 'BOTH' | 'LONG' | 'SHORT'
  readonly positionAmt: Decimal
  readonly entryPrice: Decimal
  readonly breakEvenPrice: Decimal
  readonly markPrice: Decimal
  readonly unRealizedProfit: Decimal
  readonly liquidationPrice: Decimal
  readonly isolatedMargin: Decimal
  readonly notional: Decimal
  readonly isolatedWallet: Decimal
  readonly updateTime: Millis
  readonly marginAsset: string
  readonly initialMargin: Decimal
  readonly maintMargin: Decimal
  readonly positionInitialMargin: Decimal
  readonly openOrderInitialMargin: Decimal
  /** Place in the queue of auto-deleveraging, 0 to 4: 4 is first. */
  readonly adl: number
  readonly bidNotional: Decimal
  readonly askNotional: Decimal
}

export type PositionMargin = {
  readonly amount: Decimal
  readonly code: 200
  readonly msg: string
  readonly type: number
}

export type PositionMode = {
  readonly dualSidePosition: boolean
}

export type PositionV2 = {
  readonly symbol: string
  readonly positionSide: 'BOTH' | 'LONG' | 'SHORT'
  readonly positionAmt: Decimal
  readonly entryPrice: Decimal
  readonly breakEvenPrice: Decimal
  readonly markPrice: Decimal
  readonly unRealizedProfit: Decimal
  readonly liquidationPrice: Decimal
  readonly isolatedMargin: Decimal
  readonly notional: Decimal
  readonly isolatedWallet: Decimal
  readonly updateTime: Millis
  readonly leverage: Decimal
  readonly marginType: 'isolated' | 'cross'
  readonly maxNotionalValue: Decimal
  readonly isAutoAddMargin: string
}

export type SymbolConfig = {
  readonly symbol: string
  readonly marginType: 'CROSSED' | 'ISOLATED'
  readonly isAutoAddMargin: boolean
  readonly leverage: number
  readonly maxNotionalValue: Decimal
}

/**
 * Number of Futures orders that the account has sent in each window.
 *
 * GET /fapi/v1/rateLimit/order · weight 1 · a key that may read
 */
export function orderCounts(call: Call, options?: CallOptions): Promise<readonly OrderCount[]> {
  return call({ method: 'GET', path: '/fapi/v1/rateLimit/order', security: 'signed' }, {}, options)
}

/**
 * The account with a position for every Futures market and its settings.
 *
 * GET /fapi/v2/account · weight 5 · a key that may read
 */
export function accountV2(call: Call, options?: CallOptions): Promise<FuturesAccountV2> {
  return call({ method: 'GET', path: '/fapi/v2/account', security: 'signed', socket: 'account.status' }, {}, options)
}

/**
 * Balances of the account, the same as version 3.
 *
 * GET /fapi/v2/balance · weight 5 · a key that may read
 */
export function balancesV2(call: Call, options?: CallOptions): Promise<readonly FuturesBalance[]> {
  return call({ method: 'GET', path: '/fapi/v2/balance', security: 'signed', socket: 'account.balance' }, {}, options)
}

export type PositionsV2Params = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * A position for every Futures market, open or not, with its settings.
 *
 * GET /fapi/v2/positionRisk · weight 5 · a key that may read
 */
export function positionsV2(call: Call, params: PositionsV2Params = {}, options?: CallOptions): Promise<readonly PositionV2[]> {
  return call({ method: 'GET', path: '/fapi/v2/positionRisk', security: 'signed', socket: 'account.position' }, params, options)
}

/**
 * The account with its open positions.
 *
 * GET /fapi/v3/account · weight 5 · a key that may read
 */
export function account(call: Call, options?: CallOptions): Promise<FuturesAccount> {
  return call({ method: 'GET', path: '/fapi/v3/account', security: 'signed', socket: 'v2/account.status' }, {}, options)
}

/**
 * Balances of the account.
 *
 * GET /fapi/v3/balance · weight 5 · a key that may read
 */
export function balances(call: Call, options?: CallOptions): Promise<readonly FuturesBalance[]> {
  return call({ method: 'GET', path: '/fapi/v3/balance', security: 'signed', socket: 'v2/account.balance' }, {}, options)
}

export type PositionsParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * Open positions.
 *
 * GET /fapi/v3/positionRisk · weight 5 · a key that may read
 */
export function positions(call: Call, params: PositionsParams = {}, options?: CallOptions): Promise<readonly Position[]> {
  return call({ method: 'GET', path: '/fapi/v3/positionRisk', security: 'signed', socket: 'v2/account.position' }, params, options)
}

/**
 * Permissions and position mode of the account.
 *
 * GET /fapi/v1/accountConfig · weight 5 · a key that may read
 */
export function accountConfig(call: Call, options?: CallOptions): Promise<AccountConfig> {
  return call({ method: 'GET', path: '/fapi/v1/accountConfig', security: 'signed' }, {}, options)
}

export type SymbolConfigsParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * Leverage and margin type by market.
 *
 * GET /fapi/v1/symbolConfig · weight 5 · a key that may read
 */
export function symbolConfigs(call: Call, params: SymbolConfigsParams = {}, options?: CallOptions): Promise<readonly SymbolConfig[]> {
  return call({ method: 'GET', path: '/fapi/v1/symbolConfig', security: 'signed' }, params, options)
}

export type LeverageBracketsParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * Maximum position value per leverage, and maintenance margin.
 *
 * GET /fapi/v1/leverageBracket · weight 1 · a key that may read
 */
export function leverageBrackets(
  call: Call,
  params: LeverageBracketsParams = {},
  options?: CallOptions,
): Promise<readonly LeverageBrackets[]> {
  return call({ method: 'GET', path: '/fapi/v1/leverageBracket', security: 'signed' }, params, options)
}

export type CommissionRateParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
}

/**
 * Fees in a Futures market.
 *
 * GET /fapi/v1/commissionRate · weight 20 · a key that may read
 */
export function commissionRate(call: Call, params: CommissionRateParams, options?: CallOptions): Promise<CommissionRate> {
  return call({ method: 'GET', path: '/fapi/v1/commissionRate', security: 'signed' }, params, options)
}

export type DeleveragingQueueParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * Place in the auto-deleveraging queue, 0 to 4: 4 is first.
 *
 * GET /fapi/v1/adlQuantile · weight 5 · a key that may read
 */
export function deleveragingQueue(
  call: Call,
  params: DeleveragingQueueParams = {},
  options?: CallOptions,
): Promise<readonly DeleveragingPlace[]> {
  return call({ method: 'GET', path: '/fapi/v1/adlQuantile', security: 'signed' }, params, options)
}

export type SetLeverageParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** Largest value of a position as a multiple of its margin. */
  readonly leverage: number
}

/**
 * Sets the leverage of a Futures market.
 *
 * POST /fapi/v1/leverage · weight 1 · a key that may trade
 */
export function setLeverage(call: Call, params: SetLeverageParams, options?: CallOptions): Promise<LeverageSet> {
  return call({ method: 'POST', path: '/fapi/v1/leverage', security: 'signed', isRepeatable: true }, params, options)
}

export type SetMarginTypeParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** ISOLATED or CROSSED. */
  readonly marginType: 'ISOLATED' | 'CROSSED'
}

/**
 * Sets cross or isolated margin for a Futures market.
 *
 * A type that is already set is refused with -4046.
 *
 * POST /fapi/v1/marginType · weight 1 · a key that may trade
 */
export function setMarginType(call: Call, params: SetMarginTypeParams, options?: CallOptions): Promise<Done> {
  return call({ method: 'POST', path: '/fapi/v1/marginType', security: 'signed', isRepeatable: true }, params, options)
}

/**
 * Whether the account holds long and short positions side by side.
 *
 * GET /fapi/v1/positionSide/dual · weight 30 · a key that may read
 */
export function positionMode(call: Call, options?: CallOptions): Promise<PositionMode> {
  return call({ method: 'GET', path: '/fapi/v1/positionSide/dual', security: 'signed' }, {}, options)
}

export type SetPositionModeParams = {
  /** true for hedge mode. */
  readonly dualSidePosition: boolean
}

/**
 * Sets one-way or hedge mode.
 *
 * A mode that is already set is refused with -4059.
 *
 * POST /fapi/v1/positionSide/dual · weight 1 · a key that may trade
 */
export function setPositionMode(call: Call, params: SetPositionModeParams, options?: CallOptions): Promise<Done> {
  return call({ method: 'POST', path: '/fapi/v1/positionSide/dual', security: 'signed', isRepeatable: true }, params, options)
}

/**
 * Whether several assets serve as margin: always false.
 *
 * GET /fapi/v1/multiAssetsMargin · weight 30 · a key that may read
 */
export function multiAssetsMode(call: Call, options?: CallOptions): Promise<MultiAssetsMode> {
  return call({ method: 'GET', path: '/fapi/v1/multiAssetsMargin', security: 'signed' }, {}, options)
}

export type SetMultiAssetsModeParams = {
  /** false. */
  readonly multiAssetsMargin: boolean
}

/**
 * Sets whether several assets serve as margin: true is refused.
 *
 * POST /fapi/v1/multiAssetsMargin · weight 1 · a key that may trade
 */
export function setMultiAssetsMode(call: Call, params: SetMultiAssetsModeParams, options?: CallOptions): Promise<Done> {
  return call({ method: 'POST', path: '/fapi/v1/multiAssetsMargin', security: 'signed', isRepeatable: true }, params, options)
}

export type ChangePositionMarginParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** BOTH in one-way mode; LONG or SHORT in hedge mode. Default: BOTH. */
  readonly positionSide?: 'BOTH' | 'LONG' | 'SHORT' | undefined
  /** Amount of the margin asset. */
  readonly amount: string
  /** 1 adds, 2 removes. */
  readonly type: '1' | '2'
}

/**
 * Adds margin to an isolated position, or removes it.
 *
 * It has no client id: after a lost answer, read the position before you send it again.
 *
 * POST /fapi/v1/positionMargin · weight 1 · a key that may trade
 */
export function changePositionMargin(call: Call, params: ChangePositionMarginParams, options?: CallOptions): Promise<PositionMargin> {
  return call({ method: 'POST', path: '/fapi/v1/positionMargin', security: 'signed' }, params, options)
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
}

/**
 * Fills of the account in a Futures market, oldest first.
 *
 * GET /fapi/v1/userTrades · weight 5 · a key that may read
 */
export function ownTrades(call: Call, params: OwnTradesParams, options?: CallOptions): Promise<readonly OwnContractTrade[]> {
  return call({ method: 'GET', path: '/fapi/v1/userTrades', security: 'signed' }, params, options)
}

export type IncomesParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** Only income of this kind. */
  readonly incomeType?: 'TRANSFER' | 'REALIZED_PNL' | 'FUNDING_FEE' | 'COMMISSION' | 'INSURANCE_CLEAR' | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Page, from 1. Default: 1. */
  readonly page?: number | undefined
  /** Most items in the answer. Default: 100. */
  readonly limit?: number | undefined
}

/**
 * Income and expenses, oldest first.
 *
 * GET /fapi/v1/income · weight 30 · a key that may read
 */
export function incomes(call: Call, params: IncomesParams = {}, options?: CallOptions): Promise<readonly Income[]> {
  return call({ method: 'GET', path: '/fapi/v1/income', security: 'signed' }, params, options)
}

export type MarginChangesParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
  /** 1 for added margin, 2 for removed margin. */
  readonly type?: '1' | '2' | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * Margin added to or removed from isolated positions of a Futures market.
 *
 * GET /fapi/v1/positionMargin/history · weight 1 · a key that may read
 */
export function marginChanges(call: Call, params: MarginChangesParams, options?: CallOptions): Promise<readonly MarginChange[]> {
  return call({ method: 'GET', path: '/fapi/v1/positionMargin/history', security: 'signed' }, params, options)
}

export type LiquidationOrdersParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
  /** With ADL the list is empty: such trades have no order. */
  readonly autoCloseType?: 'LIQUIDATION' | 'ADL' | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Most items in the answer. Default: 50. */
  readonly limit?: number | undefined
}

/**
 * Liquidation orders.
 *
 * GET /fapi/v1/forceOrders · weight 20 · a key that may read
 */
export function liquidationOrders(
  call: Call,
  params: LiquidationOrdersParams = {},
  options?: CallOptions,
): Promise<readonly ContractOrder[]> {
  return call({ method: 'GET', path: '/fapi/v1/forceOrders', security: 'signed' }, params, options)
}
