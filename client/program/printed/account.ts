// Printed from the routes of the exchange: node tools/tidy/print.ts

import type { Call, CallOptions, Decimal, Millis } from '../call.ts'
import type { Commission, OrderCount, OwnTrade, PreventedMatch } from './shared.ts'

export type Balance = {
  readonly asset: string
  readonly free: Decimal
  readonly locked: Decimal
}

export type KeyPermissions = {
  readonly ipRestrict: boolean
  readonly createTime: Millis
  readonly enableReading: boolean
  readonly enableWithdrawals: boolean
  readonly enableInternalTransfer: boolean
  readonly enableMargin: boolean
  readonly enableFutures: boolean
  readonly permitsUniversalTransfer: boolean
  readonly enableVanillaOptions: boolean
  readonly enablePortfolioMarginTrading: boolean
  readonly enableSpotAndMarginTrading: boolean
  readonly tradingAuthorityExpirationTime?: Millis
}

export type MarketCommission = {
  readonly symbol: string
  readonly standardCommission: Commission
  readonly specialCommission: Commission
  readonly taxCommission: Commission
  readonly discount: {
    readonly enabledForAccount: boolean
    readonly enabledForSymbol: boolean
    readonly discountAsset: string
    readonly discount: Decimal
  }
}

export type SpotAccount = {
  /** Hundredths of a percent. */
  readonly makerCommission: number
  /** Hundredths of a percent. */
  readonly takerCommission: number
  /** Hundredths of a percent. */
  readonly buyerCommission: number
  /** Hundredths of a percent. */
  readonly sellerCommission: number
  readonly commissionRates: Commission
  readonly canTrade: boolean
  readonly canWithdraw: boolean
  readonly canDeposit: boolean
  readonly brokered: boolean
  readonly requireSelfTradePrevention: boolean
  readonly preventSor: boolean
  readonly updateTime: Millis
  readonly accountType: 'SPOT'
  readonly balances: readonly Balance[]
  readonly permissions: readonly string[]
  readonly uid: number
}

/**
 * Permissions of the key in use.
 *
 * GET /sapi/v1/account/apiRestrictions · weight 1 · a key that may read
 */
export function keyPermissions(call: Call, options?: CallOptions): Promise<KeyPermissions> {
  return call({ method: 'GET', path: '/sapi/v1/account/apiRestrictions', security: 'signed' }, {}, options)
}

/**
 * Number of spot and margin orders that the account has sent in each window.
 *
 * GET /api/v3/rateLimit/order · weight 40 · a key that may read
 */
export function orderCounts(call: Call, options?: CallOptions): Promise<readonly OrderCount[]> {
  return call({ method: 'GET', path: '/api/v3/rateLimit/order', security: 'signed', socket: 'account.rateLimits.orders' }, {}, options)
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
 * Fills of the account in a market, oldest first.
 *
 * GET /api/v3/myTrades · weight 20, with orderId 5 · a key that may read
 */
export function ownTrades(call: Call, params: OwnTradesParams, options?: CallOptions): Promise<readonly OwnTrade[]> {
  return call({ method: 'GET', path: '/api/v3/myTrades', security: 'signed', socket: 'myTrades' }, params, options)
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
  /** Most items in the answer. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * Matches of orders of the account that self-trade prevention kept from trading, oldest first.
 *
 * Give the number of one match, or an order for all of its matches.
 *
 * GET /api/v3/myPreventedMatches · weight 20, with preventedMatchId 2 · a key that may read
 */
export function preventedMatches(call: Call, params: PreventedMatchesParams, options?: CallOptions): Promise<readonly PreventedMatch[]> {
  return call({ method: 'GET', path: '/api/v3/myPreventedMatches', security: 'signed', socket: 'myPreventedMatches' }, params, options)
}

export type SpotAccountParams = {
  /** Leaves out empty balances. */
  readonly omitZeroBalances?: boolean | undefined
}

/**
 * Balances of the spot account, fees and permissions.
 *
 * GET /api/v3/account · weight 20 · a key that may read
 */
export function spotAccount(call: Call, params: SpotAccountParams = {}, options?: CallOptions): Promise<SpotAccount> {
  return call({ method: 'GET', path: '/api/v3/account', security: 'signed', socket: 'account.status' }, params, options)
}

export type CommissionParams = {
  /** Market, as exchangeInfo names it. */
  readonly symbol: string
}

/**
 * Fees of the account in a market.
 *
 * GET /api/v3/account/commission · weight 20 · a key that may read
 */
export function commission(call: Call, params: CommissionParams, options?: CallOptions): Promise<MarketCommission> {
  return call({ method: 'GET', path: '/api/v3/account/commission', security: 'signed', socket: 'account.commission' }, params, options)
}
