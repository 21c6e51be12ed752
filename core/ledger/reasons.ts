import { entryReasons } from '../protocol/event/index.ts'

/** Numbers of the reasons in the hot path. */
export const FAUCET = entryReasons.indexOf('faucet')
export const TRANSFER = entryReasons.indexOf('transfer')
export const HOLD = entryReasons.indexOf('hold')
export const RELEASE = entryReasons.indexOf('release')
export const TRADE = entryReasons.indexOf('trade')
export const FEE = entryReasons.indexOf('fee')
export const ENDOWMENT = entryReasons.indexOf('endowment')
export const STAKE = entryReasons.indexOf('stake')
export const PAYOUT = entryReasons.indexOf('payout')
export const REALISED = entryReasons.indexOf('realised')
export const FUNDING = entryReasons.indexOf('funding')
export const LIQUIDATION_FEE = entryReasons.indexOf('liquidation-fee')
export const INSURANCE = entryReasons.indexOf('insurance')
export const DELEVERAGE = entryReasons.indexOf('deleverage')
