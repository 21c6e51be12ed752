import type { Millis } from '../../money/brand.ts'
import type { ClientId, UserId } from '../ids.ts'

/** `maker` and `bench` users have higher limits at the gateway, and the core remembers more of their client ids. */
export const userClasses = ['retail', 'maker', 'bench'] as const
export type UserClass = (typeof userClasses)[number]

/** The core answers with the next dense user number. A repeat with the same `requestId` has no effect. `referrer` 0: none. */
export type OpenUser = {
  readonly type: 'user.open'
  readonly requestId: ClientId
  readonly class: UserClass
  readonly referrer: UserId
}

/** Futures, Margin, lending and Second need a verified user. The identity check itself is outside the core. */
export type CertifyUser = { readonly type: 'user.certify'; readonly user: UserId; readonly isCertified: boolean }

/** Sets whether a user belongs to the house: trades between such users count for no tier and no volume. */
export type HouseUser = { readonly type: 'user.house'; readonly user: UserId; readonly isHouse: boolean }

/**
 * The customer's own pause: until this time nothing that opens risk is accepted, and what rests or sleeps and would open it is
 * cancelled. It can only be moved later; an earlier time has no effect.
 */
export type RestUser = { readonly type: 'user.rest'; readonly user: UserId; readonly until: Millis }

/** Marks the own account of a member of the staff, who can't use Second. */
export type StaffUser = { readonly type: 'user.staff'; readonly user: UserId; readonly isStaff: boolean }

/** Freezing refuses new orders and transfers; cancelling stays possible. */
export type SetUser = {
  readonly type: 'user.set'
  readonly user: UserId
  readonly isFrozen: boolean
}
