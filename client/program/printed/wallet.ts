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
  readonly networkList: readonly CoinNetwork[]
}

export type CoinNetwork = {
  /** TRX for TRC20, ETH for ERC20. */
  readonly network: string
  readonly coin: string
  readonly name: string
  /** Whether it is taken where a request names none. */
  readonly isDefault: boolean
  readonly busy: boolean
  readonly sameAddress: boolean
  readonly depositEnable: boolean
  readonly depositDesc: string
  readonly depositDust: Decimal
  readonly withdrawEnable: boolean
  readonly withdrawDesc: string
  readonly withdrawFee: Decimal
  readonly withdrawMin: Decimal
  readonly withdrawMax: Decimal
  readonly withdrawIntegerMultiple: Decimal
  readonly withdrawInternalMin: Decimal
  /** Blocks until a deposit is credited. */
  readonly minConfirm: number
  /** Blocks until a deposit may be withdrawn. */
  readonly unLockConfirm: number
  /** Minutes. */
  readonly estimatedArrivalTime: number
  readonly addressRegex: string
  readonly memoRegex: string
  readonly specialTips: string
  readonly contractAddress: string
  /** The explorer’s page of an address, without the address. */
  readonly contractAddressUrl: string
}

export type Deposit = {
  readonly id: string
  readonly amount: Decimal
  readonly coin: string
  readonly network: string
  /** 0 pending, 6 credited and not yet free to withdraw, 1 final, 2 did not happen. */
  readonly status: 0 | 1 | 2 | 6
  readonly address: string
  readonly addressTag: string
  readonly txId: string
  readonly insertTime: Millis
  readonly completeTime?: Millis
  readonly transferType: 0
  readonly walletType: 0
  readonly unlockConfirm: number
  /** Blocks so far, and how many there must be: 3/12. */
  readonly confirmTimes: string
}

export type DepositAddress = {
  readonly coin: string
  readonly address: string
  readonly tag: string
  readonly url: string
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

export type Withdrawal = {
  readonly id: string
  readonly amount: Decimal
  readonly transactionFee: Decimal
  readonly coin: string
  /** 1 cancelled, 2 under review, 3 rejected, 4 processing, 5 failed, 6 completed. */
  readonly status: number
  readonly address: string
  readonly addressTag: string
  readonly txId: string
  /** YYYY-MM-DD HH:MM:SS, UTC. */
  readonly applyTime: string
  readonly completeTime?: string
  readonly network: string
  readonly transferType: 0
  readonly walletType: 0
  /** The reason of a rejection. */
  readonly info: string
  readonly txKey: string
  readonly withdrawOrderId?: string
}

export type WithdrawalAsked = {
  readonly id: string
}

/**
 * Every coin with its spot balance, and its networks for deposits and withdrawals.
 *
 * GET /sapi/v1/capital/config/getall · weight 10 · a key that may read
 */
export function coins(call: Call, options?: CallOptions): Promise<readonly Coin[]> {
  return call({ method: 'GET', path: '/sapi/v1/capital/config/getall', security: 'signed' }, {}, options)
}

export type DepositAddressParams = {
  /** Name of a coin. */
  readonly coin: string
  /** TRX or ETH; without it, the coin’s default network. */
  readonly network?: string | undefined
}

/**
 * Your own address for deposits on a network: always the same.
 *
 * GET /sapi/v1/capital/deposit/address · weight 10 · a key that may read
 */
export function depositAddress(call: Call, params: DepositAddressParams, options?: CallOptions): Promise<DepositAddress> {
  return call({ method: 'GET', path: '/sapi/v1/capital/deposit/address', security: 'signed' }, params, options)
}

export type DepositsParams = {
  /** Only this coin. */
  readonly coin?: string | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Leaves out the newest ones. Default: 0. */
  readonly offset?: number | undefined
  /** Most items in the answer. Default: 1000. */
  readonly limit?: number | undefined
  /** 0, 1, 2 or 6, as in the answer. */
  readonly status?: '0' | '1' | '2' | '6' | undefined
  /** Only of this transaction. */
  readonly txId?: string | undefined
}

/**
 * Your deposits, newest first.
 *
 * GET /sapi/v1/capital/deposit/hisrec · weight 10 · a key that may read
 */
export function deposits(call: Call, params: DepositsParams = {}, options?: CallOptions): Promise<readonly Deposit[]> {
  return call({ method: 'GET', path: '/sapi/v1/capital/deposit/hisrec', security: 'signed' }, params, options)
}

export type WithdrawParams = {
  /** Name of a coin. */
  readonly coin: string
  /** TRX or ETH; without it, the coin’s default network. */
  readonly network?: string | undefined
  /** An address on your withdrawal list. */
  readonly address: string
  /** Refused: no network here has tags. */
  readonly addressTag?: string | undefined
  /** The sum that leaves the account, fee included. */
  readonly amount: string
  /** Your client id for the withdrawal; a second request with the same id gets the first outcome. */
  readonly withdrawOrderId?: string | undefined
}

/**
 * Asks for a withdrawal to an address on your withdrawal list.
 *
 * The key needs the permission to withdraw and a list of IP addresses. The address must be on your list for a day already. An account with a passkey withdraws in the app only: the passkey signs each withdrawal.
 *
 * POST /sapi/v1/capital/withdraw/apply · weight 600 · a key that may withdraw
 */
export function withdraw(call: Call, params: WithdrawParams, options?: CallOptions): Promise<WithdrawalAsked> {
  return call({ method: 'POST', path: '/sapi/v1/capital/withdraw/apply', security: 'signed', clientId: 'withdrawOrderId' }, params, options)
}

export type WithdrawalsParams = {
  /** Only this coin. */
  readonly coin?: string | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Leaves out the newest ones. Default: 0. */
  readonly offset?: number | undefined
  /** Most items in the answer. Default: 1000. */
  readonly limit?: number | undefined
  /** 0 to 6, as in the answer; nothing has 0. */
  readonly status?: '0' | '1' | '2' | '3' | '4' | '5' | '6' | undefined
  /** Only the one with this client id. */
  readonly withdrawOrderId?: string | undefined
}

/**
 * Your withdrawals, newest first.
 *
 * GET /sapi/v1/capital/withdraw/history · weight 10 · a key that may read
 */
export function withdrawals(call: Call, params: WithdrawalsParams = {}, options?: CallOptions): Promise<readonly Withdrawal[]> {
  return call({ method: 'GET', path: '/sapi/v1/capital/withdraw/history', security: 'signed' }, params, options)
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
