import type { Days, Units } from '../../money/brand.ts'
import type { PresaleTerms } from '../command/presale.ts'
import type { PresaleNumber, UserId } from '../ids.ts'
import type { PresaleOutcome } from '../wire/presale.ts'

/** A presale was opened, or its terms changed before it began. */
export type PresaleSet = { readonly type: 'presale.set'; readonly presale: PresaleNumber; readonly terms: PresaleTerms }

/** `amount`: of this subscription. `total`: of all of the user. `subscribed`, `subscribers`: of the whole presale with it. */
export type PresaleSubscribed = {
  readonly type: 'presale.subscribed'
  readonly presale: PresaleNumber
  readonly user: UserId
  readonly amount: Units
  readonly total: Units
  readonly subscribed: Units
  readonly subscribers: number
}

/**
 * What a subscription became: `cost` + `refunded` is the sum of the user's subscriptions. `allocated`: token units, of which `released`
 * are free at once. When everything is refunded, all but `refunded` are 0.
 */
export type PresaleAllocated = {
  readonly type: 'presale.allocated'
  readonly presale: PresaleNumber
  readonly user: UserId
  readonly allocated: Units
  readonly cost: Units
  readonly refunded: Units
  readonly released: Units
}

/** `amount` of locked tokens became free; `released`: of the allocation so far. `day`: of the schedule, counted from the end. */
export type PresaleReleased = {
  readonly type: 'presale.released'
  readonly presale: PresaleNumber
  readonly user: UserId
  readonly amount: Units
  readonly released: Units
  readonly day: Days
}

/** Follows the `presale.allocated` of all subscribers. `sold`: token units. `proceeds`: what they cost. Both 0 for a refund. */
export type PresaleEnded = {
  readonly type: 'presale.ended'
  readonly presale: PresaleNumber
  readonly outcome: PresaleOutcome
  readonly sold: Units
  readonly proceeds: Units
}

/** No token of the presale is locked any more. */
export type PresaleUnlocked = { readonly type: 'presale.unlocked'; readonly presale: PresaleNumber }

export type PresaleEvent = PresaleSet | PresaleSubscribed | PresaleAllocated | PresaleReleased | PresaleEnded | PresaleUnlocked
