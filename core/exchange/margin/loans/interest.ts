import type { State } from '../../state/state.ts'
import { accountKey } from '../records/account.ts'
import type { Account, Debt } from '../records/account.ts'
import { accrue } from './debt.ts'
import { shareHour } from './lenders.ts'
import { payOut } from './pool.ts'
import { fixRate } from '../rules/rate.ts'
import { review } from './review.ts'
import type { Pool } from '../records/state.ts'

const hourMs = 3_600_000
/** Largest number of debts that one command charges. */
export const chargesMax = 256

/**
 * Begins the running hour if it has not begun: shares the interest of the hour that ended, fixes each pool's rate, and queues all
 * debts for charging. Call before any change of a debt or claim, so that no hour is paid or earned twice or missed. Hours without
 * a command are charged together.
 */
export function turnHour(x: State): void {
  const { margin } = x
  const hour = Math.floor(x.atMs / hourMs)
  if (hour <= margin.hour) return
  for (const pool of margin.pools) {
    if (pool === undefined) continue
    const isShared = shareHour(pool, margin.hour)
    const before = pool.rate
    fixRate(x, pool)
    if (isShared || pool.borrowed > 0 || pool.rate !== before) margin.touched.add(pool)
  }
  margin.hour = hour
  margin.chargedTo = 0
}

/** Time at which the next hour must be shared and charged, or charging must continue; Infinity when that would change nothing. */
export function interestDueAtMs(x: State): number {
  if (x.margin.indebted.size === 0 && !x.margin.pools.some((pool) => pool !== undefined && isTurning(x, pool))) return Infinity
  return next(x) === undefined ? (x.margin.hour + 1) * hourMs : x.atMs
}

/** Whether the next hour changes a pool without debts: it has interest to share, or its rate falls. */
function isTurning(x: State, pool: Pool): boolean {
  return pool.pot > 0 || pool.usedMs > 0 || pool.rate > (x.margin.terms?.rateZero ?? 0)
}

/** Charges the next debts of the running hour. */
export function chargeSome(x: State): void {
  if (interestDueAtMs(x) > x.atMs) return
  turnHour(x)
  for (let charged = 0; charged < chargesMax; charged++) {
    const first = next(x)
    if (first === undefined) return
    accrue(x, first.account, first.debt)
    payOut(x, x.margin.pool(first.debt.asset))
    review(x, first.account)
  }
}

/** The first debt not yet charged for the running hour, ordered by user, market and asset. */
function next(x: State): { readonly account: Account; readonly debt: Debt } | undefined {
  const { margin } = x
  for (let place = margin.indebted.placeOf(margin.chargedTo); ; place++) {
    const account = margin.indebted.at(place)
    if (account === undefined) break
    const debt = account.debts.find(({ paidHour }) => paidHour < margin.hour)
    margin.chargedTo = accountKey(account.user, account.market)
    if (debt !== undefined) return { account, debt }
  }
  return undefined
}
