import type { Decimal, Lots, Ticks, Units } from './brand.ts'
import { formatFixed, fractionDigits, isDecimal, parseUnits } from './units.ts'

/** A tick or lot as an integer at its own scale: "0.05" is 5 at 2. */
export type Step = { readonly units: number; readonly scale: number }

/** Parsed ticks and lots: there are few, and every price and quantity needs one. */
const steps = new Map<Decimal, Step>()

/** A tick or lot from its text. Throws when the text is not a decimal number above zero. */
export function stepOf(text: Decimal): Step {
  const known = steps.get(text)
  if (known !== undefined) return known
  const scale = fractionDigits(text)
  const units = parseUnits(text, scale)
  if (units === undefined || units <= 0) throw new Error(`not a tick or lot: ${text}`)
  const step = { units, scale }
  steps.set(text, step)
  return step
}

/** A price text in ticks, exact; zeros behind its last digit don't matter. Undefined when it is no multiple of the tick, or not above zero. */
export function parseTicks(text: string, tick: Decimal): Ticks | undefined {
  const ticks = parseSteps(text, tick)
  return ticks !== undefined && ticks > 0 ? (ticks as Ticks) : undefined
}

/** A quantity text in lots, exact; zeros behind its last digit don't matter. Undefined when it is no multiple of the lot, or negative. */
export function parseLots(text: string, lot: Decimal): Lots | undefined {
  const lots = parseSteps(text, lot)
  return lots !== undefined && lots >= 0 ? (lots as Lots) : undefined
}

/** Decimal text with all the digits of the tick: at "0.10", 15 ticks are "1.50". */
export function formatTicks(ticks: number, tick: Decimal): Decimal {
  return formatSteps(ticks, tick)
}

/** Decimal text with all the digits of the lot: at "0.00001", 150000 lots are "1.50000". Sums beyond 2^53 come as bigint. */
export function formatLots(lots: number | bigint, lot: Decimal): Decimal {
  return formatSteps(lots, lot)
}

/** ticks × lots × quotePerTickLot: quote units, exact. Throws beyond 2^53 − 1. */
export function notional(ticks: number, lots: number, market: { readonly quotePerTickLot: number }): Units {
  // Two factors whose product is not exact give a product of three that is not safe either.
  const units = ticks * lots * market.quotePerTickLot
  if (!Number.isSafeInteger(units)) throw new Error(`notional of ${ticks} ticks × ${lots} lots is beyond 2^53`)
  return units as Units
}

/** Quote units of one lot at one tick, or undefined when that is not a whole number of them. */
export function quotePerTickLot(tick: Decimal, lot: Decimal, quoteScale: number): number | undefined {
  const [price, quantity] = [stepOf(tick), stepOf(lot)]
  const product = BigInt(price.units) * BigInt(quantity.units)
  return rescale(product, price.scale + quantity.scale, quoteScale)
}

/** Base units in one lot, or undefined when that is not a whole number of them. */
export function basePerLot(lot: Decimal, baseScale: number): number | undefined {
  const { units, scale } = stepOf(lot)
  return rescale(BigInt(units), scale, baseScale)
}

function rescale(units: bigint, from: number, to: number): number | undefined {
  const power = 10n ** BigInt(Math.abs(to - from))
  if (to < from && units % power !== 0n) return undefined
  const result = Number(to < from ? units / power : units * power)
  return Number.isSafeInteger(result) ? result : undefined
}

function parseSteps(text: string, step: Decimal): number | undefined {
  if (!isDecimal(text)) return undefined
  const { units, scale } = stepOf(step)
  const extra = fractionDigits(text) - scale
  let digits = text
  if (extra > 0) {
    for (let i = text.length - extra; i < text.length; i++) if (text.charCodeAt(i) !== 48) return undefined
    digits = text.slice(0, text.length - extra)
    if (digits.endsWith('.')) digits = digits.slice(0, -1)
  }
  const value = parseUnits(digits, scale)
  if (value === undefined || value % units !== 0) return undefined
  return value / units + 0
}

function formatSteps(count: number | bigint, step: Decimal): Decimal {
  const { units, scale } = stepOf(step)
  if (typeof count === 'bigint') return formatFixed(count * BigInt(units), scale)
  return formatFixed(count * units, scale)
}
