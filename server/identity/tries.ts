import { sql } from 'kysely'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { networkOf, wideNetworkOf, wideTimes } from '../networks.ts'
import { secondsUntil } from './codes.ts'
import type { IdentityDb } from './tables.ts'

/**
 * This many wrong passwords cost nothing; after that the wait doubles from a second up to `capMs`. One try is forgiven per
 * `forgiveMs`. `isShared`: other people's tries count here too, and the answer does not say when the wait ends, because an
 * attacker who keeps it going would learn the moment.
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

/** The visitor who tries: a browser with which the account's owner has logged in before, or a network. */
export type Trier = { readonly device: string } | { readonly ip: string; readonly isIpCounted: boolean }

/**
 * Slows guessing down without ever locking anybody out. A device that the owner has used before is counted alone, so strangers
 * never delay it. The wait grows to a quarter of an hour per account and network, to a minute per account over all networks,
 * and to a minute per network over all accounts, so that a household behind one address can still log in.
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
   * Counts a try before the password is compared, in one statement per rule, so that parallel guesses find no gap.
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

  /** After a correct password: resets the account's count and takes this try back from the network's. */
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

  /** Seconds until the next try, as far as the answer may contain them; 0: now. */
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
