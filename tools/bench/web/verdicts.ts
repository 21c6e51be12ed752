/** Measured values beside their budgets. */

export type Measured = {
  readonly what: string
  readonly value: number
  readonly budget: number
  readonly unit: string
  /** Digits after the point. */
  readonly digits?: number
  /** Whether the budget is the least allowed, as for scores. */
  readonly isLeast?: boolean
}

export function isMet({ value, budget, isLeast = false }: Measured): boolean {
  return isLeast ? value >= budget : value <= budget
}

/** `  LCP                 1,210 ms   at most 1,400   ok` */
export function lineOf(one: Measured): string {
  const { what, value, budget, unit, digits = 0, isLeast = false } = one
  const number = (n: number): string => n.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const limit = `${isLeast ? 'at least' : 'at most'} ${number(budget)}`
  return `  ${what.padEnd(46)}${number(value).padStart(9)} ${unit.padEnd(5)}${limit.padEnd(17)}${isMet(one) ? 'ok' : 'OVER'}`
}
