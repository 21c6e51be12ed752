/** The state of an order of Second by its terms and the exchange's clock. It is for display only; the core decides results. */
import { parseUnits, formatFixed } from '@candor/core/money/units.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'

/** `placed` until the opening price is fixed; `closing` between expiry and the exchange's result. */
export type Phase = 'placed' | 'running' | 'closing' | 'settled'

export function phaseOf(order: WireOption, nowMs: number): Phase {
  if (order.status === 'settled') return 'settled'
  if (nowMs >= order.expiresAt) return 'closing'
  return order.strike === undefined ? 'placed' : 'running'
}

/** Whole seconds until an order settles, rounded up; 0 when the time is over. */
export function secondsLeft(order: WireOption, nowMs: number): number {
  return Math.max(0, Math.ceil((order.expiresAt - nowMs) / 1_000))
}

/** Share of the duration that is left, from 1 down to 0. */
export function shareLeft(order: WireOption, nowMs: number): number {
  return Math.min(1, Math.max(0, (order.expiresAt - nowMs) / (order.seconds * 1_000)))
}

/** The result if this were the settlement price. Undefined without an opening price. */
export function standing(order: WireOption, price: Decimal | undefined): 'ahead' | 'behind' | 'level' | undefined {
  if (order.strike === undefined || price === undefined) return undefined
  const difference = Number(price) - Number(order.strike)
  if (difference === 0) return 'level'
  return difference > 0 === (order.direction === 'up') ? 'ahead' : 'behind'
}

/**
 * The quantity of the coin that the stake would buy at the opening price:
 *
 *   stake ÷ strike, rounded down to `digits` places
 *
 * Undefined without an opening price.
 */
export function openingQuantity(order: WireOption, digits: number): Decimal | undefined {
  if (order.strike === undefined) return undefined
  const stake = parseUnits(order.stake, 8)
  const strike = parseUnits(order.strike, 8)
  if (stake === undefined || strike === undefined || strike <= 0) return undefined
  return formatFixed((BigInt(stake) * 10n ** BigInt(digits)) / BigInt(strike), digits)
}

/** Milliseconds from acceptance to settlement. Undefined while the order runs. */
export function heldMs(order: WireOption): number | undefined {
  return order.settledAt === undefined ? undefined : order.settledAt - order.acceptedAt
}

/** Share of won orders among won and lost ones, in percent with one place, rounded down. Ties and void orders don't count. */
export function winRate(wins: number, losses: number): Decimal | undefined {
  const decided = wins + losses
  return decided === 0 ? undefined : formatFixed(Math.floor((wins * 1_000) / decided), 1)
}
