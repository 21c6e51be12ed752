/** Texts and numbers of orders of Second, shared by all screens. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import type { Formats } from '../../app/formats.ts'
import type { Translate } from '../../app/translate.ts'

/** "30 s", "15 min". */
export function durationOf(seconds: number, t: Translate): string {
  return seconds % 60 === 0 && seconds >= 60 ? t('option.minutes', { n: seconds / 60 }) : t('option.seconds', { n: seconds })
}

/** A span as "0:32" or "14:05". */
export function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** "+8.50", "−10.00", "0.00": at least two places, and all that the value has. */
export function signed(value: Decimal, format: Formats): string {
  const number = Number(value)
  const sign = number > 0 ? '+' : number < 0 ? '−' : ''
  return `${sign}${format.number(value.replace(/^[-+]/, ''), 2, 6)}`
}

/** Parts per million as decimal percent: 500 is "0.05". */
export function percentOf(ppm: number): Decimal {
  return String(ppm / 10_000)
}

/** "84%", "0.05%": with decimal places only if needed. */
export function percentText(ppm: number, format: Formats): string {
  return format.percent(percentOf(ppm), ppm % 10_000 === 0 ? 0 : 2)
}

export function resultOf(order: WireOption, t: Translate): string {
  return order.result === undefined ? t('option.phase.running') : t(`option.result.${order.result}`)
}

/** Colour of a result, which is always shown with its word. */
export function toneOf(order: WireOption): string {
  return order.result === 'win' ? 'text-up' : order.result === 'lose' ? 'text-down' : 'text-fg2'
}

/** An index price in a list, with one place more than the market's tick. The order's sheet shows all places. */
export function shortPrice(value: Decimal, priceDigits: number, format: Formats): string {
  return format.number(value, priceDigits, priceDigits + 1)
}

/** The reason for the result, as a sentence. */
export function sentenceOf(order: WireOption, t: Translate): string {
  if (order.result === 'tie') return t('settled.resultSays.tie')
  if (order.result === 'void')
    return t(`settled.resultSays.${order.voidReason === 'guard' || order.voidReason === 'sources' ? order.voidReason : 'gap'}`)
  return t(Number(order.settlePrice) > Number(order.strike) ? 'settled.resultSays.above' : 'settled.resultSays.below')
}

/** A time of the tape, in UTC with milliseconds. */
export function stamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 23)} UTC`
}
