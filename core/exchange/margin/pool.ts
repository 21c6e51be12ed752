/**
 * What happens in a lending pool. What of the supplied money is not lent out is its liquidity:
 *
 *   liquidity = all `lend` accounts + `lend-interest` − all debts      never below zero
 */
import { mulDivCeil, mulDivFloor } from '../../money/mul-div.ts'
import { writeClaim, writePool } from '../../protocol/codec/margin-write.ts'
import { hourlyRate, lendersPart, rateUnit } from '../../risk/margin-rate.ts'
import type { PoolSums } from '../../risk/margin-rate.ts'
import type { State } from '../state.ts'
import { INSURANCE, INTEREST, WITHDRAW, insuranceRow, interestRow, lendRow, move, owe } from './postings.ts'
import type { Pool } from './state.ts'

/** Lenders whom one command pays from the queue at most. */
export const paymentsMax = 64

/** What lenders have, interest not yet in their claims included, and what borrowers owe. */
export function poolSums(x: State, pool: Pool): PoolSums {
  const supplied = pool.claims + x.ledger.available(interestRow(x, pool.asset)) - pool.reserve
  return { supplied, borrowed: pool.borrowed }
}

export function liquidity(x: State, pool: Pool): number {
  return pool.claims + x.ledger.available(interestRow(x, pool.asset)) - pool.borrowed
}

/** The rate that somebody pays who borrows now. */
export function rateNow(x: State, pool: Pool): number {
  return x.margin.terms === undefined ? 0 : hourlyRate(x.margin.terms, poolSums(x, pool))
}

/** Interest that a claim has earned and that is not in it yet, rounded down. */
export function pendingInterest(x: State, pool: Pool, user: number): number {
  const row = lendRow(x, user, pool.asset)
  const since = pool.lenders.get(user) ?? pool.index
  return mulDivFloor(x.ledger.available(row) + x.ledger.held(row), pool.index - since, rateUnit)
}

/** Puts what a lender has earned into his claim. Returns it. Before every change of a claim. */
export function settleLender(x: State, pool: Pool, user: number): number {
  const earned = pendingInterest(x, pool, user)
  pool.lenders.set(user, pool.index)
  if (earned === 0) return 0
  move(x, interestRow(x, pool.asset), lendRow(x, user, pool.asset), earned, INTEREST)
  pool.claims += earned
  return earned
}

/** Tells a lender what he has. A claim of nothing is forgotten. */
export function tellClaim(x: State, pool: Pool, user: number, earned: number): void {
  const row = lendRow(x, user, pool.asset)
  const queued = x.ledger.held(row)
  const claim = x.ledger.available(row) + queued
  if (claim === 0) pool.lenders.delete(user)
  writeClaim(x.events, user, pool.asset, claim, earned, queued)
}

/** Interest was charged: the borrower owes it, lenders and the insurance fund share it. */
export function earn(x: State, pool: Pool, interest: number): void {
  const lenders = lendersPart(x.margin.terms!, interest)
  owe(x, pool.asset, interestRow(x, pool.asset), interest, INTEREST)
  pool.interest += interest
  pool.carry += lenders
  pool.reserve += interest - lenders
  divide(pool)
  x.margin.touched.add(pool)
}

/**
 * Divides lenders' interest by all claims, rounded down; what is less than 1e-12 of a unit per unit is carried on. A
 * pool with fewer claims than interest has no lenders to speak of: that goes to the insurance fund.
 */
function divide(pool: Pool): void {
  if (pool.carry > pool.claims) {
    pool.reserve += pool.carry
    pool.carry = 0
    return
  }
  const more = pool.claims === 0 ? 0 : mulDivFloor(pool.carry, rateUnit, pool.claims)
  pool.index += more
  pool.carry -= mulDivCeil(pool.claims, more, rateUnit)
}

/** Liquidity came in, or somebody joined the queue: pays those who wait, first come first served, then the insurance fund's part. */
export function payOut(x: State, pool: Pool): void {
  for (let paid = 0; paid < paymentsMax && pool.queue.length > 0; paid++) {
    const first = pool.queue[0]!
    const amount = Math.min(first.amount, liquidity(x, pool))
    if (amount <= 0) return
    const earned = settleLender(x, pool, first.user)
    x.ledger.release(lendRow(x, first.user, pool.asset), amount)
    leavePool(x, pool, first.user, amount)
    first.amount -= amount
    pool.queued -= amount
    if (first.amount === 0) pool.queue.shift()
    tellClaim(x, pool, first.user, earned)
  }
  if (pool.queue.length > 0 || pool.reserve === 0) return
  const reserve = Math.min(pool.reserve, liquidity(x, pool))
  if (reserve <= 0) return
  pool.reserve -= reserve
  move(x, interestRow(x, pool.asset), insuranceRow(x, pool.asset), reserve, INSURANCE)
  x.margin.touched.add(pool)
}

/** From a lender's claim, where it is available, to his spot account. */
export function leavePool(x: State, pool: Pool, user: number, amount: number): void {
  move(x, lendRow(x, user, pool.asset), x.ledger.spotRow(user, pool.asset), amount, WITHDRAW)
  pool.claims -= amount
  x.margin.touched.add(pool)
}

/** At the end of what a command does here: tells of every pool that changed. */
export function tellPools(x: State): void {
  const { touched } = x.margin
  if (touched.size === 0) return
  for (const pool of [...touched].sort((a, b) => a.asset - b.asset)) {
    const { supplied, borrowed } = poolSums(x, pool)
    writePool(x.events, pool.asset, supplied, borrowed, pool.queued, rateNow(x, pool), pool.index)
  }
  touched.clear()
}
