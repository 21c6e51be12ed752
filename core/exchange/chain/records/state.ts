import type { Millis, Units } from '../../../money/brand.ts'
import { Shards } from '../../../protocol/codec/shards.ts'
import { networksMax } from '../../../protocol/command/chain.ts'
import type { WithdrawTerms } from '../../../protocol/command/chain.ts'
import type { WithdrawalFacts } from '../../../protocol/event/chain.ts'
import type { AssetId, CreditNumber, NetworkNumber, UserId, WithdrawalNumber } from '../../../protocol/ids.ts'
import { Once } from '../../records/once.ts'

const dayMs = 86_400_000
/** Withdrawals that ended and are remembered, so that a repeat of their end is no fault. */
const endedMax = 4096

/** A credited deposit that its chain may still drop. */
export type Credit = {
  readonly network: NetworkNumber
  readonly credit: CreditNumber
  readonly user: UserId
  readonly asset: AssetId
  readonly amount: Units
}

/** A withdrawal that has not ended. Its amount is held. */
export type Withdrawal = WithdrawalFacts & {
  readonly destination: number
  /** How many people have to approve it, by the terms at the time of its request. */
  readonly people: 0 | 1 | 2
  /** Start of the UTC day of its request, and what counts of it against that day's limit, in USDT units. */
  readonly day: Millis
  readonly value: Units
  readonly isApproved: boolean
}

/** How a withdrawal ended. The position in the list is the number on disk. */
export const withdrawalEnds = ['rejected', 'cancelled', 'paid', 'failed'] as const
export type WithdrawalEnd = (typeof withdrawalEnds)[number]
export type Ended = { readonly user: UserId; readonly end: WithdrawalEnd }

/** What concerns one user. */
export class ChainUser {
  /** Sums of the deposits that may still be dropped, and debts for dropped ones; no zeros. */
  readonly unfinal = new Map<AssetId, Units>()
  readonly debts = new Map<AssetId, Units>()
  readonly open = new Set<WithdrawalNumber>()
  /** Start of the UTC day of the last request, and the value of that day's requests in USDT units. */
  day = 0 as Millis
  withdrawn = 0 as Units
}

/** What the core knows of one network. */
export class ChainNetwork {
  /** Credits that were carried out, and among them those that were taken back. */
  readonly credits = new Once<CreditNumber>()
  readonly orphans = new Once<CreditNumber>()
  /** Credits that may still be dropped. */
  readonly unfinal = new Map<CreditNumber, Credit>()
  /** Per asset: what came in by deposits, less what was dropped and what was paid out. Below zero where postings filled the wallet. */
  readonly flows = new Map<AssetId, Units>()
}

/** Deposits and withdrawals. */
export class ChainState {
  readonly networks = new Map<NetworkNumber, ChainNetwork>()
  readonly users = new Shards<ChainUser>()
  /** Terms of withdrawals, by `termsKey`. */
  readonly terms = new Map<number, WithdrawTerms>()
  readonly withdrawals = new Map<WithdrawalNumber, Withdrawal>()
  /** The last withdrawals that ended, oldest first. */
  readonly ended = new Map<WithdrawalNumber, Ended>()

  network(number: NetworkNumber): ChainNetwork {
    let network = this.networks.get(number)
    if (network === undefined) this.networks.set(number, (network = new ChainNetwork()))
    return network
  }

  user(number: UserId): ChainUser {
    let user = this.users.get(number)
    if (user === undefined) this.users.set(number, (user = new ChainUser()))
    return user
  }

  termsOf(asset: AssetId, network: NetworkNumber): WithdrawTerms | undefined {
    return this.terms.get(termsKey(asset, network))
  }

  isInDebt(user: UserId): boolean {
    return (this.users.get(user)?.debts.size ?? 0) > 0
  }

  debt(user: UserId, asset: AssetId): Units {
    return this.users.get(user)?.debts.get(asset) ?? (0 as Units)
  }

  /** `change`: what the user owes more (+) or less (−). */
  owe(user: UserId, asset: AssetId, change: Units): void {
    add(this.user(user).debts, asset, change)
  }

  flow(network: NetworkNumber, asset: AssetId, change: Units): void {
    add(this.network(network).flows, asset, change)
  }

  addCredit(credit: Credit): void {
    this.network(credit.network).unfinal.set(credit.credit, credit)
    add(this.user(credit.user).unfinal, credit.asset, credit.amount)
  }

  removeCredit(credit: Credit): void {
    this.network(credit.network).unfinal.delete(credit.credit)
    add(this.user(credit.user).unfinal, credit.asset, -credit.amount as Units)
  }

  /** What counts against the limit of the UTC day of this time. */
  withdrawnOn(user: UserId, day: Millis): Units {
    const known = this.users.get(user)
    return known?.day === day ? known.withdrawn : (0 as Units)
  }

  openWithdrawal(withdrawal: Withdrawal): void {
    this.withdrawals.set(withdrawal.withdrawal, withdrawal)
    this.user(withdrawal.user).open.add(withdrawal.withdrawal)
  }

  /** Counts a value against the limit of a day, which becomes the user's last one. */
  count(number: UserId, day: Millis, value: Units): void {
    const user = this.user(number)
    user.withdrawn = (this.withdrawnOn(number, day) + value) as Units
    user.day = day
  }

  /** Removes one that ended. Of one that was not paid, its value no longer counts against the limit of its day. */
  end({ withdrawal, user: number, day, value }: Withdrawal, end: WithdrawalEnd): void {
    this.withdrawals.delete(withdrawal)
    const user = this.user(number)
    user.open.delete(withdrawal)
    if (end !== 'paid' && user.day === day) user.withdrawn = (user.withdrawn - value) as Units
    this.ended.set(withdrawal, { user: number, end })
    if (this.ended.size > endedMax) this.ended.delete(this.ended.keys().next().value!)
  }
}

/** One number for an asset on a network. */
export function termsKey(asset: AssetId, network: NetworkNumber): number {
  return asset * (networksMax + 1) + network
}

/** Start of the UTC day of this time. */
export function dayOf(atMs: Millis): Millis {
  return (atMs - (atMs % dayMs)) as Millis
}

/** Adds to a sum of the map, which keeps no zeros. */
function add<K>(sums: Map<K, Units>, key: K, change: Units): void {
  const sum = (sums.get(key) ?? 0) + change
  if (sum === 0) sums.delete(key)
  else sums.set(key, sum as Units)
}
