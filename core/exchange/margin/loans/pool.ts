/**
 * Operations on a lending pool. Its liquidity is the supplied money that is not lent out:
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

/** Largest number of lenders that one command pays from the queue. */
export const paymentsMax = 64

/** Total claims of lenders, including interest not yet in their claims, and total debt of borrowers. */
export function poolSums(x: State, pool: Pool): PoolSums {
  const supplied = (pool.claims + x.ledger.available(interestRow(x, pool.asset)) - pool.reserve) as Units
  return { supplied, borrowed: pool.borrowed, rateMin: hourRate(x, pool) }
}

export function liquidity(x: State, pool: Pool): number {
  return pool.claims + x.ledger.available(interestRow(x, pool.asset)) - pool.borrowed
}

/** The rate of a loan taken now. */
export function rateNow(x: State, pool: Pool): number {
  return x.margin.terms === undefined ? 0 : hourlyRate(x.margin.terms, poolSums(x, pool))
}

/** Emits a lender's claim. An empty claim is forgotten. */
export function tellClaim(x: State, pool: Pool, user: UserId, earned: Units): void {
  const row = lendRow(x, user, pool.asset)
  const queued = x.ledger.held(row)
  const claim = (x.ledger.available(row) + queued) as Units
  if (claim === 0) pool.lenders.delete(user)
  writeClaim(x.events, user, pool.asset, claim, earned, queued)
}

/**
 * Books interest that a borrower was charged: lenders' part goes into the hour's pot, the rest to the insurance fund. Of the
 * first interest of a new loan, the pot gets the share of the earning supply; the share of fresh supply, which also backs the
 * loan, goes to the fund.
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
 * Pays the queue after liquidity came in or a lender joined it, first come first served, including each lender's share of the
 * running hour's interest so far. Then pays the insurance fund's part.
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

/** Pays a settled lender from the queue. Returns the interest paid with it, which stays in the claim. */
function payWaiting(x: State, pool: Pool, user: UserId, amount: Units): number {
  const { earning } = pool
  x.ledger.release(lendRow(x, user, pool.asset), amount)
  const share = shareNow(pool, leavePool(x, pool, user, amount), earning)
  pool.pot -= share
  enter(x, pool, user, share)
  return share
}

/** Moves money from a settled lender's claim, where it is available, to the spot account. Returns how much of it was earning. */
export function leavePool(x: State, pool: Pool, user: UserId, amount: Units): number {
  move(x, lendRow(x, user, pool.asset), x.ledger.spotRow(user, pool.asset), amount, WITHDRAW)
  x.margin.touched.add(pool)
  return depart(pool, user, amount)
}

/** Measures and emits every pool that changed, at the end of a command. */
export function tellPools(x: State): void {
  const { touched } = x.margin
  if (touched.size === 0) return
  for (const pool of [...touched].sort((a, b) => a.asset - b.asset)) {
    const sums = poolSums(x, pool)
    measure(x, pool, utilization(sums))
    const { asset, queued, index } = pool
    writePool(x.events, { asset, supplied: sums.supplied, borrowed: sums.borrowed, queued, rate: rateNow(x, pool), index })
  }
  touched.clear()
}
