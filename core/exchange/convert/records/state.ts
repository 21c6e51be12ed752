import type { Millis, Ppm, Units } from '../../../money/brand.ts'
import { Shards } from '../../../protocol/codec/shards.ts'
import type { ConvertShelf, ConvertTerms } from '../../../protocol/command/convert.ts'
import type { ConversionFacts } from '../../../protocol/event/convert.ts'
import type { AssetId, QuoteNumber, UserId } from '../../../protocol/ids.ts'

const dayMs = 86_400_000
/** Accepted quotes that ended and are remembered, so that a repeat of the acceptance is no fault. */
const endedMax = 4096

/** A quote with the terms under which it was made. */
export type Quote = ConversionFacts & {
  readonly expiresAt: Millis
  readonly delayMs: Millis
  readonly waitMs: Millis
  readonly driftPpm: Ppm
}

/** An accepted quote. `decidesFrom`: the first index tick from then on decides it. `endsAt`: it ends at the latest. */
export type Acceptance = ConversionFacts & {
  readonly acceptedAt: Millis
  readonly driftPpm: Ppm
  readonly decidesFrom: Millis
  readonly endsAt: Millis
}

/** Value of a customer's conversions on a UTC day, in USDT units. */
export type ConvertedDay = { readonly day: Millis; readonly value: Units }

/** Quotes and conversions. */
export class ConvertState {
  terms: ConvertTerms | undefined = undefined
  /** Open quotes, one a user at most, in the order in which they were made. */
  readonly quotes = new Map<UserId, Quote>()
  /** Accepted quotes that are not decided, in the order of their acceptance. */
  readonly accepted = new Map<QuoteNumber, Acceptance>()
  /** By customer: of a firm, its main account. */
  readonly days = new Shards<ConvertedDay>()
  /** Owners of the last quotes that were accepted and have ended, oldest first. */
  readonly ended = new Map<QuoteNumber, UserId>()
  /** Sums that accepted quotes will bring into the inventory, per asset; no zeros. */
  readonly coming = new Map<AssetId, Units>()

  shelf(asset: AssetId): ConvertShelf | undefined {
    return this.terms?.shelves.find((shelf) => shelf.asset === asset)
  }

  addQuote(quote: Quote): void {
    // Removed first, so that the user's new quote is the youngest of the map.
    this.quotes.delete(quote.user)
    this.quotes.set(quote.user, quote)
  }

  /** Forgets the oldest quotes that can no longer be accepted. */
  forget(atMs: Millis): void {
    for (const [user, { expiresAt }] of this.quotes) {
      if (expiresAt >= atMs) return
      this.quotes.delete(user)
    }
  }

  accept(acceptance: Acceptance): void {
    this.quotes.delete(acceptance.user)
    this.accepted.set(acceptance.quote, acceptance)
    this.#comes(acceptance.from, acceptance.give)
  }

  end({ quote, user, from, give }: Acceptance): void {
    this.accepted.delete(quote)
    this.#comes(from, -give as Units)
    this.ended.set(quote, user)
    if (this.ended.size > endedMax) this.ended.delete(this.ended.keys().next().value!)
  }

  /** Value of the user's conversions that are accepted and not decided, in USDT units. */
  waiting(user: UserId): Units {
    let sum = 0
    for (const acceptance of this.accepted.values()) if (acceptance.user === user) sum += acceptance.value
    return sum as Units
  }

  /** Value that counts against the customer's limit on the UTC day of this time. */
  convertedOn(customer: UserId, atMs: Millis): Units {
    const known = this.days.get(customer)
    return known?.day === dayOf(atMs) ? known.value : (0 as Units)
  }

  count(customer: UserId, { value, acceptedAt }: Acceptance): void {
    this.days.set(customer, { day: dayOf(acceptedAt), value: (this.convertedOn(customer, acceptedAt) + value) as Units })
  }

  /** Takes one that ended without a conversion off again, unless another day has begun for the customer. */
  uncount(customer: UserId, { value, acceptedAt }: Acceptance): void {
    const known = this.days.get(customer)
    if (known?.day === dayOf(acceptedAt)) this.days.set(customer, { ...known, value: (known.value - value) as Units })
  }

  #comes(asset: AssetId, change: Units): void {
    const sum = (this.coming.get(asset) ?? 0) + change
    if (sum === 0) this.coming.delete(asset)
    else this.coming.set(asset, sum as Units)
  }
}

function dayOf(atMs: Millis): Millis {
  return (atMs - (atMs % dayMs)) as Millis
}
