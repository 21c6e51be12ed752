import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import { fail } from './failure.ts'
import { hourMs } from './plans.ts'
import type { Postings } from './postings.ts'

/** `stands`: the least that was in the claim at any moment of the running hour. `due`: of hours that are over, not yet entered. */
type Lender = { stands: number; due: number; slack: number }

class Pool {
  readonly lenders = new Map<number, Lender>()
  hour = 0
  /** Lenders' interest of the running hour. */
  pot = 0
  /** What the pot may be off. */
  slack = 0
  queued = 0

  get standing(): number {
    let sum = 0
    for (const { stands } of this.lenders.values()) sum += stands
    return sum
  }

  lender(user: number): Lender {
    const known = this.lenders.get(user) ?? { stands: 0, due: 0, slack: 0 }
    this.lenders.set(user, known)
    return known
  }
}

/**
 * Who earns what by lending, lender by lender: an hour's interest belongs to what was lent for all of the hour, in equal
 * parts per unit, and to nobody before the hour is over. Whoever is paid from the queue has his part with the payment.
 * Parts are fractions here and whole units there, so each may be off by what rounding takes.
 */
export class LendingAudit {
  readonly #postings: Postings
  readonly #pools = new Map<number, Pool>()
  #reservePpm = 0
  #hour = 0
  // Of the running command.
  readonly #added = new Map<number, number>()
  readonly #queued = new Map<number, number>()
  readonly #borrowed = new Set<string>()
  readonly #hasTouched = new Set<number>()

  constructor(postings: Postings) {
    this.#postings = postings
  }

  begin(at: number): void {
    const hour = Math.floor(at / hourMs)
    for (const [asset, pool] of this.#pools) if (pool.hour < hour) this.#turn(asset, pool, hour)
    this.#added.clear()
    this.#queued.clear()
    this.#borrowed.clear()
    this.#hasTouched.clear()
    this.#hour = hour
  }

  see(event: Event): void {
    if (event.type === 'margin.terms') this.#reservePpm = event.terms.reservePpm
    else if (event.type === 'lend.pool') this.#queued.set(event.asset, event.queued)
    else if (event.type === 'lend.claim') this.#hasTouched.add(event.asset)
    else if (event.type === 'margin.loan') {
      const key = `${event.user} ${event.market} ${event.asset}`
      if (event.cause === 'borrow' || event.cause === 'auto-borrow') this.#borrowed.add(key)
      else if (event.cause === 'interest') this.#charge(event.asset, event.delta, this.#borrowed.delete(key))
    }
  }

  /** The command is over. */
  check(command: Command, { refusal, isRepeat }: OutcomeEvent): void {
    const isDone = refusal === undefined && !isRepeat
    const assets = new Set([...this.#added.keys(), ...this.#hasTouched])
    for (const asset of assets) this.#lenders(asset, isDone ? command : undefined)
    for (const [asset, queued] of this.#queued) this.#pool(asset).queued = queued
  }

  /** The hour is over: its interest falls to what stood. With less standing than that there is nobody, and it is the fund's. */
  #turn(asset: number, pool: Pool, hour: number): void {
    const { pot, standing } = pool
    for (const [user, lender] of pool.lenders) {
      if (pot <= standing && standing > 0) {
        lender.due += (pot * lender.stands) / standing
        lender.slack += 2 + pool.slack + (standing + lender.stands) / 1e12
      }
      lender.stands = this.#claim(user, asset)
    }
    pool.pot = 0
    pool.slack = 0
    pool.hour = hour
  }

  /** Of a loan's first interest only the part that falls to what stands is the lenders'. */
  #charge(asset: number, interest: number, isFirst: boolean): void {
    const pool = this.#pool(asset)
    const lenders = Math.floor((interest * (1_000_000 - this.#reservePpm)) / 1_000_000)
    let claims = 0
    for (const user of pool.lenders.keys()) claims += this.#claim(user, asset)
    const part = !isFirst ? lenders : claims === 0 ? 0 : (lenders * pool.standing) / claims
    pool.slack++
    this.#added.set(asset, (this.#added.get(asset) ?? 0) + part)
  }

  #lenders(asset: number, command: Command | undefined): void {
    const pool = this.#pool(asset)
    const touched = [...this.#postings.touched.values()].flatMap(({ account, byReason }) =>
      'user' in account && account.kind === 'lend' && account.asset === asset ? [{ user: account.user, byReason }] : [],
    )
    // Interest stands as soon as it is entered, before or after others are paid, and before or after more is charged.
    let entered = pool.pot
    for (const { user } of touched) entered += pool.lender(user).due
    const { standing } = pool
    const perUnit = standing === 0 ? 0 : Math.min(1, pool.pot / (standing + entered))
    pool.pot += this.#added.get(asset) ?? 0
    const perUnitMost = standing === 0 ? 0 : Math.min(1, pool.pot / standing)
    for (const { user, byReason } of touched) {
      const sum = (reason: 'interest' | 'supply' | 'withdraw'): number => {
        const { delta, heldDelta } = byReason.get(reason) ?? { delta: 0, heldDelta: 0 }
        return delta + heldDelta
      }
      const [interest, supplied, paid] = [sum('interest'), sum('supply'), -sum('withdraw')]
      const lender = pool.lender(user)
      const before = this.#claim(user, asset) - interest - supplied + paid
      const left = Math.max(0, paid - (before - lender.stands) - supplied)
      const isOwn = command?.type === 'lend.withdraw' && command.user === user && pool.queued === 0
      const waited = isOwn ? 0 : left
      const [least, most] = [lender.due + waited * perUnit, lender.due + waited * perUnitMost]
      const slack = lender.slack + pool.slack + 2
      if (interest > most + slack || interest < least - slack)
        fail(`user ${user} got ${interest} for lending ${asset}, ${least} to ${most} are due (±${slack})`)
      lender.stands += interest - left
      if (waited > 0) pool.slack += lender.slack + 2
      if (waited > 0) pool.pot -= Math.min(Math.max(0, interest - lender.due), most - lender.due)
      lender.due = 0
      lender.slack = 0
    }
  }

  #claim(user: number, asset: number): number {
    const { available, held } = this.#postings.balance(`user ${user} lend ${asset}`)
    return available + held
  }

  #pool(asset: number): Pool {
    const known = this.#pools.get(asset) ?? new Pool()
    if (!this.#pools.has(asset)) known.hour = this.#hour
    this.#pools.set(asset, known)
    return known
  }
}
