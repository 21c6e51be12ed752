/** The span of time that the lists of the past show. It stands in the address, so that a reload and a shared link keep it. */
import { boundsOf, localStart } from '../../parts/lists/days.ts'

export type Span =
  | { readonly kind: 'any' }
  /** That many days of this device's clock; the last one is today. */
  | { readonly kind: 'last'; readonly days: number }
  /** Days as `2026-01-31`, both included; empty for no bound. */
  | { readonly kind: 'own'; readonly from: string; readonly to: string }

export type Bounds = { readonly from?: number; readonly to?: number }

export const lastDays: readonly number[] = [1, 7, 30, 90]

/** The span that the address asks for. What it can't mean counts as any time. */
export function spanOf(query: URLSearchParams): Span {
  const days = query.get('days')
  if (days === 'own') return { kind: 'own', from: dayIn(query.get('from')), to: dayIn(query.get('to')) }
  return lastDays.includes(Number(days)) ? { kind: 'last', days: Number(days) } : { kind: 'any' }
}

/** The span as parameters of the address, each with a leading ampersand. */
export function spanQuery(span: Span): string {
  if (span.kind === 'any') return ''
  if (span.kind === 'last') return `&days=${span.days}`
  return `&days=own${span.from && `&from=${span.from}`}${span.to && `&to=${span.to}`}`
}

/**
 * The span in milliseconds, both bounds included. It changes only with the day, so that it can name a list.
 *
 * today     the first moment of today
 * startOf   first moment of a day of this device's clock
 */
export function spanBounds(span: Span, today: Date, startOf: (day: string) => number = localStart): Bounds {
  if (span.kind === 'any') return {}
  if (span.kind === 'own') return boundsOf(span.from, span.to, startOf)
  // By the calendar, because a day of a clock change does not have 24 hours.
  return { from: new Date(today.getFullYear(), today.getMonth(), today.getDate() - span.days + 1).getTime() }
}

function dayIn(text: string | null): string {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return ''
  const at = new Date(`${text}T00:00:00Z`)
  const isReal = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
  // Days at the ends of the calendar have no first moment that the exchange understands in every time zone.
  return isReal && text > '1970-01-01' && text < '9999' ? text : ''
}
