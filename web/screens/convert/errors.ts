/** What stands against the form before a quote is asked for, in the order of the core's checks. */
import type { Decimal, Units } from '@candor/core/money/brand.ts'
import type { WireConvertTerms } from '@candor/core/protocol/wire/convert.ts'
import type { Summary } from './summary.ts'
import { usdtUnits } from './summary.ts'

export type FormError = 'missing' | 'INSUFFICIENT_BALANCE' | 'tooLarge' | 'daily' | 'tooSmall'

/**
 * The first obstacle. Sums by the index move, so the exchange may still refuse what passes here.
 *
 * available  units of the coin that is given; undefined for visitors
 * left       what is left of the limit of the day, in USDT; undefined while it is unknown
 */
export function errorOf(
  { give, get, value }: Summary,
  isTyped: boolean,
  terms: Pick<WireConvertTerms, 'min' | 'max'>,
  { available, left }: { readonly available: Units | undefined; readonly left: Decimal | undefined },
): FormError | undefined {
  if (!isTyped) return 'missing'
  if (give !== undefined && available !== undefined && give > available) return 'INSUFFICIENT_BALANCE'
  if (value === undefined) return undefined
  if (value > usdtUnits(terms.max)) return 'tooLarge'
  if (left !== undefined && value > usdtUnits(left)) return 'daily'
  return value < usdtUnits(terms.min) || (get !== undefined && get <= 0) ? 'tooSmall' : undefined
}

/** Refusals of a quote that are about its amount, and so are shown at its field. */
export const refusalsOfAmount: ReadonlySet<string> = new Set([
  'INSUFFICIENT_BALANCE',
  'AMOUNT_TOO_LARGE',
  'AMOUNT_TOO_SMALL',
  'AMOUNT_NOT_POSITIVE',
  'TOO_MANY_DIGITS',
  'CONVERT_LIMIT',
  'INVENTORY_LIMIT',
  'NO_LIQUIDITY',
])
