import type { Decimal, IndexPrice, Units } from '../money/brand.ts'
import { formatUnits } from '../money/units.ts'

/** A coin, for the digits behind the point of its amounts. */
export type Scaled = { readonly scale: number }

/** Digits behind the point of costs and profits: they are millionths of a USDT. */
export const costDigits = 6
/** Digits behind the point of an index price. */
const priceDigits = 8
/** Digits behind the point of an average cost, which is a price per coin. */
const averageDigits = 12

/**
 * Cost of a user's units of one coin, over all accounts of the user, and their profit so far. All sums are millionths of a USDT,
 * as big integers, because the whole supply of a coin at a high price exceeds 2^53.
 */
export type CostBasis = {
  /** Units of the coin. */
  quantity: number
  cost: bigint
  /** Profit (+) or loss (−) of everything that was sold, converted, or paid as a cost. */
  realised: bigint
  /** Units that the user owes, and what they were worth when they were borrowed. */
  debt: number
  debtCost: bigint
  /** Some of the units came at no known price: there is no average until they are gone. */
  isPartial: boolean
}

export function emptyBasis(): CostBasis {
  return { quantity: 0, cost: 0n, realised: 0n, debt: 0, debtCost: 0n, isPartial: false }
}

/** Value of an amount at an index price (1e-8 of a USDT per coin) in millionths of a USDT, rounded down. */
export function indexWorth(units: Units, price: IndexPrice, { scale }: Scaled): bigint {
  return (BigInt(units) * BigInt(price)) / 10n ** BigInt(scale + priceDigits - costDigits)
}

/** Adds units. `value`: what they cost; undefined: nobody knows. */
export function addUnits(basis: CostBasis, units: Units, value: bigint | undefined): void {
  if (units === 0) return
  basis.quantity += units
  if (value === undefined) basis.isPartial = true
  else basis.cost += value
}

/**
 * Takes units out at the average cost, which stays what it was. Returns their part of the cost: cost × units ÷ quantity, rounded down;
 * all of it with the last units. More units than there are take all.
 */
export function takeUnits(basis: CostBasis, units: Units): bigint {
  if (units >= basis.quantity) {
    const { cost } = basis
    basis.quantity = 0
    basis.cost = 0n
    if (basis.debt === 0) basis.isPartial = false
    return cost
  }
  const part = (basis.cost * BigInt(units)) / BigInt(basis.quantity)
  basis.quantity -= units
  basis.cost -= part
  return part
}

/** Takes units out for what they brought: their profit is realised, unless the cost or the value is unknown. */
export function sellUnits(basis: CostBasis, units: Units, value: bigint | undefined): void {
  const { isPartial } = basis
  const part = takeUnits(basis, units)
  if (!isPartial && value !== undefined) basis.realised += value - part
}

/** A debt grew: by borrowed units at their value, or by interest, which is a loss of that value. */
export function addDebt(basis: CostBasis, units: Units, value: bigint | undefined, isInterest: boolean): void {
  basis.debt += units
  if (value === undefined) {
    basis.isPartial = true
    return
  }
  basis.debtCost += value
  if (isInterest) basis.realised -= value
}

/** A debt became smaller: its part of the value at which it was borrowed is earned, and the units that paid for it are a loss of their own. */
export function takeDebt(basis: CostBasis, units: Units): void {
  const part = units >= basis.debt ? basis.debtCost : (basis.debtCost * BigInt(units)) / BigInt(basis.debt)
  basis.debt = Math.max(0, basis.debt - units)
  basis.debtCost -= part
  if (!basis.isPartial) basis.realised += part
  if (basis.debt === 0 && basis.quantity === 0) basis.isPartial = false
}

/** USDT per coin, rounded down; null while there is nothing or part of the cost is unknown. */
export function averageCost(
  { quantity, cost, isPartial }: Pick<CostBasis, 'quantity' | 'cost' | 'isPartial'>,
  { scale }: Scaled,
): Decimal | null {
  if (quantity === 0 || isPartial) return null
  return formatUnits((cost * 10n ** BigInt(scale + averageDigits - costDigits)) / BigInt(quantity), averageDigits)
}

/**
 * Profit of what is held, less that of what is owed, if it were sold at a price, in millionths of a USDT, rounded down.
 *
 * price  USDT per coin, a decimal
 */
export function unrealisedGain(
  { quantity, cost, debt, debtCost }: Pick<CostBasis, 'quantity' | 'cost' | 'debt' | 'debtCost'>,
  price: Decimal,
  { scale }: Scaled,
): bigint {
  const [whole = '0', part = ''] = price.split('.')
  const worth = BigInt(quantity - debt) * BigInt(whole + part)
  const unit = 10n ** BigInt(Math.max(0, scale + part.length - costDigits))
  const up = 10n ** BigInt(Math.max(0, costDigits - scale - part.length))
  const value = worth * up
  const floor = value / unit - (value % unit !== 0n && value < 0n ? 1n : 0n)
  return floor - cost + debtCost
}
