// Printed from the routes of the exchange: node tools/tidy/print.ts

import type { Call, CallOptions, Decimal, Millis } from '../call.ts'

export type Coin = {
  readonly coin: string
  readonly name: string
  readonly free: Decimal
  readonly locked: Decimal
  readonly freeze: Decimal
  readonly withdrawing: Decimal
  readonly ipoing: Decimal
  readonly ipoable: Decimal
  readonly storage: Decimal
  readonly trading: boolean
  readonly isLegalMoney: boolean
  readonly depositAllEnable: boolean
  readonly withdrawAllEnable: boolean
  readonly networkList: readonly never[]
}

export type TradeFee = {
  readonly symbol: string
  readonly makerCommission: Decimal
  readonly takerCommission: Decimal
}

export type TransferPage = {
  readonly total: number
  readonly rows: readonly {
    readonly timestamp: Millis
    readonly asset: string
    readonly amount: Decimal
    readonly type: string
    readonly status: 'CONFIRMED'
    readonly tranId: number
    readonly fromSymbol?: string
    readonly toSymbol?: string
  }[]
}

export type Transferred = {
  readonly tranId: number
}

export type UserAsset = {
  readonly asset: string
  readonly free: Decimal
  readonly locked: Decimal
  readonly freeze: Decimal
  readonly withdrawing: Decimal
  readonly ipoable: Decimal
  readonly btcValuation: Decimal
}

export type WalletBalance = {
  readonly activate: boolean
  readonly balance: Decimal
  readonly walletName: string
}

/**
 * Every coin with its spot balance.
 *
 * Deposits and withdrawals have no network yet: `networkList` is empty.
 *
 * GET /sapi/v1/capital/config/getall · weight 10 · a key that may read
 */
export function coins(call: Call, options?: CallOptions): Promise<readonly Coin[]> {
  return call({ method: 'GET', path: '/sapi/v1/capital/config/getall', security: 'signed' }, {}, options)
}

export type FundingAssetsParams = {
  /** Name of an asset. */
  readonly asset?: string | undefined
  /** Ignored here. */
  readonly needBtcValuation?: boolean | undefined
}

/**
 * An empty list: there is no funding account.
 *
 * POST /sapi/v1/asset/get-funding-asset · weight 1 · a key that may read
 */
export function fundingAssets(call: Call, params: FundingAssetsParams = {}, options?: CallOptions): Promise<readonly never[]> {
  return call({ method: 'POST', path: '/sapi/v1/asset/get-funding-asset', security: 'signed', isRepeatable: true }, params, options)
}

export type UserAssetsParams = {
  /** Name of an asset. */
  readonly asset?: string | undefined
  /** Whether each is valued in BTC. */
  readonly needBtcValuation?: boolean | undefined
}

/**
 * Coins that the spot account holds.
 *
 * POST /sapi/v3/asset/getUserAsset · weight 5 · a key that may read
 */
export function userAssets(call: Call, params: UserAssetsParams = {}, options?: CallOptions): Promise<readonly UserAsset[]> {
  return call({ method: 'POST', path: '/sapi/v3/asset/getUserAsset', security: 'signed', isRepeatable: true }, params, options)
}

export type WalletBalancesParams = {
  /** Asset in which the values are given. Default: BTC. */
  readonly quoteAsset?: string | undefined
}

/**
 * Value of each account.
 *
 * GET /sapi/v1/asset/wallet/balance · weight 60 · a key that may read
 */
export function walletBalances(call: Call, params: WalletBalancesParams = {}, options?: CallOptions): Promise<readonly WalletBalance[]> {
  return call({ method: 'GET', path: '/sapi/v1/asset/wallet/balance', security: 'signed' }, params, options)
}

export type TransferParams = {
  /** Source and target account: MAIN_UMFUTURE, UMFUTURE_MAIN, MAIN_MARGIN, MARGIN_MAIN, MAIN_ISOLATED_MARGIN … */
  readonly type: string
  /** Name of an asset. */
  readonly asset: string
  /** Amount, as decimal text. */
  readonly amount: string
  /** Pair of an isolated source account. */
  readonly fromSymbol?: string | undefined
  /** Pair of an isolated target account. */
  readonly toSymbol?: string | undefined
  /** Your client id for the transfer; a second request with the same id gets the first outcome. */
  readonly clientTranId?: string | undefined
}

/**
 * Transfers money between your accounts.
 *
 * POST /sapi/v1/asset/transfer · weight 1 · a key that may trade
 */
export function transfer(call: Call, params: TransferParams, options?: CallOptions): Promise<Transferred> {
  return call({ method: 'POST', path: '/sapi/v1/asset/transfer', security: 'signed', clientId: 'clientTranId' }, params, options)
}

export type TransfersParams = {
  /** Source and target account: MAIN_UMFUTURE, UMFUTURE_MAIN, MAIN_MARGIN, MARGIN_MAIN, MAIN_ISOLATED_MARGIN … */
  readonly type: string
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Page, from 1. Default: 1. */
  readonly current?: number | undefined
  /** Items per page. Default: 10. */
  readonly size?: number | undefined
  /** Pair of an isolated source account. */
  readonly fromSymbol?: string | undefined
  /** Pair of an isolated target account. */
  readonly toSymbol?: string | undefined
}

/**
 * Transfers of one type, newest first.
 *
 * GET /sapi/v1/asset/transfer · weight 1 · a key that may read
 */
export function transfers(call: Call, params: TransfersParams, options?: CallOptions): Promise<TransferPage> {
  return call({ method: 'GET', path: '/sapi/v1/asset/transfer', security: 'signed' }, params, options)
}

export type TradeFeesParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol?: string | undefined
}

/**
 * Fees of the account in spot markets.
 *
 * GET /sapi/v1/asset/tradeFee · weight 1 · a key that may read
 */
export function tradeFees(call: Call, params: TradeFeesParams = {}, options?: CallOptions): Promise<readonly TradeFee[]> {
  return call({ method: 'GET', path: '/sapi/v1/asset/tradeFee', security: 'signed' }, params, options)
}
