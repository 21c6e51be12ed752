import type { Clock } from '../ports.ts'
import type { PapersDb } from './tables.ts'

const decisions = 100
const decisionsMin = 10
const keptMs = 5 * 60_000
const hourMs = 3_600_000

/** How long a decision usually takes. */
export class Usual {
  readonly #db: PapersDb
  readonly #clock: Clock
  #known: { readonly at: number; readonly hours: number | null } | undefined

  constructor(db: PapersDb, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** The median of the last hundred decisions, rounded up to hours; null before there are ten. At most five minutes old. */
  async hours(): Promise<number | null> {
    const now = this.#clock()
    if (this.#known !== undefined && now - this.#known.at < keptMs) return this.#known.hours
    const rows = await this.#db
      .selectFrom('papers')
      .select(['sent_at', 'decided_at'])
      .where('decided_at', 'is not', null)
      .orderBy('decided_at', 'desc')
      .limit(decisions)
      .execute()
    const took = rows.map((row) => row.decided_at! - row.sent_at!).sort((a, b) => a - b)
    const hours = took.length < decisionsMin ? null : Math.ceil(took[took.length >> 1]! / hourMs)
    this.#known = { at: now, hours }
    return hours
  }
}
