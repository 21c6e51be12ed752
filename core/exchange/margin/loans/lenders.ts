/**
 * Decides which supply earns interest. An hour's interest is charged in advance and shared at the end of the hour, in proportion
 * to the supply that stood during all of it. Supply that comes within the hour (including interest) is fresh: it earns from the
 * next hour on. A lender who withdraws within the hour withdraws fresh supply first and gives up the hour's interest on the rest.
 * So short-lived supply earns nothing.
 *
 * An hour costs no work per lender: `index` is the total interest per earning unit of all ended hours. For a lender whose supply
 * was fresh when last touched, the index at the end of that hour is needed too: `arrivals` keeps it while any such lender exists.
 */
import type { UserId } from '../../../protocol/ids.ts'
import type { IndexPrice, Units } from '../../../money/brand.ts'
import { mulDivCeil, mulDivFloor } from '../../../money/mul-div.ts'
import { rateUnit } from '../../../risk/margin-rate.ts'
import type { State } from '../../state/state.ts'
import { INTEREST, interestRow, lendRow, move } from '../rules/postings.ts'
import { Lender } from '../records/state.ts'
import type { Pool } from '../records/state.ts'

/**
 * Ends an hour: the supply that stood during all of it shares its interest, rounded down; less than 1e-12 of a unit per unit
 * carries over to the next hour. From now on all supply earns. If the supply is smaller than the interest, there were practically
 * no lenders: the interest goes to the insurance fund. Returns whether any lender got interest.
 */
export function shareHour(pool: Pool, hour: number): boolean {
  const { pot, earning } = pool
  if (pot > earning) {
    pool.reserve += pot
    pool.pot = 0
  } else if (earning > 0) {
    const more = mulDivFloor(pot, rateUnit, earning)
    pool.index = (pool.index + more) as IndexPrice
    pool.pot -= mulDivCeil(earning, more, rateUnit)
  }
  const arrival = pool.arrivals.get(hour)
  if (arrival !== undefined) arrival.index = pool.index
  pool.earning = pool.claims
  return pool.pot !== pot
}

/** Interest of ended hours that a claim has earned but does not yet contain, rounded down. */
export function pendingInterest(x: State, pool: Pool, user: UserId): Units {
  const lender = pool.lenders.get(user)
  if (lender === undefined) return 0 as Units
  const row = lendRow(x, user, pool.asset)
  const claim = x.ledger.available(row) + x.ledger.held(row)
  const turned = lender.fresh === 0 || lender.hour === x.margin.hour ? lender.since : pool.arrivals.get(lender.hour)!.index
  const first = mulDivFloor(claim - lender.fresh, turned - lender.since, rateUnit)
  return (first + mulDivFloor(claim, pool.index - turned, rateUnit)) as Units
}

/** The part of a claim that was supplied in the running hour, `hour`. */
export function freshOf(pool: Pool, user: UserId, hour: number): number {
  const lender = pool.lenders.get(user)
  return lender !== undefined && lender.hour === hour ? lender.fresh : 0
}

/** Adds a lender's earned interest to the claim and returns it. Call before every change of a claim, after `turnHour`. */
export function settleLender(x: State, pool: Pool, user: UserId): Units {
  const earned = pendingInterest(x, pool, user)
  const lender = lenderOf(pool, user)
  if (lender.hour !== x.margin.hour) takeFresh(pool, lender, lender.fresh)
  lender.since = pool.index
  enter(x, pool, user, earned)
  return earned
}

/** Adds interest to the claim of a settled lender. It earns from the next hour on. */
export function enter(x: State, pool: Pool, user: UserId, interest: Units): void {
  if (interest === 0) return
  move(x, interestRow(x, pool.asset), lendRow(x, user, pool.asset), interest, INTEREST)
  arrive(x, pool, user, interest)
}

/** Notes that a settled lender's claim has grown; the amount earns from the next hour on. */
export function arrive(x: State, pool: Pool, user: UserId, amount: Units): void {
  if (amount === 0) return
  const lender = lenderOf(pool, user)
  const { hour } = x.margin
  if (lender.fresh === 0) {
    lender.hour = hour
    const arrival = pool.arrivals.get(hour)
    if (arrival === undefined) pool.arrivals.set(hour, { lenders: 1, index: pool.index })
    else arrival.lenders++
  }
  lender.fresh = (lender.fresh + amount) as Units
  pool.claims += amount
}

/** Notes that a settled lender's claim has shrunk, fresh part first. Returns how much of the amount was earning. */
export function depart(pool: Pool, user: UserId, amount: Units): number {
  const lender = lenderOf(pool, user)
  const fresh = Math.min(amount, lender.fresh) as Units
  takeFresh(pool, lender, fresh)
  pool.claims -= amount
  pool.earning -= amount - fresh
  return amount - fresh
}

/**
 * A part's share of the running hour's interest, rounded down, for lenders paid from the queue: they are paid when others' money
 * arrives, not when they choose. `earning`: the earning supply before they left.
 */
export function shareNow(pool: Pool, part: number, earning: number): Units {
  if (part === 0) return 0 as Units
  return Math.min(part, mulDivFloor(pool.pot, part, earning)) as Units
}

function lenderOf(pool: Pool, user: UserId): Lender {
  const known = pool.lenders.get(user)
  if (known !== undefined) return known
  const lender = new Lender(pool.index)
  pool.lenders.set(user, lender)
  return lender
}

function takeFresh(pool: Pool, lender: Lender, amount: Units): void {
  if (amount === 0) return
  lender.fresh = (lender.fresh - amount) as Units
  if (lender.fresh > 0) return
  const arrival = pool.arrivals.get(lender.hour)!
  if (--arrival.lenders === 0) pool.arrivals.delete(lender.hour)
}
