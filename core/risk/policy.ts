/** Rules that wait, gate or cap, one row each, with the value for a sandbox and for production. */

const dayMs = 86_400_000
/** Above the leverage of every market, so it means no ceiling. */
export const noCeiling = 1_000

export const policies = {
  /** Time for which a customer counts as new, in milliseconds. */
  newCustomerMs: { sandbox: 0, production: 7 * dayMs },
  /** Highest leverage of a new customer, for Futures and margin. */
  newCustomerLeverage: { sandbox: noCeiling, production: 5 },
  /** Highest leverage of a customer in a region where higher leverage is not opened. */
  unopenedLeverage: { sandbox: noCeiling, production: 2 },
  /** Largest spot turnover of a customer without a certificate on a UTC day, in USDT. */
  turnoverMax: { sandbox: Infinity, production: 10_000 },
  /** Largest value of the withdrawals that a customer asks for on a UTC day, in USDT. */
  withdrawnMax: { sandbox: 50_000, production: 50_000 },
} as const

/** Highest leverage of a customer who joined `ageMs` ago. */
export function leverageCeiling(mode: 'sandbox' | 'production', ageMs: number, isOpened: boolean): number {
  const young = ageMs < policies.newCustomerMs[mode] ? policies.newCustomerLeverage[mode] : noCeiling
  return Math.min(young, isOpened ? noCeiling : policies.unopenedLeverage[mode])
}
