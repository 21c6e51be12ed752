import type { Decimal, Units } from './brand.ts'

const decimalPattern = /^-?[0-9]+(?:\.[0-9]+)?$/
/** Longer text is never read: it can't be a valid amount. */
const textMax = 48

/** Whether the text is a decimal number as it travels: ASCII digits, at most one point between them, an optional leading minus. */
export function isDecimal(text: string): boolean {
  return text.length <= textMax && decimalPattern.test(text)
}

/** Digits behind the point of a decimal text, trailing zeros included. */
export function fractionDigits(text: Decimal): number {
  const point = text.indexOf('.')
  return point < 0 ? 0 : text.length - point - 1
}

/**
 * A decimal text as units of an asset with `scale` decimal places, exact. Never rounds: undefined when the text is not
 * a decimal number, has more fractional digits than the scale (zeros too), or lies beyond ±(2^53 − 1) units.
 */
export function parseUnits(text: string, scale: number): Units | undefined {
  if (!isDecimal(text)) return undefined
  const missing = scale - fractionDigits(text)
  if (missing < 0) return undefined
  // Number() rounds a number beyond 2^53 to at least 2^53, so no number that is too large passes as safe.
  const units = Number(text.replace('.', '') + '0'.repeat(missing))
  return Number.isSafeInteger(units) ? ((units + 0) as Units) : undefined
}

/** Shortest decimal text: "0.5", "12", "-3.25". Sums beyond 2^53 come as bigint; a number that is not a safe integer throws. */
export function formatUnits(units: number | bigint, scale: number): Decimal {
  return trimZeros(formatFixed(units, scale))
}

/** Decimal text with all `scale` digits behind the point: "0.500000". A number that is not a safe integer throws. */
export function formatFixed(units: number | bigint, scale: number): Decimal {
  if (typeof units === 'number' && !Number.isSafeInteger(units)) throw new Error(`not a safe integer: ${units}`)
  const sign = units < 0 ? '-' : ''
  // String() prints −0 as 0.
  if (scale === 0) return String(units)
  const digits = String(units < 0 ? -units : units).padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

function trimZeros(text: Decimal): Decimal {
  if (!text.includes('.')) return text
  let end = text.length
  while (text.charCodeAt(end - 1) === 48) end--
  if (text.charCodeAt(end - 1) === 46) end--
  return text.slice(0, end)
}
