import type { Brand, Units } from '../../../money/brand.ts'
import type { AssetId, MarketId, UserId } from '../../../protocol/ids.ts'
import { noSlots } from '../../records/slots.ts'

/** Numbers of `marginStates`. */
export const SAFE = 0
export const WATCH = 1
export const LIQUIDATING = 2

/** An account's debt in one asset. */
export class Debt {
  readonly asset: AssetId
  principal = 0 as Units
  /** Charged and not yet paid. */
  interest = 0 as Units
  /** Number of the last hour (since 1970) that interest was charged for. */
  paidHour: number

  constructor(asset: AssetId, paidHour: number) {
    this.asset = asset
    this.paidHour = paidHour
  }
}

/** A margin account that has been used: the cross account (market 0), or the account of a market. Its money is in the ledger. */
export class Account {
  readonly user: UserId
  readonly market: MarketId
  /** By asset number. */
  readonly debts: Debt[] = []
  state = SAFE
  /** The account must be reviewed when `MarginState.moved` reaches this; 0 when something changed since. See `review.ts`. */
  calmUntil = 0
  /** Time at which the fund took the account over; 0 while it belongs to its owner. See `take-over.ts`. */
  takenMs = 0
  /** Slots of the account's orders in spot markets, including sleeping ones. */
  orders = noSlots
  /** For a cross account: every asset that it ever had, by number. See `value.ts`. */
  readonly assets: number[] = []

  constructor(user: UserId, market: MarketId) {
    this.user = user
    this.market = market
  }

  debt(asset: AssetId): Debt | undefined {
    return this.debts.find((debt) => debt.asset === asset)
  }
}

/** A margin account in all lists of them, in the order of users and markets. */
export type AccountKey = Brand<number, 'AccountKey'>

/** Markets and assets stay below 2^20, users below 2^32. */
export function accountKey(user: UserId, market: MarketId): AccountKey {
  return (user * 2 ** 20 + market) as AccountKey
}
