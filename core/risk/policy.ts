/** Rules that wait, gate or cap, one row each: what holds in a sandbox and what holds in production. */

const dayMs = 86_400_000
/** A leverage that no market allows: no ceiling. */
export const noCeiling = 1_000

export const policies = {
  /** How long a customer counts as new. */
  newCustomerMs: { sandbox: 0, production: 7 * dayMs },
  /** Highest leverage of futures and margin of a new customer. */
  newCustomerLeverage: { sandbox: noCeiling, production: 5 },
  /** The same where nothing more is opened to the customer's region. */
  unopenedLeverage: { sandbox: noCeiling, production: 2 },
} as const

/** Highest leverage for a customer that has been one for so long. */
export function leverageCeiling(mode: 'sandbox' | 'production', ageMs: number, isOpened: boolean): number {
  const young = ageMs < policies.newCustomerMs[mode] ? policies.newCustomerLeverage[mode] : noCeiling
  return Math.min(young, isOpened ? noCeiling : policies.unopenedLeverage[mode])
}
