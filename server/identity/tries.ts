import { sql } from 'kysely'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { secondsUntil } from './codes.ts'
import type { IdentityDb } from './tables.ts'

/**
 * So many wrong passwords cost nothing; after them the wait doubles from a second up to `capMs`. One is forgiven for
 * each `forgiveMs` that passes.
 */
export type TryRule = { readonly subject: string; readonly free: number; readonly capMs: number; readonly forgiveMs: number }

const day = 86_400_000
const minute = 60_000

/**
 * Slows guessing down without ever locking anybody out for good. From one place an account stands at a quarter of an
 * hour per try; from all places together at a minute, so that a stranger can't keep the owner away; one place at a
 * minute per try over all accounts, so that a house full of people behind one address goes on.
 */
export function loginRules(name: string, ip: string, isIpCounted: boolean): readonly TryRule[] {
  const rules = [
    { subject: `${name}@${ip}`, free: 5, capMs: 15 * minute, forgiveMs: day },
    { subject: name, free: 20, capMs: minute, forgiveMs: day },
  ]
  return isIpCounted ? [...rules, { subject: `ip:${ip}`, free: 30, capMs: 15 * minute, forgiveMs: minute }] : rules
}

export class Tries {
  readonly #db: IdentityDb
  readonly #clock: Clock

  constructor(db: IdentityDb, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /**
   * Counts a try before the password is looked at, in one statement per rule: parallel guesses find no gap.
   *
   * throws  Refused TOO_MANY_TRIES with the seconds to wait
   */
  async take(rules: readonly TryRule[]): Promise<void> {
    const now = this.#clock()
    const until = await this.#blockedUntil(rules.map(({ subject }) => subject))
    if (until > now) throw refusedUntil(until, now)
    for (const { subject, free, capMs, forgiveMs } of rules) {
      const tries = sql`greatest(0, t.tries - (${now} - t.last_at)::float8 / ${forgiveMs}) + 1`
      const { rows } = await sql`
        insert into login_tries as t (subject, tries, last_at, blocked_until) values (${subject}, 1, ${now}, ${now})
        on conflict (subject) do update set
          tries = ${tries},
          last_at = ${now},
          blocked_until = case
            when round(${tries}) < ${free} then ${now}
            else ${now} + least(${capMs}, 1000 * power(2, least(round(${tries}) - ${free}, 20)))::bigint
          end
        where t.blocked_until <= ${now}
        returning subject`.execute(this.#db)
      if (rows.length === 0) throw refusedUntil(await this.#blockedUntil([subject]), now)
    }
  }

  /** The password was right: the account's count starts again, the place takes this try back. */
  async succeeded(rules: readonly TryRule[]): Promise<void> {
    for (const { subject } of rules) {
      if (subject.startsWith('ip:')) {
        const back = { blocked_until: this.#clock() }
        await this.#db
          .updateTable('login_tries')
          .set((row) => ({ ...back, tries: row('tries', '-', 1) }))
          .where('subject', '=', subject)
          .execute()
      } else await this.#db.deleteFrom('login_tries').where('subject', '=', subject).execute()
    }
  }

  async #blockedUntil(subjects: readonly string[]): Promise<number> {
    const { until } = await this.#db
      .selectFrom('login_tries')
      .select((row) => row.fn.max('blocked_until').as('until'))
      .where('subject', 'in', subjects)
      .executeTakeFirstOrThrow()
    return until ?? 0
  }
}

function refusedUntil(until: number, now: number): Refused {
  return new Refused('TOO_MANY_TRIES', { retryAfter: secondsUntil(until, now) })
}
