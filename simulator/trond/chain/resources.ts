/** Bandwidth and energy: free, staked, recovered over 24 hours, and paid in TRX where they don't suffice. */
import type { Account, State, Use } from '../state/state.ts'
import type { Transaction } from '../wire/transaction.ts'
import { Refusal } from './refusal.ts'

/** Prices and limits of the network, in sun unless named otherwise. */
export const terms = {
  /** Bytes a day. */
  freeBandwidth: 600,
  bandwidthFee: 1_000,
  energyFee: 100,
  /** Paid by a transaction whose recipient has no account yet: to the network, and for its bandwidth. */
  accountFee: 1_000_000,
  accountBandwidthFee: 100_000,
  permissionFee: 100_000_000,
  multiSignFee: 1_000_000,
  feeLimitMax: 15_000_000_000,
  /** Bytes that a result may add to a transaction in its block. */
  resultBytes: 64,
  transactionBytesMax: 500 * 1024,
} as const

const slotMs = 3_000
const windowSlots = 28_800

export type Paid = { readonly netUsage: number; readonly netFee: number; readonly fee: number }
export type Bill = { readonly energyUsage: number; readonly energyFee: number }

/** Use that is left after recovery: it falls evenly to zero within 24 hours. */
export function left({ used, at }: Use, time: number): number {
  const passed = Math.floor(time / slotMs) - at
  return passed >= windowSlots ? 0 : Math.floor((used * (windowSlots - passed)) / windowSlots)
}

/** Staked energy that an account may use now. */
export function energyLeft({ energy }: Account, time: number): number {
  return Math.max(0, energy.limit - left(energy, time))
}

/**
 * Takes a transaction's bandwidth from its owner: staked, then free, then paid. `opensAccount`: the recipient's account is created.
 *
 * throws  Refusal BANDWITH_ERROR when all three fail, and for an owner without an account
 */
export function payBandwidth(state: State, transaction: Transaction, time: number, opensAccount: boolean): Paid {
  const { owner } = transaction.payload
  const account = state.account(owner)
  if (account === undefined) throw poor(`account [${owner}] does not exist`)
  const bytes = transaction.size + terms.resultBytes
  const staked = left(account.bandwidth, time)
  const slot = Math.floor(time / slotMs)
  if (staked + bytes <= account.bandwidth.limit) {
    state.setAccount(owner, { ...account, bandwidth: { ...account.bandwidth, used: staked + bytes, at: slot } })
    return { netUsage: bytes, netFee: 0, fee: 0 }
  }
  if (opensAccount) return { netUsage: 0, netFee: 0, fee: take(state, owner, terms.accountBandwidthFee) }
  const free = left(account.free, time)
  if (free + bytes <= terms.freeBandwidth) {
    state.setAccount(owner, { ...account, free: { used: free + bytes, at: slot } })
    return { netUsage: bytes, netFee: 0, fee: 0 }
  }
  const netFee = take(state, owner, bytes * terms.bandwidthFee)
  return { netUsage: 0, netFee, fee: netFee }
}

/** Takes energy that a call used: staked first, the rest in TRX, which the call's limit has left there. */
export function payEnergy(state: State, owner: string, energy: number, time: number): Bill {
  const account = state.account(owner)
  if (account === undefined) throw new Error(`no account ${owner}`)
  const used = left(account.energy, time)
  const energyUsage = Math.min(energy, Math.max(0, account.energy.limit - used))
  const energyFee = (energy - energyUsage) * terms.energyFee
  const isUsing = energyUsage > 0
  state.setAccount(owner, {
    ...account,
    balance: account.balance - BigInt(energyFee),
    energy: isUsing ? { ...account.energy, used: used + energyUsage, at: Math.floor(time / slotMs) } : account.energy,
  })
  return { energyUsage, energyFee }
}

/**
 * Takes a fee from an account.
 *
 * returns  the fee
 * throws   Refusal BANDWITH_ERROR when the balance is smaller
 */
export function take(state: State, owner: string, fee: number): number {
  const account = state.account(owner)
  if (account === undefined || account.balance < BigInt(fee)) {
    throw poor(`Account [${owner}] has insufficient bandwidth and balance [${account?.balance ?? 0n}] for a fee of ${fee}`)
  }
  state.setAccount(owner, { ...account, balance: account.balance - BigInt(fee) })
  return fee
}

function poor(message: string): Refusal {
  return new Refusal('BANDWITH_ERROR', `Account resource insufficient error: ${message}`)
}
