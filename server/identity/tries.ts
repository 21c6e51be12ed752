import { sql } from 'kysely'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import { networkOf, wideNetworkOf, wideTimes } from '../networks.ts'
import { secondsUntil } from './codes.ts'
import { Line, type Stranger } from './line.ts'
import type { IdentityDb } from './tables.ts'

/**
 * This many wrong passwords cost nothing; after that the wait doubles from a second up to `capMs`. One try is forgiven per
 * `forgiveMs`. `isShared`: tries of neighbouring networks count here too, and the answer does not say when the wait ends, because an
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

/** What a try counts for: its own rules, and for a stranger the line before the account. */
export type TryLimits = { readonly rules: readonly TryRule[]; readonly stranger?: Stranger }

/**
 * Slows guessing down without ever locking anybody out. A device that the owner has used before is counted alone, so strangers
 * never delay it. Strangers wait up to a quarter of an hour per account and network and, after many tries, in the account's line;
 * a network that guesses at many accounts waits as well.
 */
export function loginLimits(name: string, trier: Trier): TryLimits {
  if ('device' in trier) return { rules: [{ subject: `${name}#${trier.device}`, free: 5, capMs: 15 * minute, forgiveMs: day }] }
  const [network, wide] = [networkOf(trier.ip), wideNetworkOf(trier.ip)]
  const rules: TryRule[] = [{ subject: `${name}@${network}`, free: 5, capMs: 15 * minute, forgiveMs: day }]
  if (trier.isIpCounted) {
    rules.push({ subject: `ip:${network}`, free: 30, capMs: 15 * minute, forgiveMs: minute })
    rules.push({ subject: `ip:${wide}`, free: 30 * wideTimes, capMs: minute, forgiveMs: minute / wideTimes, isShared: true })
  }
  return { rules, stranger: { name, ip: trier.ip } }
}

export class Tries {
  readonly #db: IdentityDb
  readonly #clock: Clock
  readonly #line: Line

  constructor(db: IdentityDb, clock: Clock) {
    this.#db = db
    this.#clock = clock
    this.#line = new Line(db, clock)
  }

  /**
   * Counts a try, then compares the password. A comparison that could not be made does not count.
   *
   * throws  Refused TOO_MANY_TRIES with the seconds to wait; what `compare` throws
   */
  async guess(limits: TryLimits, compare: () => Promise<boolean>): Promise<boolean> {
    await this.#take(limits)
    let isRight: boolean
    try {
      isRight = await compare()
    } catch (error) {
      await this.#giveBack(limits.rules)
      if (limits.stranger) await this.#line.giveBack(limits.stranger)
      throw error
    }
    if (isRight) {
      await this.#giveBack(limits.rules.filter(isOfNetwork))
      const own = await this.#forget(limits.rules.filter((rule) => !isOfNetwork(rule)))
      // The mistakes of the owner's own network, but nobody else's: others would learn that the owner has logged in.
      if (limits.stranger) await this.#line.forgive(limits.stranger, own)
    }
    return isRight
  }

  /** Ends the wait of a stranger's network at one account, after a proof of the owner. */
  async endWait(name: string, ip: string): Promise<void> {
    const { rules } = loginLimits(name, { ip, isIpCounted: false })
    await this.#forget(rules)
  }

  /** The line comes second: a network that has to wait anyway uses up no turn. */
  async #take({ rules, stranger }: TryLimits): Promise<void> {
    const now = this.#clock()
    const wait = Math.max(await this.#waitOf(rules, now), stranger ? await this.#line.waitOf(stranger) : 0)
    if (wait > 0) throw new Refused('TOO_MANY_TRIES', { retryAfter: wait })
    const [own, ...others] = rules
    await this.#count(own!, now)
    if (stranger) {
      try {
        await this.#line.take(stranger)
      } catch (error) {
        await this.#giveBack([own!])
        throw error
      }
    }
    for (const rule of others) await this.#count(rule, now)
  }

  /** One statement, so that parallel guesses find no gap. */
  async #count(rule: TryRule, now: number): Promise<void> {
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

  async #giveBack(rules: readonly TryRule[]): Promise<void> {
    const back = { blocked_until: this.#clock() }
    for (const { subject } of rules) {
      await this.#db
        .updateTable('login_tries')
        .set({ ...back, tries: sql<number>`greatest(0, tries - 1)` })
        .where('subject', '=', subject)
        .execute()
    }
  }

  /** Returns the number of tries that counted. */
  async #forget(rules: readonly TryRule[]): Promise<number> {
    let tries = 0
    for (const { subject } of rules) {
      const row = await this.#db.deleteFrom('login_tries').where('subject', '=', subject).returning('tries').executeTakeFirst()
      tries += row?.tries ?? 0
    }
    return tries
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

const isOfNetwork = ({ subject }: TryRule): boolean => subject.startsWith('ip:')
