/** Sums in other currencies. */
import type { Decimal } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'

/** A sum in USDT, each counted as a dollar, times `rate` for a dollar, rounded down to `digits` decimal places. */
export function inCurrency(usdt: Decimal, rate: Decimal, digits: number): Decimal {
  const [a, b] = [scaled(usdt), scaled(rate)]
  const product = a.units * b.units
  const unit = 10n ** BigInt(Math.max(0, a.digits + b.digits - digits))
  const floor = product / unit - (product % unit < 0n ? 1n : 0n)
  return formatUnits(floor, Math.min(digits, a.digits + b.digits))
}

/** How many decimal places sums in a currency usually have: 0 for the yen. */
export function digitsOf(currency: string, tag: string): number {
  return new Intl.NumberFormat(tag, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

function scaled(text: Decimal): { readonly units: bigint; readonly digits: number } {
  const [whole = '0', part = ''] = text.split('.')
  return { units: BigInt(whole + part), digits: part.length }
}
