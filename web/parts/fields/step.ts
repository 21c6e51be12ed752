/** Exact decimal text in steps of a tick or lot: values that are sent never pass through floating point. */
import type { Decimal } from '@candor/core/money/brand.ts'

/** The text of an amount field while typing: digits, one point, at most `places` decimal places. A comma counts as a point. */
export function typed(text: string, places: number): string | undefined {
  const plain = text.replace(',', '.').replace(/^\./, '0.')
  const pattern = places === 0 ? /^\d*$/ : new RegExp(`^\\d*(\\.\\d{0,${places}})?$`)
  return pattern.test(plain) ? plain.replace(/^0+(?=\d)/, '') : undefined
}

/** The next multiple of `step` above (+1) or below (−1) `value`, never below zero. An empty value counts as zero. */
export function stepped(value: Decimal | '', step: Decimal, direction: 1 | -1): Decimal {
  const places = placesIn(step)
  const scale = Math.max(places, placesIn(value))
  const unit = scaled(step, scale)
  const now = scaled(value === '' ? '0' : value, scale)
  const rest = now % unit
  const next = direction === 1 ? now - rest + unit : rest === 0n ? now - unit : now - rest
  return unscaled(next < 0n ? 0n : next, scale, places)
}

/** `value` rounded down to a multiple of `step`. */
export function floored(value: Decimal, step: Decimal): Decimal {
  const places = placesIn(step)
  const scale = Math.max(places, placesIn(value))
  const now = scaled(value, scale)
  return unscaled(now - (now % scaled(step, scale)), scale, places)
}

/** `percent` of `value` (whole percent, 0 to 100), rounded down to a multiple of `step`. */
export function portion(value: Decimal, percent: number, step: Decimal): Decimal {
  const scale = Math.max(placesIn(step), placesIn(value)) + 2
  const part = (scaled(value, scale) * BigInt(Math.round(percent))) / 100n
  return unscaled(part - (part % scaled(step, scale)), scale, placesIn(step))
}

function placesIn(text: string): number {
  const point = text.indexOf('.')
  return point < 0 ? 0 : text.length - point - 1
}

function scaled(text: string, scale: number): bigint {
  const [whole, part = ''] = text.split('.')
  return BigInt(`${whole === '' ? '0' : whole}${part.padEnd(scale, '0')}`)
}

function unscaled(value: bigint, scale: number, places: number): Decimal {
  const digits = value.toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const part = digits.slice(digits.length - scale).slice(0, places)
  return part === '' ? whole : `${whole}.${part}`
}
