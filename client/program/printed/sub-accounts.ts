// Printed from the routes of the exchange: node tools/tidy/print.ts

import type { Call, CallOptions, Decimal, Millis } from '../call.ts'

export type FirmMove = {
  readonly tranId: number
  readonly clientTranId?: string
}

export type FirmMoveLine = {
  readonly tranId: number
  readonly fromEmail: string
  readonly toEmail: string
  readonly asset: string
  readonly amount: Decimal
  readonly createTimeStamp: Millis
  readonly fromAccountType: string
  readonly toAccountType: string
  readonly status: string
}

export type FirmMoves = {
  readonly result: readonly FirmMoveLine[]
  /** Moves on all pages. */
  readonly totalCount: number
}

export type OwnMove = {
  /** `master` for the main account, else `subAccount`. */
  readonly counterParty: string
  /** The address of the other account. */
  readonly email: string
  /** 1: received, 2: sent. */
  readonly type: number
  readonly asset: string
  readonly qty: Decimal
  readonly fromAccountType: string
  readonly toAccountType: string
  readonly status: string
  readonly tranId: number
  readonly time: Millis
}

export type SentMove = {
  readonly txnId: number
}

export type SubAccount = {
  /** The UID of the account. */
  readonly subUserId: number
  /** A made-up address, which names the account and never changes. Nobody gets mail there. */
  readonly email: string
  /** The name that the firm gave the account. */
  readonly remark: string
  /** Whether the account is frozen or archived. */
  readonly isFreeze: boolean
  readonly createTime: Millis
  /** Always false. */
  readonly isManagedSubAccount: boolean
  /** Always false. */
  readonly isAssetManagementSubAccount: boolean
}

export type SubAccountAssets = {
  readonly balances: readonly SubAccountBalance[]
}

export type SubAccountBalance = {
  readonly asset: string
  readonly free: Decimal
  readonly locked: Decimal
  readonly freeze: Decimal
  readonly withdrawing: Decimal
}

export type SubAccounts = {
  readonly subAccounts: readonly SubAccount[]
}

export type AccountsParams = {
  /** Only the account with this address. */
  readonly email?: string | undefined
  /** Only accounts that are, or are not, frozen or archived. */
  readonly isFreeze?: boolean | undefined
  /** Pages count from 1. Default: 1. */
  readonly page?: number | undefined
  /** Accounts of a page. Default: 20. */
  readonly limit?: number | undefined
}

/**
 * Sub-accounts of the firm that the maker of the key sees, oldest first. Needs a key of the firm’s main account.
 *
 * GET /sapi/v1/sub-account/list · weight 1 · a key that may read
 */
export function accounts(call: Call, params: AccountsParams = {}, options?: CallOptions): Promise<SubAccounts> {
  return call({ method: 'GET', path: '/sapi/v1/sub-account/list', security: 'signed' }, params, options)
}

export type AssetsParams = {
  /** The address of the account in the list. */
  readonly email: string
}

/**
 * The spot account of one sub-account, coins without a balance left out. Needs a key of the firm’s main account.
 *
 * GET /sapi/v4/sub-account/assets · weight 60 · a key that may read
 */
export function assets(call: Call, params: AssetsParams, options?: CallOptions): Promise<SubAccountAssets> {
  return call({ method: 'GET', path: '/sapi/v4/sub-account/assets', security: 'signed' }, params, options)
}

export type MoveParams = {
  /** The address of the account that sends. Default: the main account. */
  readonly fromEmail?: string | undefined
  /** The address of the account that receives. Default: the main account. */
  readonly toEmail?: string | undefined
  /** The sending account’s move with this id counts once. */
  readonly clientTranId?: string | undefined
  /** The coin. */
  readonly asset: string
  /** In units of the coin. */
  readonly amount: string
  /** Only spot accounts send. */
  readonly fromAccountType: 'SPOT'
  /** Only spot accounts receive. */
  readonly toAccountType: 'SPOT'
}

/**
 * Moves coins between the spot accounts of two accounts of the firm, at once. Needs a key of the main account, whose maker moves coins.
 *
 * POST /sapi/v1/sub-account/universalTransfer · weight 1 · a key that may trade
 */
export function move(call: Call, params: MoveParams, options?: CallOptions): Promise<FirmMove> {
  return call(
    { method: 'POST', path: '/sapi/v1/sub-account/universalTransfer', security: 'signed', clientId: 'clientTranId' },
    params,
    options,
  )
}

export type MovesParams = {
  /** What this account sent. */
  readonly fromEmail?: string | undefined
  /** What this account received. Not together with `fromEmail`. */
  readonly toEmail?: string | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** Pages count from 1. Default: 1. */
  readonly page?: number | undefined
  /** Moves of a page. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * What an account of the firm sent, or received, newest first; without an address what the main account sent.
 *
 * GET /sapi/v1/sub-account/universalTransfer · weight 1 · a key that may read
 */
export function moves(call: Call, params: MovesParams = {}, options?: CallOptions): Promise<FirmMoves> {
  return call({ method: 'GET', path: '/sapi/v1/sub-account/universalTransfer', security: 'signed' }, params, options)
}

export type ToMainParams = {
  /** The coin. */
  readonly asset: string
  /** In units of the coin. */
  readonly amount: string
}

/**
 * Moves own coins to the firm’s main account. Needs a key of another account of the firm, whose maker moves coins.
 *
 * POST /sapi/v1/sub-account/transfer/subToMaster · weight 1 · a key that may trade
 */
export function toMain(call: Call, params: ToMainParams, options?: CallOptions): Promise<SentMove> {
  return call({ method: 'POST', path: '/sapi/v1/sub-account/transfer/subToMaster', security: 'signed' }, params, options)
}

export type ToSubParams = {
  /** The address of the account that receives. */
  readonly toEmail: string
  /** The coin. */
  readonly asset: string
  /** In units of the coin. */
  readonly amount: string
}

/**
 * Moves own coins to another sub-account of the firm. Needs a key of a sub-account, whose maker moves coins.
 *
 * POST /sapi/v1/sub-account/transfer/subToSub · weight 1 · a key that may trade
 */
export function toSub(call: Call, params: ToSubParams, options?: CallOptions): Promise<SentMove> {
  return call({ method: 'POST', path: '/sapi/v1/sub-account/transfer/subToSub', security: 'signed' }, params, options)
}

export type OwnMovesParams = {
  /** Only this coin. */
  readonly asset?: string | undefined
  /** 1: received, 2: sent. Default: both. */
  readonly type?: number | undefined
  /** From this time on. */
  readonly startTime?: number | undefined
  /** Up to this time. */
  readonly endTime?: number | undefined
  /** At most this many. Default: 500. */
  readonly limit?: number | undefined
}

/**
 * Moves between the key’s account and others of its firm, newest first. Needs a key of a sub-account.
 *
 * GET /sapi/v1/sub-account/transfer/subUserHistory · weight 1 · a key that may read
 */
export function ownMoves(call: Call, params: OwnMovesParams = {}, options?: CallOptions): Promise<readonly OwnMove[]> {
  return call({ method: 'GET', path: '/sapi/v1/sub-account/transfer/subUserHistory', security: 'signed' }, params, options)
}
