/** What a margin order can spend, and what it would borrow for that. */
import type { Decimal, Units } from '@candor/core/money/brand.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireLoanBalance } from '@candor/core/protocol/wire/margin.ts'

/** What is free, and with `borrows` what an order that spends all of it may borrow on top. */
export function spendable(balance: WireLoanBalance | undefined, borrows: boolean, scale: number): Decimal {
  return formatUnits((unitsOf(balance?.available, scale) + (borrows ? unitsOf(balance?.orderLoan, scale) : 0)) as Units, scale)
}

/** What an order that binds `needs` borrows when it is placed: what is not free, as the core counts it. */
export function borrows(needs: Decimal | undefined, balance: WireLoanBalance | undefined, scale: number): Decimal {
  return formatUnits(Math.max(0, unitsOf(needs, scale) - unitsOf(balance?.available, scale)) as Units, scale)
}

function unitsOf(text: Decimal | undefined, scale: number): number {
  return parseUnits(text ?? '0', scale) ?? 0
}
