/** The amount of a subscription: its maximum, and what stands against it. */
import type { Decimal, Units } from '@candor/core/money/brand.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WirePresale, WirePresaleSubscription } from '@candor/core/protocol/wire/presale.ts'

type Limits = Pick<WirePresale, 'subscriptionMin' | 'subscriptionMax'> & { readonly own: Pick<WirePresaleSubscription, 'amount'> | null }

export type Obstacle = 'missing' | 'tooSmall' | 'tooLarge' | 'INSUFFICIENT_BALANCE'

/** The typed amount for the request, without a trailing point. */
export function plain(text: string): Decimal {
  return text.replace(/\.$/, '')
}

/** The most that can be added: of the balance, and of what the customer may still subscribe. At least 0. `scale`: of the pay asset. */
export function mostOf(limits: Limits, available: Decimal, scale: number): Decimal {
  const units = (text: Decimal): number => parseUnits(text, scale) ?? 0
  return formatUnits(Math.max(0, Math.min(units(available), leftOf(limits, scale))), scale)
}

/**
 * The first thing that stands against an amount, in the order of the core's checks.
 *
 * available  of the spot account; undefined until it is known
 */
export function obstacleOf(text: string, limits: Limits, available: Decimal | undefined, scale: number): Obstacle | undefined {
  const units = parseUnits(plain(text), scale)
  if (units === undefined || units <= 0) return 'missing'
  if (limits.own === null && units < (parseUnits(limits.subscriptionMin, scale) ?? 0)) return 'tooSmall'
  if (units > leftOf(limits, scale)) return 'tooLarge'
  return available !== undefined && units > (parseUnits(available, scale) ?? 0) ? 'INSUFFICIENT_BALANCE' : undefined
}

/** The sum of a customer's subscriptions with the typed amount. */
export function totalOf(text: string, { own }: Limits, scale: number): Decimal {
  return formatUnits((parseUnits(plain(text), scale) ?? 0) + (parseUnits(own?.amount ?? '0', scale) ?? 0), scale)
}

function leftOf({ subscriptionMax, own }: Limits, scale: number): Units {
  return ((parseUnits(subscriptionMax, scale) ?? 0) - (parseUnits(own?.amount ?? '0', scale) ?? 0)) as Units
}
