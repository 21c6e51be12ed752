/** Deposits from chains, and withdrawals to them. */
import type {
  WireChains,
  WireDebtRepayment,
  WireDebts,
  WireDepositAddress,
  WireDeposits,
  WireDepositState,
  WireNewWithdrawal,
  WirePreparedWithdrawal,
  WireTestDeposit,
  WireWithdrawal,
  WireWithdrawalStatus,
  WireWithdrawalWish,
  WireWithdrawStanding,
} from '@candor/core/protocol/wire/chains.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import { segment, type CallOptions, type Http } from '../http.ts'

type Page = {
  readonly asset?: string
  /** When it was seen or asked for, in milliseconds, both inclusive. */
  readonly from?: number
  readonly to?: number
  /** `next` of the previous page. */
  readonly before?: string
  readonly limit?: number
}
export type DepositsQuery = Page & { readonly state?: WireDepositState }
export type WithdrawalsQuery = Page & { readonly status?: WireWithdrawalStatus }

/** The networks with their coins and terms. */
export function chains(http: Http, options?: CallOptions): Promise<WireChains> {
  return http('GET', '/chains', options)
}

/** The user's own address on a network. Check its signature before it is shown. */
export function depositAddress(http: Http, network: string, options?: CallOptions): Promise<WireDepositAddress> {
  return http('GET', '/deposits/address', { ...options, query: { network } })
}

/** Deposits, newest first. */
export function deposits(http: Http, query: DepositsQuery = {}, options?: CallOptions): Promise<WireDeposits> {
  return http('GET', '/deposits', { ...options, query: { ...query } })
}

/** Repays what is owed of a coin for dropped deposits, as far as the spot account has it. */
export function repayDebt(http: Http, body: WireDebtRepayment, options?: CallOptions): Promise<WireDebts> {
  return http('POST', '/debts/repay', { ...options, body })
}

/** Sends test coins to the user's own address; sandbox only. */
export function testDeposit(http: Http, body: WireTestDeposit, options?: CallOptions): Promise<{ readonly txid: string }> {
  return http('POST', '/sandbox/deposits', { ...options, body })
}

/** What limits the user's withdrawals now. */
export function withdrawStanding(http: Http, options?: CallOptions): Promise<WireWithdrawStanding> {
  return http('GET', '/withdrawals/standing', options)
}

/** Withdrawals, newest first. */
export function withdrawals(http: Http, query: WithdrawalsQuery = {}, options?: CallOptions): Promise<WirePage<WireWithdrawal>> {
  return http('GET', '/withdrawals', { ...options, query: { ...query } })
}

/** Checks a withdrawal, and says what a passkey must sign for it; moves nothing. */
export function prepareWithdrawal(http: Http, body: WireWithdrawalWish, options?: CallOptions): Promise<WirePreparedWithdrawal> {
  return http('POST', '/withdrawals/prepare', { ...options, body })
}

/** Asks for a withdrawal. Its amount is held until it ends. Needs the payment password, and a proof or a passkey. */
export function withdraw(http: Http, body: WireNewWithdrawal, options?: CallOptions): Promise<{ readonly id: string }> {
  return http('POST', '/withdrawals', { ...options, body })
}

/** Takes back a withdrawal that is not decided. */
export function cancelWithdrawal(http: Http, id: string, options?: CallOptions): Promise<void> {
  return http('DELETE', `/withdrawals/${segment(id)}`, options)
}
