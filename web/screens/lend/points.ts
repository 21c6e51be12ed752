/** The geometry of the rate curve: straight lines between the three points of the terms. */
import type { WireMarginTerms } from '@candor/core/protocol/wire/margin.ts'

type Size = { readonly width: number; readonly height: number }
type Rates = Pick<WireMarginTerms, 'kink' | 'rateZero' | 'rateKink' | 'rateFull'>

/** Points at zero utilization, at the kink and at full utilization; y grows downwards. */
export function curveOf(terms: Rates, size: Size): readonly { readonly x: number; readonly y: number }[] {
  return [
    { x: 0, y: yOf(terms, Number(terms.rateZero), size) },
    { x: Number(terms.kink) * size.width, y: yOf(terms, Number(terms.rateKink), size) },
    { x: size.width, y: yOf(terms, Number(terms.rateFull), size) },
  ]
}

/** The y coordinate of a rate in percent: zero at the bottom, the highest rate at the top. */
export function yOf({ rateFull }: Rates, rate: number, { height }: Size): number {
  const full = Number(rateFull)
  return full === 0 ? height : Math.max(0, height - (rate / full) * height)
}

/** Daily earnings of a sum at a yearly rate in percent. */
export function perDay(amount: number, yearly: number): number {
  return (amount * yearly) / 36_500
}

const hourMs = 3_600_000

/** Start of the next full hour, from which coins lent now earn. */
export function nextHour(now: number): number {
  return (Math.floor(now / hourMs) + 1) * hourMs
}
