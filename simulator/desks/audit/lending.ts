import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { ClaimChanged } from '@candor/core/protocol/event/margin.ts'
import { fail } from '../failure.ts'
import { hourMs } from '../plans.ts'

/**
 * `stands`: the smallest claim at any time of the current hour. `due`: interest of past hours that is not entered yet. `slack`: the
 * largest possible rounding error.
 */
type Lender = { claim: number; stands: number; due: number; slack: number }

type Pool = { readonly lenders: Map<number, Lender>; hour: number; pot: number; slack: number }

/**
 * Checks the interest of each lender. At the end of an hour, its interest goes to the amounts lent during the whole hour, in equal
 * parts per unit. A lender paid from the queue gets the part with the payment. This audit calculates with fractions and the exchange
 * with whole units, so each sum may differ by the rounding. Another audit compares claims with entries.
 */
export class LendingAudit {
  readonly #pools = new Map<number, Pool>()
  #reservePpm = 0
  #hour = 0
  // State of the current command: loans whose first interest comes next, and whether the event of the command's own claim came.
  readonly #borrowed = new Set<string>()
  #isOwnTold = false

  begin(at: number): void {
    this.#hour = Math.floor(at / hourMs)
    for (const pool of this.#pools.values()) if (pool.hour < this.#hour) turn(pool, this.#hour)
    this.#borrowed.clear()
    this.#isOwnTold = false
  }

  /** Takes events of claims and charges, which come in the order in which they happened. */
  see(event: Event, command: Command): void {
    if (event.type === 'margin.terms') this.#reservePpm = event.terms.reservePpm
    else if (event.type === 'lend.claim') this.#claimed(event, command)
    else if (event.type === 'margin.loan') {
      const key = `${event.user} ${event.market} ${event.asset}`
      if (event.cause === 'borrow' || event.cause === 'auto-borrow') this.#borrowed.add(key)
      else if (event.cause === 'interest') this.#charge(event.asset, event.delta, this.#borrowed.delete(key))
    }
  }

  /** Of a loan's first interest, lenders get only the part for amounts lent during the whole hour. */
  #charge(asset: number, interest: number, isFirst: boolean): void {
    const pool = this.#pool(asset)
    const lenders = Math.floor((interest * (1_000_000 - this.#reservePpm)) / 1_000_000)
    const claims = sumOf(pool, 'claim')
    pool.pot += !isFirst ? lenders : claims === 0 ? 0 : (lenders * sumOf(pool, 'stands')) / claims
    pool.slack++
  }

  /** A claim grows by due interest and by supplies, which don't count for the current hour, and shrinks by payments. */
  #claimed({ user, asset, claim, earned }: ClaimChanged, command: Command): void {
    const pool = this.#pool(asset)
    const lender = pool.lenders.get(user) ?? { claim: 0, stands: 0, due: 0, slack: 0 }
    pool.lenders.set(user, lender)
    const isOwn = !this.#isOwnTold && command.type.startsWith('lend.') && 'user' in command && command.user === user
    this.#isOwnTold ||= isOwn
    const supplied = isOwn && command.type === 'lend.supply' ? command.amount : 0
    const paid = lender.claim + earned + supplied - claim
    const standing = sumOf(pool, 'stands')
    const young = lender.claim - lender.stands + supplied
    // A lender who withdraws available money loses the interest of the hour; one who is paid from the queue later does not.
    const left = Math.max(0, paid - young - lender.due)
    const share = isOwn || left === 0 ? 0 : Math.min(left, (pool.pot * left) / standing)
    const slack = lender.slack + pool.slack + 2
    if (Math.abs(earned - lender.due - share) > slack)
      fail(`user ${user} got ${earned} for lending ${asset}, ${lender.due} and ${share} of the running hour are due (±${slack})`)
    if (paid < 0) fail(`user ${user} lends ${-paid} of ${asset} that came from nowhere`)
    if (share > 0) pool.slack += lender.slack + 1
    pool.pot -= share
    Object.assign(lender, { claim, stands: Math.min(claim, lender.stands - Math.max(0, Math.round(left))), due: 0, slack: 0 })
  }

  #pool(asset: number): Pool {
    const known = this.#pools.get(asset) ?? { lenders: new Map<number, Lender>(), hour: this.#hour, pot: 0, slack: 0 }
    this.#pools.set(asset, known)
    return known
  }
}

/** Ends the hour and distributes its interest. If the interest exceeds the amounts lent for the whole hour, it goes to the fund. */
function turn(pool: Pool, hour: number): void {
  const standing = sumOf(pool, 'stands')
  for (const lender of pool.lenders.values()) {
    if (pool.pot <= standing && lender.stands > 0) {
      lender.due += (pool.pot * lender.stands) / standing
      lender.slack += 2 + pool.slack + (standing + lender.stands) / 1e12
    }
    lender.stands = lender.claim
  }
  pool.pot = 0
  pool.slack = 0
  pool.hour = hour
}

function sumOf(pool: Pool, what: 'claim' | 'stands'): number {
  let sum = 0
  for (const lender of pool.lenders.values()) sum += lender[what]
  return sum
}
