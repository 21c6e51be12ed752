import type { Region } from '@candor/core/protocol/command/region.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import type { WireResidence } from '@candor/core/protocol/wire/user.ts'
import type { Clock, Session } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import type { Account, Accounts } from '../accounts.ts'
import { type Address, countryOf } from '../address.ts'
import { record } from '../audit.ts'
import type { Visitor } from '../device.ts'
import { requireLiving } from '../sessions.ts'
import type { IdentityDb } from '../tables.ts'

export type ResidenceParts = {
  readonly db: IdentityDb
  readonly clock: Clock
  readonly accounts: Accounts
  readonly submit: Submit
  /** Countries whose residents the exchange doesn't serve. */
  readonly unserved: ReadonlySet<string>
  /** The country of the account's document, once one was certified. */
  readonly documentOf: (account: string) => Promise<string | undefined>
  readonly onFault: (cause: unknown) => void
}

/**
 * Where customers live: declared by themselves, together with their age. The core is told each country that is known of a customer, of
 * the document, the residence and the phone number, and closes what one of them closes.
 */
export class Residences {
  readonly #parts: ResidenceParts

  constructor(parts: ResidenceParts) {
    this.#parts = parts
  }

  /** Part of a registration, before anything is stored. throws  Refused COUNTRY_NOT_SERVED, UNDER_AGE */
  check({ country, isOfAge }: WireResidence, address?: Address): void {
    this.#serve(country, 'country')
    if (address !== undefined) this.checkPhone(address)
    if (!isOfAge) throw new Refused('UNDER_AGE', { field: 'isOfAge' })
  }

  /** throws  Refused COUNTRY_NOT_SERVED for a phone number of a country that is not served */
  checkPhone({ channel, value }: Address): void {
    if (channel === 'phone') this.#serve(countryOf(value), 'to')
  }

  /**
   * Stores the residence of an account that has none yet. Repeating it changes nothing; for another country, the customer asks the
   * support.
   *
   * throws  Refused COUNTRY_NOT_SERVED, UNDER_AGE, FORBIDDEN, UNAUTHENTICATED
   */
  async declare(form: WireResidence, { account, id }: Session, visitor: Visitor): Promise<void> {
    const { db, clock } = this.#parts
    this.check(form)
    const { country } = form
    await db.transaction().execute(async (tx) => {
      await requireLiving(tx, id)
      const { residence } = await tx
        .selectFrom('accounts')
        .select('residence')
        .where('id', '=', account)
        .forUpdate()
        .executeTakeFirstOrThrow()
      if (residence === country) return
      if (residence !== null) throw new Refused('FORBIDDEN', { field: 'country' })
      const declared = { residence: country, declared_at: clock(), is_home_due: true }
      await tx.updateTable('accounts').set(declared).where('id', '=', account).execute()
      await record(tx, clock, { account, action: 'residence-declared', visitor, session: id, detail: { country } })
    })
    await this.tell(account)
  }

  /** Tells the core the regions of an account. If it is away, `finish` does so later; until then the strictest rules hold. */
  async tell(id: string): Promise<void> {
    const { accounts, onFault } = this.#parts
    await this.#tell(await accounts.get(id)).catch(onFault)
  }

  /** Tells the core what it did not learn, because it or this process was away. */
  async finish(): Promise<void> {
    const { db, onFault } = this.#parts
    const due = await db.selectFrom('accounts').selectAll().where('is_home_due', '=', true).where('core_user', 'is not', null).execute()
    for (const account of due) await this.#tell(account).catch(onFault)
  }

  /** The regions of a user. `document`: the country of a document that is being certified. */
  async homeOf(user: UserId, document: string): Promise<Region> {
    const account = await this.#parts.db.selectFrom('accounts').selectAll().where('core_user', '=', user).executeTakeFirst()
    return homeOf(document, account)
  }

  async #tell(account: Account): Promise<void> {
    const { db, submit, documentOf } = this.#parts
    if (account.core_user === null) return
    const region = homeOf(await documentOf(account.id), account)
    const { refusal } = await submit({ type: 'user.locate', user: account.core_user as UserId, region })
    if (refusal !== undefined) throw new Refused(refusal)
    await db
      .updateTable('accounts')
      .set({ is_home_due: false })
      .where('id', '=', account.id)
      .where('residence', 'is not distinct from', account.residence)
      .where('phone', 'is not distinct from', account.phone)
      .execute()
  }

  #serve(country: string, field: string): void {
    if (this.#parts.unserved.has(country)) throw new Refused('COUNTRY_NOT_SERVED', { field })
  }
}

/** Each known country once. */
function homeOf(document: string | undefined, account: Pick<Account, 'residence' | 'phone'> | undefined): Region {
  const { residence = null, phone = null } = account ?? {}
  const known = [document, residence, phone === null ? undefined : countryOf(phone)]
  return [...new Set(known.filter((country) => country != null && /^[A-Z]{2}$/.test(country)))].join('+')
}
