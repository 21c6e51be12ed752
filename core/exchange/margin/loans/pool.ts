/**
 * What happens in a lending pool. What of the supplied money is not lent out is its liquidity:
 *
 *   liquidity = all `lend` accounts + `lend-interest` − all debts      never below zero
 */
import type { UserId } from '../../../protocol/ids.ts'
import type { Units } from '../../../money/brand.ts'
import { mulDivFloor } from '../../../money/mul-div.ts'
import { writeClaim, writePool } from '../../../protocol/codec/margin-write.ts'
import { hourlyRate, lendersPart, utilization } from '../../../risk/margin-rate.ts'
import type { PoolSums } from '../../../risk/margin-rate.ts'
import type { State } from '../../state/state.ts'
import { depart, enter, settleLender, shareNow } from './lenders.ts'
import { hourRate, measure } from '../rules/rate.ts'
import { INSURANCE, INTEREST, WITHDRAW, insuranceRow, interestRow, lendRow, move, owe } from '../rules/postings.ts'
import type { Pool } from '../records/state.ts'

/** Lenders whom one command pays from the queue at most. */
export const paymentsMax = 64

/** What lenders have, interest not yet in their claims included, and what borrowers owe. */
export function poolSums(x: State, pool: Pool): PoolSums {
  const supplied = (pool.claims + x.ledger.available(interestRow(x, pool.asset)) - pool.reserve) as Units
  return { supplied, borrowed: pool.borrowed, rateMin: hourRate(x, pool) }
}

export function liquidity(x: State, pool: Pool): number {
  return pool.claims + x.ledger.available(interestRow(x, pool.asset)) - pool.borrowed
}

/** The rate that somebody pays who borrows now. */
export function rateNow(x: State, pool: Pool): number {
  return x.margin.terms === undefined ? 0 : hourlyRate(x.margin.terms, poolSums(x, pool))
}

/** Tells a lender what he has. A claim of nothing is forgotten. */
export function tellClaim(x: State, pool: Pool, user: UserId, earned: Units): void {
  const row = lendRow(x, user, pool.asset)
  const queued = x.ledger.held(row)
  const claim = (x.ledger.available(row) + queued) as Units
  if (claim === 0) pool.lenders.delete(user)
  writeClaim(x.events, user, pool.asset, claim, earned, queued)
}

/**
 * Interest was charged: the borrower owes it. Lenders' part goes into the hour's pot, the rest to the insurance fund. Of
 * what a loan pays when it is taken out, the pot gets what falls to the supply that earns; the money of all others stands
 * behind the loan as well, and what falls to it goes to the fund.
 */
export function earn(x: State, pool: Pool, interest: Units, isFirst: boolean): void {
  const lenders = lendersPart(x.margin.terms!, interest)
  const part = !isFirst ? lenders : pool.claims === 0 ? 0 : mulDivFloor(lenders, pool.earning, pool.claims)
  owe(x, pool.asset, interestRow(x, pool.asset), interest, INTEREST)
  pool.interest = (pool.interest + interest) as Units
  pool.pot += part
  pool.reserve += interest - part
  x.margin.touched.add(pool)
}

/**
 * Liquidity came in, or somebody joined the queue: pays those who wait, first come first served, with their part of the
 * running hour's interest so far; then the insurance fund's part.
 */
export function payOut(x: State, pool: Pool): void {
  for (let paid = 0; paid < paymentsMax && pool.queue.length > 0; paid++) {
    const first = pool.queue[0]!
    const amount = Math.min(first.amount, liquidity(x, pool)) as Units
    if (amount <= 0) return
    const earned = (settleLender(x, pool, first.user) + payWaiting(x, pool, first.user, amount)) as Units
    first.amount = (first.amount - amount) as Units
    pool.queued = (pool.queued - amount) as Units
    if (first.amount === 0) pool.queue.shift()
    tellClaim(x, pool, first.user, earned)
  }
  if (pool.queue.length > 0 || pool.reserve === 0) return
  const reserve = Math.min(pool.reserve, liquidity(x, pool)) as Units
  if (reserve <= 0) return
  pool.reserve -= reserve
  move(x, interestRow(x, pool.asset), insuranceRow(x, pool.asset), reserve, INSURANCE)
  x.margin.touched.add(pool)
}

/** Pays a settled lender from the queue. Returns the interest that he gets with it: it stays in his claim. */
function payWaiting(x: State, pool: Pool, user: UserId, amount: Units): number {
  const { earning } = pool
  x.ledger.release(lendRow(x, user, pool.asset), amount)
  const share = shareNow(pool, leavePool(x, pool, user, amount), earning)
  pool.pot -= share
  enter(x, pool, user, share)
  return share
}

/** From a settled lender's claim, where it is available, to his spot account. Returns how much of it earned. */
export function leavePool(x: State, pool: Pool, user: UserId, amount: Units): number {
  move(x, lendRow(x, user, pool.asset), x.ledger.spotRow(user, pool.asset), amount, WITHDRAW)
  x.margin.touched.add(pool)
  return depart(pool, user, amount)
}

/** At the end of what a command does here: measures and tells every pool that changed. */
export function tellPools(x: State): void {
  const { touched } = x.margin
  if (touched.size === 0) return
  for (const pool of [...touched].sort((a, b) => a.asset - b.asset)) {
    const sums = poolSums(x, pool)
    measure(x, pool, utilization(sums))
    writePool(x.events, pool.asset, sums.supplied, sums.borrowed, pool.queued, rateNow(x, pool), pool.index)
  }
  touched.clear()
}
