/** Amounts of a conversion. The exchange and the form compute them with the same functions. */
import type { Decimal, IndexPrice, Ppm, Units } from '../money/brand.ts'
import { mulDivFloor } from '../money/mul-div.ts'
import { formatUnits } from '../money/units.ts'
import type { ConvertTerms } from '../protocol/command/convert.ts'

const million = 1_000_000n

/** An asset with its price in USDT (1e-8 of a USDT for a whole unit; 1e8 for USDT itself) and the digits behind its point. */
export type Priced = { readonly price: IndexPrice; readonly scale: number }

/**
 * What a user gets for what they give, rounded down:
 *
 *   give × price of `from` ÷ price of `to` × (1 − spread)
 *
 * returns    undefined beyond a safe integer
 */
export function converted(give: Units, from: Priced, to: Priced, spreadPpm: Ppm): Units | undefined {
  const paid = BigInt(give) * BigInt(from.price) * 10n ** BigInt(to.scale) * (million - BigInt(spreadPpm))
  return safe(paid / (BigInt(to.price) * 10n ** BigInt(from.scale) * million))
}

/** What a user must give to get this much: the inverse of `converted`, rounded up. */
export function giveFor(get: Units, from: Priced, to: Priced, spreadPpm: Ppm): Units | undefined {
  const divisor = BigInt(from.price) * 10n ** BigInt(to.scale) * (million - BigInt(spreadPpm))
  return safe(ceil(BigInt(get) * BigInt(to.price) * 10n ** BigInt(from.scale) * million, divisor))
}

/** What a sum is worth in another asset at these prices, rounded up; undefined beyond a safe integer. */
export function worth(units: Units, from: Priced, to: Priced): Units | undefined {
  return safe(ceil(BigInt(units) * BigInt(from.price) * 10n ** BigInt(to.scale), BigInt(to.price) * 10n ** BigInt(from.scale)))
}

/** The price of USDT in USDT. */
export const usdtPrice = 100_000_000 as IndexPrice

export type PricePair = { readonly from: IndexPrice; readonly to: IndexPrice }

/**
 * Whether the rate of two assets has moved further than `driftPpm` between two moments, in either direction. Exact:
 *
 *   |rate now − rate before| > rate before × drift, and the same with now and before exchanged
 */
export function hasMoved(before: PricePair, now: PricePair, driftPpm: Ppm): boolean {
  const was = BigInt(before.from) * BigInt(now.to)
  const is = BigInt(now.from) * BigInt(before.to)
  const bound = million + BigInt(driftPpm)
  return is * million > was * bound || was * million > is * bound
}

/** Whether the terms make sense. A drift within the spread leaves no profit to a customer who waits for the index. */
export function areConvertTermsValid(terms: ConvertTerms): boolean {
  const { spreadPpm, driftPpm, bookPpm, validMs, delayMs, waitMs, min, max, userMax, shelves } = terms
  if (!(spreadPpm > 0 && spreadPpm <= 100_000 && driftPpm >= 0 && driftPpm <= spreadPpm && bookPpm >= 0 && bookPpm <= 500_000)) return false
  if (!(validMs >= 1000 && validMs <= 60_000 && delayMs >= 0 && delayMs <= 10_000 && waitMs >= delayMs && waitMs <= 60_000)) return false
  if (!(min > 0 && min <= max && max <= userMax && userMax <= sumMax)) return false
  return shelves.every(
    ({ asset, target, band }, n) => asset > (shelves[n - 1]?.asset ?? 0) && target >= 0 && target <= sumMax && band >= 0 && band <= sumMax,
  )
}

/** Far above every sum that makes sense; two of them add up to a safe integer. */
const sumMax = 2 ** 51

function ceil(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}

function safe(value: bigint): Units | undefined {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? (Number(value) as Units) : undefined
}

/** Significant digits of a printed rate. */
const rateDigits = 8
const rateScaleMax = 18

/** A sum of an asset, and the digits behind its point. */
export type Sum = { readonly units: Units; readonly scale: number }

/** One asset in another as the sums of a conversion have it, cut off after eight significant digits: "0.000019975". */
export function rateText(of: Sum, per: Sum): Decimal {
  for (let digits = 0; ; digits++) {
    const cut = (BigInt(of.units) * 10n ** BigInt(per.scale + digits)) / (BigInt(per.units) * 10n ** BigInt(of.scale))
    if (cut >= 10n ** BigInt(rateDigits - 1) || digits === rateScaleMax) return formatUnits(cut, digits)
  }
}

/** What the exchange keeps of a conversion, in units of what is received, rounded down: get × spread ÷ (1 − spread). */
export function spreadOf(get: Units, spreadPpm: Ppm): Units {
  return mulDivFloor(get, spreadPpm, 1_000_000 - spreadPpm) as Units
}
