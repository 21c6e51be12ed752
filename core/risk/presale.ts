/** Amounts of a presale. The exchange and the app compute them with the same functions. */
import type { Days, Units } from '../money/brand.ts'
import { mulDivCeil, mulDivFloor } from '../money/mul-div.ts'
import type { PresalePrice, PresaleTerms, ReleaseTerms } from '../protocol/command/presale.ts'

const million = 1_000_000
export const dayMs = 86_400_000
/** Largest sum in terms, in units. */
const sumMax = 2 ** 50
const daysMax = 3650
const stepsMax = 60
const windowMaxMs = 90 * dayMs

/** Token units that a sum buys, rounded down: sum × per ÷ pay. At most 2^53 − 1. */
export function tokensFor(paid: Units, { pay, per }: PresalePrice): Units {
  const exact = (BigInt(paid) * BigInt(per)) / BigInt(pay)
  return (exact > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(exact)) as Units
}

/** What token units cost, rounded up, so that no more is refunded than was left: tokens × pay ÷ per. */
export function costOf(tokens: Units, { pay, per }: PresalePrice): Units {
  return mulDivCeil(tokens, pay, per) as Units
}

/**
 * Shares the supply among subscribers in proportion to their sums, none of whom gets more than the limit or than the sum buys:
 *
 *   allocated = min(cap, λ × sum), with the one λ at which they make up the supply, or with all caps when those are less
 *
 * Fractions of a unit are cut off. The units that this leaves go to the largest fractions, and among equal ones to the earlier
 * subscriber. Exact.
 *
 * sums       of the subscribers, in pay units above zero, earliest subscriber first
 * returns    token units in the same order; together at most the supply
 */
export function allocate(sums: readonly Units[], { price, supply, purchaseLimit }: PresaleTerms): Units[] {
  const caps = sums.map((sum) => Math.min(purchaseLimit, tokensFor(sum, price)) as Units)
  if (caps.reduce((total, cap) => total + BigInt(cap), 0n) <= BigInt(supply)) return caps
  const bids = sums.map((sum, at): Bid => ({ at, sum: BigInt(sum), cap: BigInt(caps[at]!) }))
  // The water rises past the caps in this order.
  bids.sort((a, b) => compare(a.cap * b.sum, b.cap * a.sum) || a.at - b.at)
  let [left, dry] = [BigInt(supply), bids.reduce((total, { sum }) => total + sum, 0n)]
  let first = 0
  // λ is left ÷ dry. It only grows while those whose cap lies below are taken out.
  for (; bids[first]!.cap * dry <= left * bids[first]!.sum; first++) {
    left -= bids[first]!.cap
    dry -= bids[first]!.sum
  }
  shareOut(bids.slice(first), left, dry, caps)
  return caps
}

type Bid = { readonly at: number; readonly sum: bigint; readonly cap: bigint }

/** Shares `left` among bids whose sums make up `dry`, into the places of `shares`. */
function shareOut(bids: readonly Bid[], left: bigint, dry: bigint, shares: Units[]): void {
  let crumbs = left
  const rests = bids.map(({ at, sum }) => {
    const share = (left * sum) / dry
    shares[at] = Number(share) as Units
    crumbs -= share
    return { at, rest: left * sum - share * dry }
  })
  rests.sort((a, b) => compare(b.rest, a.rest) || a.at - b.at)
  for (const { at } of rests.slice(0, Number(crumbs))) shares[at] = (shares[at]! + 1) as Units
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Units of an allocation that are free after this many days, each part rounded down; all of them from the last day on. */
export function releasedBy(allocated: Units, { atListingPpm, kind, lockDays, steps }: ReleaseTerms, day: Days): Units {
  if (day >= lockDays) return allocated
  const atOnce = mulDivFloor(allocated, atListingPpm, million)
  if (kind === 'cliff') return atOnce as Units
  if (kind === 'linear') return (atOnce + mulDivFloor(allocated - atOnce, day, lockDays)) as Units
  const reached = steps.filter((step) => step.day <= day)
  return reached.reduce((sum, { ppm }) => sum + mulDivFloor(allocated, ppm, million), atOnce) as Units
}

/** The next day after `day` on which tokens become free; undefined after the last. */
export function releaseDayAfter({ kind, lockDays, steps }: ReleaseTerms, day: Days): Days | undefined {
  if (day >= lockDays) return undefined
  if (kind === 'cliff') return lockDays
  return kind === 'linear' ? ((day + 1) as Days) : steps.find((step) => step.day > day)!.day
}

/** The first term that makes no sense, alone or with the others; undefined when all do. */
export function wrongPresaleTerm(terms: PresaleTerms): string | undefined {
  const { price, supply, purchaseLimit, subscriptionMin, subscriptionMax, softCap, startsAt, endsAt, release } = terms
  if (!isSum(price.pay) || !isSum(price.per)) return 'price'
  if (!isSum(supply) || BigInt(supply) * BigInt(price.pay) > BigInt(price.per) * BigInt(sumMax)) return 'supply'
  if (!isSum(purchaseLimit) || purchaseLimit > supply) return 'purchaseLimit'
  if (!isSum(subscriptionMin) || tokensFor(subscriptionMin, price) < 1) return 'subscriptionMin'
  if (!isSum(subscriptionMax) || subscriptionMax < subscriptionMin) return 'subscriptionMax'
  if (!(softCap >= 0 && softCap <= costOf(supply, price))) return 'softCap'
  if (!(startsAt >= 0)) return 'startsAt'
  if (!(endsAt > startsAt && endsAt - startsAt <= windowMaxMs)) return 'endsAt'
  if (![terms.documentHash, terms.detailsHash].every((hash) => /^([0-9a-f]{64})?$/.test(hash))) return 'documentHash'
  return wrongReleaseTerm(release)
}

function wrongReleaseTerm({ atListingPpm, kind, lockDays, steps }: ReleaseTerms): string | undefined {
  if (!(atListingPpm >= 0 && atListingPpm <= million)) return 'atListingPpm'
  // What is free at the end has no lock-up, and what has a lock-up is not all free at the end.
  if (!(lockDays >= 0 && lockDays <= daysMax) || (lockDays === 0) !== (atListingPpm === million)) return 'lockDays'
  if (kind !== 'steps' || lockDays === 0) return steps.length === 0 ? undefined : 'steps'
  const areRising = steps.every(({ day, ppm }, n) => day > (steps[n - 1]?.day ?? 0) && ppm > 0)
  const isWhole = steps.reduce((sum, { ppm }) => sum + ppm, atListingPpm as number) === million
  return steps.length <= stepsMax && areRising && isWhole && steps.at(-1)?.day === lockDays ? undefined : 'steps'
}

function isSum(units: Units): boolean {
  return units > 0 && units <= sumMax
}
