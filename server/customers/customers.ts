import type { Profile, Timeline } from '@candor/core/protocol/wire/console/customers.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { StaffLog } from '../staff/log.ts'
import type { Decider } from '../staff/proposals.ts'
import { type CustomerFilter, CustomerList, type CustomerRow, type Found } from './list.ts'
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

  /** Customers whom a text names exactly. The log has no address: that a member searched by one, and whom that found. */
  async search(text: string, who: Decider): Promise<readonly Found[]> {
    const found = await this.list.find(text)
    const by = text.includes('@') ? 'email' : text.trim().startsWith('+') ? 'phone' : undefined
    if (by !== undefined) {
      const [first] = found
      const entry = { action: 'customer-searched', ...(first === undefined ? {} : { subject: first.uid }), after: { by } } as const
      await this.#parts.db.transaction().execute((tx) => this.#looks.write(tx, who, entry))
    }
    return found
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

  /** The addresses in full. Each time is in the log, with the reason. throws  Refused USER_UNKNOWN */
  async reveal(uid: string, why: string, who: Decider): Promise<Contact> {
    return this.#parts.db.transaction().execute(async (tx) => {
      const row = await tx.selectFrom('accounts').select(['email', 'phone']).where('uid', '=', uid).executeTakeFirst()
      if (!row) throw new Refused('USER_UNKNOWN')
      await this.#looks.write(tx, who, { action: 'contact-revealed', subject: uid, why })
      return row
    })
  }

  /** throws  Refused USER_UNKNOWN */
  async note(uid: string, text: string, who: Decider): Promise<void> {
    await this.#notes.add(await subjectOf(this.#parts.db, uid), text, who)
  }
}
