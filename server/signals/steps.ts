import type { Decimal } from '@candor/core/money/brand.ts'
import { fractionDigits } from '@candor/core/money/units.ts'
import { stepOf } from '@candor/core/money/price.ts'

/**
 * A decimal text above zero in ticks or lots, rounded to a whole number of them. Charting services compute quantities with more digits
 * than a market has, so an alert is the one place where a remainder is cut instead of refused.
 *
 * returns  undefined beyond 2^53 − 1
 */
export function stepsIn(text: Decimal, step: Decimal, rounding: 'down' | 'up'): number | undefined {
  const { units, scale } = stepOf(step)
  const digits = fractionDigits(text)
  const numerator = BigInt(text.replace('.', '')) * 10n ** BigInt(scale)
  const denominator = BigInt(units) * 10n ** BigInt(digits)
  const steps = Number(rounding === 'down' ? numerator / denominator : (numerator + denominator - 1n) / denominator)
  return Number.isSafeInteger(steps) ? steps : undefined
}
