import { sql } from 'kysely'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { networkOf, wideNetworkOf } from '../networks.ts'
import { secondsUntil } from './codes.ts'
import type { IdentityDb } from './tables.ts'

/**
 * So many wrong passwords cost nothing; after them the wait doubles from a second up to `capMs`. One is forgiven for
 * each `forgiveMs` that passes. `isShared`: others than who asks count here too, and nobody is told when it opens again, or
 * whoever keeps it shut would know the moment.
 */
export type TryRule = {
  readonly subject: string
  readonly free: number
  readonly capMs: number
  readonly forgiveMs: number
  readonly isShared?: true
}

const day = 86_400_000
const minute = 60_000
/** Networks of 24 and 48 bits may try so many times what one address or network of 64 bits may. */
const wideTimes = 8

/** Who tries: a browser that the account's owner has logged in with before, or somebody from a network. */
export type Trier = { readonly device: string } | { readonly ip: string; readonly isIpCounted: boolean }

/**
 * Slows guessing down without ever locking anybody out for good. A device that the owner has used before counts for itself
 * alone: whatever strangers try elsewhere never keeps it waiting. From one network an account stands at a quarter of an hour
 * per try; from all networks together at a minute; one network at a minute per try over all accounts, so that a house full of
 * people behind one address goes on.
 */
export function loginRules(name: string, trier: Trier): readonly TryRule[] {
  if ('device' in trier) return [{ subject: `${name}#${trier.device}`, free: 5, capMs: 15 * minute, forgiveMs: day }]
  const [network, wide] = [networkOf(trier.ip), wideNetworkOf(trier.ip)]
  const rules: TryRule[] = [
    { subject: `${name}@${network}`, free: 5, capMs: 15 * minute, forgiveMs: day },
    { subject: name, free: 20, capMs: minute, forgiveMs: day, isShared: true },
  ]
  if (!trier.isIpCounted) return rules
  rules.push({ subject: `ip:${network}`, free: 30, capMs: 15 * minute, forgiveMs: minute })
  rules.push({ subject: `ip:${wide}`, free: 30 * wideTimes, capMs: minute, forgiveMs: minute / wideTimes, isShared: true })
  return rules
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
    const wait = await this.#waitOf(rules, now)
    if (wait > 0) throw new Refused('TOO_MANY_TRIES', { retryAfter: wait })
    for (const rule of rules) {
      const { subject, free, capMs, forgiveMs } = rule
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
      if (rows.length === 0) throw new Refused('TOO_MANY_TRIES', { retryAfter: Math.max(1, await this.#waitOf([rule], now)) })
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

  /** Seconds until the next try, as far as they are told; 0: now. */
  async #waitOf(rules: readonly TryRule[], now: number): Promise<number> {
    const rows = await this.#db
      .selectFrom('login_tries')
      .select(['subject', 'blocked_until'])
      .where(
        'subject',
        'in',
        rules.map(({ subject }) => subject),
      )
      .execute()
    const until = new Map(rows.map((row) => [row.subject, row.blocked_until]))
    const waits = rules.map(({ subject, capMs, isShared }) => {
      const at = until.get(subject) ?? 0
      if (at <= now) return 0
      return isShared ? capMs / 1_000 : secondsUntil(at, now)
    })
    return Math.max(0, ...waits)
  }
}
