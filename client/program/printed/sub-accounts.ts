// Printed from the routes of the exchange: node tools/tidy/print.ts

import type { Call, CallOptions, Decimal, Millis } from '../call.ts'

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
