import type { Profile, Timeline } from '@candor/core/protocol/wire/console/customers.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { sql } from 'kysely'
import { secondsUntil } from '../identity/codes.ts'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { StaffLog } from '../staff/log.ts'
import type { Decider } from '../staff/proposals.ts'
import { type CustomerFilter, CustomerList, type CustomerRow, type Found, readingsOf } from './list.ts'
import { Looks, subjectOf } from './looks.ts'
import type { Money } from './money.ts'
import { type Note, Notes } from './notes.ts'
import { profileOf } from './profile.ts'
import type { CustomersDb } from './tables.ts'
import { timelineOf } from './timeline.ts'

export type CustomersParts = {
  readonly db: CustomersDb
  readonly clock: Clock
  readonly log: StaffLog
  readonly moneyOf: (user: UserId) => Promise<Money>
}

const dayMs = 86_400_000
/** Reveals of one member in a day: a stolen session must not copy the addresses of all customers. */
const revealsPerDay = 100

export type Contact = { readonly email: string | null; readonly phone: string | null }

/** Customers as the staff see them. Each look at one is in the log first, and so is each search by an address. */
export class Customers {
  readonly list: CustomerList
  readonly #parts: CustomersParts
  readonly #looks: Looks
  readonly #notes: Notes

  constructor(parts: CustomersParts) {
    const { db, clock, log } = parts
    this.#parts = parts
    this.list = new CustomerList(db)
    this.#looks = new Looks({ db, clock, log })
    this.#notes = new Notes(db, clock, this.#looks)
  }

  /**
   * Customers whom a text names exactly. The log has no address: that a member searched by one or by an order, and whom that found. A UID
   * alone tells nothing that the list doesn't.
   */
  async search(text: string, who: Decider): Promise<readonly Found[]> {
    const found = await this.list.find(text)
    const by = searchedBy(text, found)
    if (by !== undefined) {
      const first = found.find((one) => one.by === by)
      const entry = { action: 'customer-searched', ...(first === undefined ? {} : { subject: first.uid }), after: { by } } as const
      await this.#parts.db.transaction().execute((tx) => this.#looks.write(tx, who, entry))
    }
    return found
  }

  /** Notes a look at what another page shows of a customer. throws  Refused USER_UNKNOWN, UNAUTHENTICATED */
  async look(uid: string, who: Decider): Promise<void> {
    await this.#looks.at(uid, who)
  }

  /** The newest customers of a list, for a file. */
  async exported(filter: CustomerFilter, size: number, who: Decider): Promise<readonly CustomerRow[]> {
    await this.#parts.db.transaction().execute((tx) => this.#looks.write(tx, who, { action: 'customers-exported', after: { ...filter } }))
    return this.list.page(filter, size)
  }

  /** throws  Refused USER_UNKNOWN */
  async profile(uid: string, who: Decider): Promise<Profile & { readonly notes: readonly Note[] }> {
    const subject = await this.#looks.at(uid, who)
    const profile = await profileOf(this.#parts.db, subject, this.#parts.clock())
    return { ...profile, notes: await this.#notes.of(subject) }
  }

  /** Null while the core has no user for the account. throws  Refused USER_UNKNOWN; what the core's queries throw */
  async money(uid: string, who: Decider): Promise<Money | null> {
    const { user } = await this.#looks.at(uid, who)
    return user === null ? null : this.#parts.moneyOf(user as UserId)
  }

  /** throws  Refused USER_UNKNOWN */
  async timeline(uid: string, who: Decider, before?: string): Promise<Timeline> {
    return timelineOf(this.#parts.db, await this.#looks.at(uid, who), before)
  }

  /** The addresses in full. Each time is in the log, with the reason. throws  Refused USER_UNKNOWN, RATE_LIMITED after many in a day */
  async reveal(uid: string, why: string, who: Decider): Promise<Contact> {
    return this.#parts.db.transaction().execute(async (tx) => {
      const row = await tx.selectFrom('accounts').select(['email', 'phone']).where('uid', '=', uid).executeTakeFirst()
      if (!row) throw new Refused('USER_UNKNOWN')
      await this.#refuseMore(tx, who)
      await this.#looks.write(tx, who, { action: 'contact-revealed', subject: uid, why })
      return row
    })
  }

  /** Parallel reveals of one member wait for each other. */
  async #refuseMore(tx: CustomersDb, { session: { staff } }: Decider): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtext('contact-revealed'), hashtext(${staff}))`.execute(tx)
    const now = this.#parts.clock()
    const { count, first } = await tx
      .selectFrom('staff_log')
      .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min('at').as('first')])
      .where('staff', '=', staff)
      .where('action', '=', 'contact-revealed')
      .where('at', '>', now - dayMs)
      .executeTakeFirstOrThrow()
    if (Number(count) >= revealsPerDay) throw new Refused('RATE_LIMITED', { retryAfter: secondsUntil((first ?? now) + dayMs, now) })
  }

  /** throws  Refused USER_UNKNOWN */
  async note(uid: string, text: string, who: Decider): Promise<void> {
    await this.#notes.add(await subjectOf(this.#parts.db, uid), text, who)
  }
}

/** What a search is noted by: nine digits that are the number of no order are a UID. */
function searchedBy(text: string, found: readonly Found[]): 'email' | 'phone' | 'order' | undefined {
  if (text.includes('@')) return 'email'
  if (text.trim().startsWith('+')) return 'phone'
  const readings = readingsOf(text)
  const isOrder = found.some(({ by }) => by === 'order') || (readings.length === 1 && readings[0]!.by === 'order')
  return isOrder ? 'order' : undefined
}
