import type { Days, Units } from '../../../money/brand.ts'
import type { PresaleTerms } from '../../../protocol/command/presale.ts'
import type { PresaleNumber, UserId } from '../../../protocol/ids.ts'

/** Presales that are open or have locked tokens at the same time. */
export const presalesMax = 64
/** Subscribers of one presale: one command allocates to all of them. */
export const subscribersMax = 10_000

/** A user's allocation with locked tokens. */
export type Holder = { readonly user: UserId; readonly allocated: Units; readonly released: Units }

/** A presale until its last token is free. */
export class Presale {
  readonly number: PresaleNumber
  /** Replaced until it begins. */
  terms: PresaleTerms
  /** Until its end: the sum of each subscriber, in the order of their first subscriptions. */
  readonly sums = new Map<UserId, Units>()
  subscribed = 0 as Units
  /** From its end on: those with locked tokens, in the same order. Undefined before. */
  holders: Holder[] | undefined = undefined
  /** The last day of the schedule whose releases began, and the first holder who still waits for theirs. */
  day = 0 as Days
  next = 0

  constructor(number: PresaleNumber, terms: PresaleTerms) {
    this.number = number
    this.terms = terms
  }

  add(user: UserId, amount: Units): void {
    this.sums.set(user, ((this.sums.get(user) ?? 0) + amount) as Units)
    this.subscribed = (this.subscribed + amount) as Units
  }
}

/** Presales by number, in the order in which they were opened. */
export class PresaleState {
  readonly presales = new Map<PresaleNumber, Presale>()
  /** Numbers of those that are over: no other presale gets them. In the order of their end. */
  readonly over = new Set<PresaleNumber>()

  finish({ number }: Presale): void {
    this.presales.delete(number)
    this.over.add(number)
  }
}
