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
/** Debts that one command charges at most. */
export const chargesMax = 256

/**
 * Begins the hour that is running, when it has not: shares the interest of the one that is over, fixes each pool's rate,
 * and puts all debts in the queue to be charged. Before anything that changes a debt or a claim, so nobody pays or earns
 * an hour twice and none is forgotten; hours that passed unseen are charged together.
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

/** When the next hour is to be shared and charged, or goes on being charged; Infinity when it changes nothing. */
export function interestDueAtMs(x: State): number {
  if (x.margin.indebted.size === 0 && !x.margin.pools.some((pool) => pool !== undefined && isTurning(x, pool))) return Infinity
  return next(x) === undefined ? (x.margin.hour + 1) * hourMs : x.atMs
}

/** Whether the next turn finds something in a pool to which nobody owes: interest to share, or a rate that goes down. */
function isTurning(x: State, pool: Pool): boolean {
  return pool.pot > 0 || pool.usedMs > 0 || pool.rate > (x.margin.terms?.rateZero ?? 0)
}

/** Charges the next debts that the hour waits for. */
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

/** First debt that was not charged for the running hour, in the order of users, markets and assets. */
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
