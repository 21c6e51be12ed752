/**
 * Which supply earns. An hour's interest is charged ahead and shared when the hour is over, by what was supplied during
 * all of it. What came within the hour, interest included, is fresh and earns from the next turn on; who takes back within
 * the hour takes what is fresh first and gives up the hour's interest on the rest. So money that comes for a moment earns
 * nothing.
 *
 * Hours cost no work per lender: `index` counts the interest of hours that are over, per unit that earned. A lender whose
 * supply was fresh when he was last touched needs the index of the turn after that, too: `arrivals` keeps it for as
 * long as anybody does.
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
 * The hour is over: what stood during all of it shares its interest, rounded down; what is less than 1e-12 of a unit per
 * unit stays for the next hour. From here on everything that is supplied earns. When less stood than there is interest,
 * there were no lenders to speak of: it goes to the insurance fund. Returns whether anybody got anything.
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

/** Interest of hours that are over which a claim has earned and that is not in it yet, rounded down. */
export function pendingInterest(x: State, pool: Pool, user: UserId): Units {
  const lender = pool.lenders.get(user)
  if (lender === undefined) return 0 as Units
  const row = lendRow(x, user, pool.asset)
  const claim = x.ledger.available(row) + x.ledger.held(row)
  const turned = lender.fresh === 0 || lender.hour === x.margin.hour ? lender.since : pool.arrivals.get(lender.hour)!.index
  const first = mulDivFloor(claim - lender.fresh, turned - lender.since, rateUnit)
  return (first + mulDivFloor(claim, pool.index - turned, rateUnit)) as Units
}

/** What of a claim came in the running hour, `hour`. */
export function freshOf(pool: Pool, user: UserId, hour: number): number {
  const lender = pool.lenders.get(user)
  return lender !== undefined && lender.hour === hour ? lender.fresh : 0
}

/** Puts what a lender has earned into his claim. Returns it. Before every change of a claim, after `turnHour`. */
export function settleLender(x: State, pool: Pool, user: UserId): Units {
  const earned = pendingInterest(x, pool, user)
  const lender = lenderOf(pool, user)
  if (lender.hour !== x.margin.hour) takeFresh(pool, lender, lender.fresh)
  lender.since = pool.index
  enter(x, pool, user, earned)
  return earned
}

/** Interest goes into a settled lender's claim, and earns there from the next turn on. */
export function enter(x: State, pool: Pool, user: UserId, interest: Units): void {
  if (interest === 0) return
  move(x, interestRow(x, pool.asset), lendRow(x, user, pool.asset), interest, INTEREST)
  arrive(x, pool, user, interest)
}

/** A settled lender's claim has grown by an amount that earns from the next turn on. */
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

/** A settled lender's claim has shrunk: of the fresh part first. Returns how much of it earned. */
export function depart(pool: Pool, user: UserId, amount: Units): number {
  const lender = lenderOf(pool, user)
  const fresh = Math.min(amount, lender.fresh) as Units
  takeFresh(pool, lender, fresh)
  pool.claims -= amount
  pool.earning -= amount - fresh
  return amount - fresh
}

/**
 * Interest of the running hour that falls to so much of what earns, rounded down: for who is paid when others' money
 * comes and not when he chose. `earning` is what earned before he went.
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
