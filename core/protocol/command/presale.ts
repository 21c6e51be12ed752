import type { Days, Millis, Ppm, Units } from '../../money/brand.ts'
import type { AssetId, ClientId, PresaleNumber, UserId } from '../ids.ts'
import type { ReleaseKind } from '../wire/presale.ts'

/** `pay` units of the pay asset buy `per` units of the token. */
export type PresalePrice = { readonly pay: Units; readonly per: Units }

/** A part of an allocation that becomes free on a day after the end. */
export type ReleaseStep = { readonly day: Days; readonly ppm: Ppm }

/**
 * When allocated tokens become free. Day 0 is the end of the presale. Without a lock-up (`lockDays` 0) all are free then; otherwise
 * `atListingPpm` of them are, and the last on day `lockDays`.
 */
export type ReleaseTerms = {
  readonly atListingPpm: Ppm
  readonly kind: ReleaseKind
  readonly lockDays: Days
  /** With `steps` only: in rising order of days, the last on `lockDays`. With `atListingPpm` they are a whole. */
  readonly steps: readonly ReleaseStep[]
}

/** Terms of a presale. They can change until it begins. Sums are in units of the token or of the pay asset. */
export type PresaleTerms = {
  readonly token: AssetId
  /** USDT. */
  readonly pay: AssetId
  readonly price: PresalePrice
  /** Token units on sale. */
  readonly supply: Units
  /** Most token units that one user gets. */
  readonly purchaseLimit: Units
  /** Least first subscription of a user, and the most that a user subscribes in all, in pay units. */
  readonly subscriptionMin: Units
  readonly subscriptionMax: Units
  /** If the sale would bring less than this, in pay units, everything is refunded. 0: none. */
  readonly softCap: Units
  readonly startsAt: Millis
  readonly endsAt: Millis
  readonly release: ReleaseTerms
  /** SHA-256 of the whitepaper, and of the texts that customers see, in lower-case hexadecimal. Empty: none. */
  readonly documentHash: string
  readonly detailsHash: string
}

/**
 * Opens a presale under a number that no other had, or changes the terms of one that has not begun. The sender chooses the number, so
 * that a repeat opens no second one. The tokens on sale are held in `presale-tokens`.
 */
export type SetPresale = { readonly type: 'presale.set'; readonly presale: PresaleNumber; readonly terms: PresaleTerms }

/** Ends a presale before its end: everything is refunded. A repeat changes nothing. */
export type CancelPresale = { readonly type: 'presale.cancel'; readonly presale: PresaleNumber }

/** Moves `amount` of the pay asset from the user's spot account to `presale-escrow`. A user's subscriptions add up. */
export type SubscribePresale = {
  readonly type: 'presale.subscribe'
  readonly user: UserId
  readonly clientId: ClientId
  readonly presale: PresaleNumber
  readonly amount: Units
}

export type PresaleCommand = SetPresale | CancelPresale | SubscribePresale
