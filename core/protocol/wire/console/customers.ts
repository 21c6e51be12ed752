/** Answers of the routes of customers, as `server/console/customers/schema.ts` describes them. */
import type { OwnLimitKind, RestCause } from '../own-limits.ts'

export type Certification = 'none' | 'in-progress' | 'certified'
export type Group = 'retail' | 'maker' | 'bench'
export type State = 'frozen' | 'staff'
export type Filter = { readonly state?: State; readonly certification?: Certification; readonly class?: Group; readonly region?: string }

export type Row = {
  readonly uid: string
  readonly email: string | null
  readonly phone: string | null
  readonly class: Group
  readonly certification: Certification
  readonly region: string | null
  readonly createdAt: number
  readonly lastSeenAt: number | null
  readonly frozenAt: number | null
  readonly tier: number
  readonly isStaff: boolean
}
export type Page = { readonly customers: readonly Row[]; readonly next?: string }
export type Found = Row & { readonly by: 'uid' | 'email' | 'phone' | 'order' }
export type Contact = { readonly email: string | null; readonly phone: string | null }

/** A customer's data besides money. Addresses are masked, and nothing of a document is included. */
export type Profile = {
  readonly uid: string
  readonly email: string | null
  readonly phone: string | null
  readonly lang: string
  readonly class: Group
  readonly certification: Certification
  /** The newest identity check that was sent. */
  readonly papers: { readonly id: string; readonly state: string; readonly sentAt: number; readonly decidedAt: number | null } | null
  /** Declared country; null: none yet. */
  readonly region: string | null
  readonly createdAt: number
  readonly lastSeenAt: number | null
  readonly inviter: string | null
  /** Of an account of a firm, which nobody logs in to. `label`: of the account. */
  readonly firm?: { readonly number: number; readonly name: string; readonly label: string }
  readonly frozen: Frozen | null
  /** Null when they are open. */
  readonly withdrawalsClosedUntil: number | null
  /** Members of the staff whose account it is. */
  readonly staff: readonly { readonly email: string; readonly cause: 'address' | 'declared'; readonly at: number }[]
  readonly own: Own
  readonly factors: Factors
  readonly sessions: readonly Session[]
  readonly keys: readonly Key[]
}
/** A limit that the customer set; `used`: of its period so far, null where it is not counted here. `next`: a higher one, or none, that waits. */
export type OwnLimitShown = {
  readonly kind: OwnLimitKind
  readonly value: string | null
  readonly used: string | null
  readonly next: { readonly value: string | null; readonly at: number } | null
}
export type Own = {
  readonly limits: readonly OwnLimitShown[]
  readonly minutesToday: number
  readonly rest: { readonly until: number; readonly cause: RestCause } | null
}
/** The answer of a customer's page. */
export type CustomerProfile = Profile & { readonly notes: readonly Note[] }
export type Frozen = {
  readonly id: number
  readonly at: number
  readonly by: 'owner' | 'link' | 'staff'
  readonly officer: string | null
  readonly reason: string | null
}
export type Factors = {
  readonly authenticatorSince: number | null
  readonly passkeys: number
  readonly recoveryCodes: number
  readonly paymentPasswordSince: number | null
}
export type Session = { readonly device: string; readonly ip: string; readonly createdAt: number; readonly lastSeenAt: number }
export type Key = {
  readonly label: string
  readonly scopes: readonly string[]
  readonly ips: number
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly lastIp: string | null
}
export type Note = { readonly id: number; readonly at: number; readonly author: string; readonly text: string }

export type AccountKind = 'spot' | 'perp' | 'margin-cross' | 'margin-isolated' | 'option' | 'lend'
export type Account = {
  readonly kind: AccountKind
  readonly symbol?: string
  readonly balances: readonly { readonly asset: string; readonly available: string; readonly held: string }[]
}
export type Order = {
  readonly product: 'spot' | 'margin' | 'perp'
  readonly id: string
  readonly symbol: string
  readonly side: 'buy' | 'sell'
  readonly type: string
  readonly status: string
  readonly price?: string
  readonly quantity?: string
  readonly spend?: string
  readonly executed: string
  readonly placedAt: number
}
export type Position = {
  readonly id: string
  readonly symbol: string
  readonly side: 'buy' | 'sell'
  readonly mode: string
  readonly leverage: number
  readonly quantity: string
  readonly entryPrice: string
  readonly liquidationPrice: string | null
  readonly mark: string | null
  readonly profitUsdt: string | null
}
export type Loan = {
  readonly kind: 'margin-cross' | 'margin-isolated'
  readonly symbol: string | null
  readonly asset: string
  readonly principal: string
  readonly interest: string
  readonly level: string | null
}
export type Money = {
  readonly worthUsdt: string
  readonly volumeUsdt: string
  readonly tier: number
  readonly makerFee: string
  readonly takerFee: string
  readonly ceiling: { readonly leverage: number; readonly reason: 'new' | 'region'; readonly until: number | null } | null
  readonly accounts: readonly Account[]
  readonly orders: readonly Order[]
  readonly orderCount: number
  readonly positions: readonly Position[]
  readonly loans: readonly Loan[]
  readonly sums: {
    readonly openStakesUsdt: string
    readonly lossUsdt: string
    readonly lossMaxUsdt: string | null
    readonly coolOffUntil: number | null
    readonly settled: { readonly orders: number; readonly stakesUsdt: string; readonly resultUsdt: string }
  }
}

/**
 * `own`: of the customer's log. `staff`: a decision of the staff about the customer; `by` is the member's address, `why` the reason.
 * `about`: the check or the freeze.
 */
export type Moment = {
  readonly id: string
  readonly at: number
  readonly of: 'own' | 'staff'
  readonly action: string
  readonly ip: string | null
  readonly device: string | null
  readonly by: string | null
  readonly why: string | null
  readonly about: string | null
}
export type Timeline = { readonly moments: readonly Moment[]; readonly next?: string }

/** A frozen account with the open proposal to open it. `officer`: the member of the staff who froze it; null for others. */
export type Freeze = {
  readonly id: number
  readonly uid: string
  readonly frozenAt: number
  readonly by: 'owner' | 'link' | 'staff'
  readonly officer: string | null
  readonly reason: string | null
  readonly lift: {
    readonly id: number
    readonly reason: string
    readonly proposedBy: string
    readonly proposedAt: number
    readonly expiresAt: number
  } | null
}
