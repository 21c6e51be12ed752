/** The typed value of a limit, and the effect of saving it. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { OwnLimitKind, WireOwnLimit } from '@candor/core/protocol/wire/own-limits.ts'

export const isMinutes = (kind: OwnLimitKind): boolean => kind === 'session-day'

/** The value of a complete text; undefined for none that can be a limit. */
export function valueOf(text: string): Decimal | undefined {
  const value = text.replace(/\.$/, '')
  return Number(value) > 0 ? (value as Decimal) : undefined
}

/** Whether a change waits: a higher value, or none, in place of a limit. */
export function isRaise({ value }: WireOwnLimit, next: Decimal | null): boolean {
  return value !== null && (next === null || Number(next) > Number(value))
}

/** The share of a limit that is used, 0 to 1, for its bar. `used`: minutes, or the result of the period, a loss below zero. */
export function shareOf({ kind, value }: WireOwnLimit, used: number): number {
  if (value === null) return 0
  const spent = kind.startsWith('loss') ? -used : used
  return Math.min(1, Math.max(0, spent / Number(value)))
}
