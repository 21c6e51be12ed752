import { sql } from 'kysely'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { secondsUntil } from './codes.ts'
import type { IdentityDb } from './tables.ts'

/** So many wrong passwords cost nothing; after them the wait doubles from a second up to `capMs`. */
export type TryRule = { readonly subject: string; readonly free: number; readonly capMs: number }

const forgetMs = 86_400_000

/**
 * Slows guessing down without ever locking anybody out for good: from one place an account stands at a quarter of an
 * hour per try, from all places together at a minute, so that a stranger can't keep the owner away.
 */
export function loginRules(name: string, ip: string, isIpCounted: boolean): readonly TryRule[] {
  const rules = [
    { subject: `${name}@${ip}`, free: 5, capMs: 900_000 },
    { subject: name, free: 20, capMs: 60_000 },
  ]
  return isIpCounted ? [...rules, { subject: `ip:${ip}`, free: 30, capMs: 900_000 }] : rules
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
    for (const { subject, free, capMs } of rules) {
      const { rows } = await sql<{ tries: number }>`
        insert into login_tries as t (subject, tries, last_at, blocked_until) values (${subject}, 1, ${now}, ${now})
        on conflict (subject) do update set
          tries = case when ${now} - t.last_at > ${forgetMs} then 1 else t.tries + 1 end,
          last_at = ${now},
          blocked_until = case
            when ${now} - t.last_at > ${forgetMs} or t.tries + 1 < ${free} then ${now}
            else ${now} + least(${capMs}, 1000 * power(2, least(t.tries + 1 - ${free}, 20)))::bigint
          end
        where t.blocked_until <= ${now}
        returning tries`.execute(this.#db)
      if (rows.length === 0) throw refusedUntil(await this.#blockedUntil([subject]), now)
    }
  }

  /** The password was right: the account's count starts again, the address only takes this try back. */
  async succeeded(rules: readonly TryRule[]): Promise<void> {
    const subjects = rules.map(({ subject }) => subject)
    const isAddress = (subject: string) => subject.startsWith('ip:')
    await this.#db
      .deleteFrom('login_tries')
      .where(
        'subject',
        'in',
        subjects.filter((subject) => !isAddress(subject)),
      )
      .execute()
    for (const subject of subjects.filter(isAddress)) {
      await this.#db
        .updateTable('login_tries')
        .set((row) => ({ tries: row('tries', '-', 1) }))
        .where('subject', '=', subject)
        .execute()
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
