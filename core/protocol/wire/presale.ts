import type { Decimal } from '../../money/brand.ts'
import type { LocaleCode } from '../locales.ts'

/**
 * Where a presale stands. `upcoming`: it has not begun. `subscribing`: customers subscribe. `ended`: it is over, and either not decided
 * yet or everything was refunded (see `outcome`). `locked`: the tokens are allocated, and some are locked. `released`: none is any more.
 */
export const presaleStates = ['upcoming', 'subscribing', 'ended', 'locked', 'released'] as const
export type PresaleState = (typeof presaleStates)[number]

/**
 * What became of it: `allocated`, or everything refunded because the soft cap was `missed` or the exchange `cancelled` it. Null until then.
 */
export const presaleOutcomes = ['allocated', 'missed', 'cancelled'] as const
export type PresaleOutcome = (typeof presaleOutcomes)[number]

/**
 * How the tokens that are not released at once are released. `cliff`: all of them after `lockDays`. `linear`: an equal part every day until
 * `lockDays`. `steps`: on the days of the steps.
 */
export const releaseKinds = ['cliff', 'linear', 'steps'] as const
export type ReleaseKind = (typeof releaseKinds)[number]

/** Day 0 is the end of the presale. Each part is rounded down to the unit of the token; the last day brings the rest. */
export type WirePresaleRelease = {
  readonly kind: ReleaseKind
  /** Part that is free at the end of the presale, in percent: "20". */
  readonly atListingPercent: Decimal
  /** Days from the end until the last token is free; 0: all are free at the end. */
  readonly lockDays: number
  /** With `kind` `steps` only: the further parts, in percent of the whole allocation, in rising order of days. */
  readonly steps: readonly { readonly day: number; readonly percent: Decimal }[]
}

/** A presale as the list shows it. Sums of `payAsset` and of the token `symbol` are in whole coins. */
export type WirePresale = {
  readonly number: number
  readonly title: string
  /** Name and symbol of the token: "Practice Token", "PRACT". */
  readonly name: string
  readonly symbol: string
  readonly payAsset: string
  readonly state: PresaleState
  readonly outcome: PresaleOutcome | null
  readonly startsAt: number
  readonly endsAt: number
  /** Issue price of one token in `payAsset`. Exact, or cut off after eighteen digits. */
  readonly price: Decimal
  /** Tokens on sale. */
  readonly supply: Decimal
  /** Most tokens that one customer gets. */
  readonly purchaseLimit: Decimal
  /** Least first, and largest total, subscription of a customer, in `payAsset`. */
  readonly subscriptionMin: Decimal
  readonly subscriptionMax: Decimal
  /** If the sale would bring less than this, everything is refunded; null for none. */
  readonly softCap: Decimal | null
  readonly lockDays: number
  /** Customers who subscribed, and the sum that they subscribed, in `payAsset`. */
  readonly subscribers: number
  readonly subscribed: Decimal
  /** Sum subscribed in percent of what the whole supply costs, cut off after two digits: "135.07". */
  readonly ratePercent: Decimal
  /** Tokens that were sold, and what they cost; null until it is decided. */
  readonly sold: Decimal | null
  readonly proceeds: Decimal | null
}

/** GET `/presales?lang=`: newest start first. */
export type WirePresales = { readonly presales: readonly WirePresale[] }

/**
 * GET `/presales/:number?lang=`. The customer's own part: GET `/presales/subscriptions`. `lang`: the language of the texts: the one asked for, or else `hk` for
 * `hk-hans`, or else `en` (`title` too).
 */
export type WirePresaleDetail = WirePresale & {
  readonly lang: LocaleCode
  readonly overview: string
  readonly details: string
  readonly pool: string
  readonly useOfFunds: string
  readonly risks: string
  /** The token's whole supply, in whole coins, which is more than what is sold here. */
  readonly totalSupply: Decimal
  /** Network and address of the token's contract; null while there is none. */
  readonly contract: { readonly network: string; readonly address: string } | null
  /** SHA-256 of the whitepaper, lower-case hexadecimal; null for none. The file: GET `/presales/papers/:hash`. */
  readonly paper: string | null
  /**
   * SHA-256 of the texts in all languages, which GET `/presales/texts/:hash` has. The terms that two members of the staff decided name it.
   */
  readonly detailsHash: string
  readonly release: WirePresaleRelease
  /** Days with a release, day 0 first: with `linear`, each day up to `lockDays`. `percent`: released up to and with this day. */
  readonly schedule: readonly { readonly day: number; readonly at: number; readonly percent: Decimal }[]
}

/** POST `/presales/:number/subscriptions`. Answers 201 with the subscription as it is now. Later ones of a customer add up. */
export type WireSubscribe = {
  readonly clientId: string
  /** In `payAsset`. Taken from the spot account at once. */
  readonly amount: Decimal
}

/** A customer's subscription to one presale. */
export type WirePresaleSubscription = {
  readonly presale: number
  readonly symbol: string
  readonly payAsset: string
  readonly state: PresaleState
  readonly outcome: PresaleOutcome | null
  /** Sum of all that the customer subscribed. */
  readonly amount: Decimal
  readonly subscribedAt: number
  readonly lastAt: number
  readonly endsAt: number
  /** Tokens that the customer got, what they cost, and what came back: `cost` + `refunded` is `amount`. Null until it is decided. */
  readonly allocated: Decimal | null
  readonly cost: Decimal | null
  readonly refunded: Decimal | null
  readonly decidedAt: number | null
  /** Of the allocated tokens. They are in the spot account; locked ones are held there. */
  readonly released: Decimal | null
  readonly locked: Decimal | null
  /** The next release of this customer; null for none, or before it is decided. */
  readonly next: { readonly at: number; readonly amount: Decimal } | null
}

/** A day on which tokens become free. `total`: with all before it. */
export type WirePresaleReleaseDay = { readonly day: number; readonly at: number; readonly amount: Decimal; readonly total: Decimal }

/** GET `/presales/subscriptions`: the customer's own, newest first, each with its title in `lang`. */
export type WirePresaleSubscriptions = {
  readonly subscriptions: readonly (WirePresaleSubscription & { readonly title: string })[]
}

/** GET `/presales/:number/subscription`: the customer's own with the whole schedule of releases; `isFree`: its part is released. */
export type WirePresaleSchedule = {
  readonly subscription: WirePresaleSubscription
  readonly releases: readonly (WirePresaleReleaseDay & { readonly isFree: boolean })[]
}
