import { entryReasons } from '../protocol/event/index.ts'
import type { EntryReason } from '../protocol/event/index.ts'
import type { ReasonNumber } from '../protocol/ids.ts'

export const reasonNumber = (reason: EntryReason): ReasonNumber => entryReasons.indexOf(reason) as ReasonNumber

export const FAUCET = reasonNumber('faucet')
export const TRANSFER = reasonNumber('transfer')
export const HOLD = reasonNumber('hold')
export const RELEASE = reasonNumber('release')
export const TRADE = reasonNumber('trade')
export const FEE = reasonNumber('fee')
export const ENDOWMENT = reasonNumber('endowment')
export const STAKE = reasonNumber('stake')
export const PAYOUT = reasonNumber('payout')
export const REALISED = reasonNumber('realised')
export const FUNDING = reasonNumber('funding')
export const LIQUIDATION_FEE = reasonNumber('liquidation-fee')
export const INSURANCE = reasonNumber('insurance')
export const DELEVERAGE = reasonNumber('deleverage')
export const POSTING = reasonNumber('posting')
export const DEPOSIT = reasonNumber('deposit')
export const DEPOSIT_REVERSED = reasonNumber('deposit-reversed')
export const DEPOSIT_DEBT = reasonNumber('deposit-debt')
export const WITHDRAWAL = reasonNumber('withdrawal')
export const WITHDRAWAL_FEE = reasonNumber('withdrawal-fee')
export const CONVERT = reasonNumber('convert')
export const HEDGE = reasonNumber('hedge')
export const REFERRAL = reasonNumber('referral')
export const PRESALE_SUBSCRIBE = reasonNumber('presale-subscribe')
export const PRESALE_REFUND = reasonNumber('presale-refund')
export const PRESALE_ALLOCATE = reasonNumber('presale-allocate')
export const PRESALE_RELEASE = reasonNumber('presale-release')
export const FIRM_MOVE = reasonNumber('firm-move')
