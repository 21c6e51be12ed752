/** What an order of Second is doing, by its own terms and the exchange's clock. Nothing here decides anything: the core did. */
import { parseUnits, formatFixed } from '@candor/core/money/units.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'

/** `placed` until the opening price is fixed; `closing` between expiry and the answer of the exchange. */
export type Phase = 'placed' | 'running' | 'closing' | 'settled'

export function phaseOf(order: WireOption, nowMs: number): Phase {
  if (order.status === 'settled') return 'settled'
  if (nowMs >= order.expiresAt) return 'closing'
  return order.strike === undefined ? 'placed' : 'running'
}

/** Whole seconds until it settles, rounded up: 0 means that the time is over. */
export function secondsLeft(order: WireOption, nowMs: number): number {
  return Math.max(0, Math.ceil((order.expiresAt - nowMs) / 1_000))
}

/** How much of the duration is left, from 1 down to 0. */
export function shareLeft(order: WireOption, nowMs: number): number {
  return Math.min(1, Math.max(0, (order.expiresAt - nowMs) / (order.seconds * 1_000)))
}

/** What it would be, were this the settlement price. Undefined without an opening price. */
export function standing(order: WireOption, price: Decimal | undefined): 'ahead' | 'behind' | 'level' | undefined {
  if (order.strike === undefined || price === undefined) return undefined
  const difference = Number(price) - Number(order.strike)
  if (difference === 0) return 'level'
  return difference > 0 === (order.direction === 'up') ? 'ahead' : 'behind'
}

/**
 * What the stake would have bought at the opening price, in the coin:
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

/** Milliseconds from acceptance to settlement. Undefined while it runs. */
export function heldMs(order: WireOption): number | undefined {
  return order.settledAt === undefined ? undefined : order.settledAt - order.acceptedAt
}

/** Won orders of those that were won or lost, in percent with one place, rounded down: ties and void ones say nothing. */
export function winRate(wins: number, losses: number): Decimal | undefined {
  const decided = wins + losses
  return decided === 0 ? undefined : formatFixed(Math.floor((wins * 1_000) / decided), 1)
}
