/** Calculates how much a margin order can spend and would borrow. */
import type { Decimal, Units } from '@candor/core/money/brand.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireLoanBalance } from '@candor/core/protocol/wire/margin.ts'

/** The available balance; with `borrows` plus the loan that an order spending all of it may take. */
export function spendable(balance: WireLoanBalance | undefined, borrows: boolean, scale: number): Decimal {
  return formatUnits((unitsOf(balance?.available, scale) + (borrows ? unitsOf(balance?.orderLoan, scale) : 0)) as Units, scale)
}

/** The loan of an order that holds `needs`: the part beyond the available balance, as in the core. */
export function borrows(needs: Decimal | undefined, balance: WireLoanBalance | undefined, scale: number): Decimal {
  return formatUnits(Math.max(0, unitsOf(needs, scale) - unitsOf(balance?.available, scale)) as Units, scale)
}

function unitsOf(text: Decimal | undefined, scale: number): number {
  return parseUnits(text ?? '0', scale) ?? 0
}
