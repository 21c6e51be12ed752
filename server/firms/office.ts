import type { ConsoleFirm, ConsoleFirmRow, ConsoleFirms } from '@candor/core/protocol/wire/console/firms.ts'
import { sql } from 'kysely'
import { Refused } from '../refused.ts'
import type { FirmReading } from './reading.ts'
import { accountsOf } from './reading.ts'
import { ruleOf } from './requests/rule.ts'
import type { FirmDb, FirmRow } from './tables.ts'

const listMax = 500
const logMax = 100

/** Firms as the staff see them: applications first. Members are named by their UIDs; whoever they are is on the customer's page. */
export class FirmOffice {
  readonly #db: FirmDb
  readonly #reading: Pick<FirmReading, 'terms'>

  constructor(db: FirmDb, reading: Pick<FirmReading, 'terms'>) {
    this.#db = db
    this.#reading = reading
  }

  async list(staff: string): Promise<ConsoleFirms> {
    const rows = await this.#rows(staff)
      .orderBy(sql`firms.state = 'applied'`, 'desc')
      .orderBy('firms.number', 'desc')
      .limit(listMax)
      .execute()
    return { firms: rows.map(rowOf) }
  }

  /** The firm's own id. throws  Refused NOT_FOUND */
  async idOf(number: number): Promise<string> {
    const row = await this.#db.selectFrom('firms').select('id').where('number', '=', number).executeTakeFirst()
    if (row === undefined) throw new Refused('NOT_FOUND')
    return row.id
  }

  /** throws  Refused NOT_FOUND */
  async one(number: number, staff: string): Promise<ConsoleFirm> {
    const row = await this.#rows(staff).where('firms.number', '=', number).executeTakeFirst()
    if (row === undefined) throw new Refused('NOT_FOUND')
    const [accounts, frozen, members, rule, log] = await Promise.all([
      accountsOf(this.#db, row.id),
      this.#db.selectFrom('accounts').select('id').where('firm', '=', row.id).where('frozen_at', 'is not', null).execute(),
      this.#db
        .selectFrom('firm_members')
        .innerJoin('accounts', 'accounts.id', 'firm_members.account')
        .select(['accounts.uid', 'firm_members.label', 'firm_members.role', 'firm_members.state'])
        .where('firm_members.firm', '=', row.id)
        .orderBy('firm_members.invited_at')
        .execute(),
      ruleOf(this.#db, row.id),
      this.#log(row.id),
    ])
    const main = accounts.find(({ kind }) => kind === 'main')
    return {
      ...rowOf(row),
      ...{ why: row.why, decidedBy: row.decider, terms: await this.#reading.terms(accounts), rule },
      ...(main === undefined || !main.isOpen ? {} : { subject: main.uid }),
      accounts: accounts.map(({ id, uid, kind, label, isOpen, isArchived }) => ({
        ...{ uid, kind, label, isOpen, isArchived, isFrozen: frozen.some((one) => one.id === id) },
      })),
      ...{ members, log },
    }
  }

  async #log(firm: string): Promise<ConsoleFirm['log']> {
    const rows = await this.#db
      .selectFrom('firm_log')
      .leftJoin('firm_members', 'firm_members.id', 'firm_log.member')
      .leftJoin('firm_accounts', 'firm_accounts.account', 'firm_log.account')
      .select(['firm_log.id', 'firm_log.at', 'firm_log.action', 'firm_members.label as who', 'firm_accounts.label as of'])
      .where('firm_log.firm', '=', firm)
      .orderBy('firm_log.id', 'desc')
      .limit(logMax)
      .execute()
    return rows.map(({ id, at, action, who, of }) => ({
      ...{ id: String(id), at, action },
      ...(who === null ? {} : { who }),
      ...(of === null ? {} : { account: of }),
    }))
  }

  #rows(staff: string) {
    return this.#db
      .selectFrom('firms')
      .innerJoin('accounts', 'accounts.id', 'firms.applied_by')
      .selectAll('firms')
      .select('accounts.uid as applicant')
      .select(sql<string | null>`(select email from staff where staff.id = firms.decided_by)`.as('decider'))
      .select(
        sql<boolean>`exists (select from firm_members m join staff_marks s on s.account = m.account where m.firm = firms.id and m.joined_at is not null and s.staff = ${staff})`.as(
          'is_own',
        ),
      )
  }
}

const rowOf = (row: FirmRow & { readonly applicant: string; readonly is_own: boolean }): ConsoleFirmRow => ({
  ...{ number: row.number, name: row.name, registration: row.registration, country: row.country, state: row.state },
  ...{ applicant: row.applicant, appliedAt: row.applied_at, decidedAt: row.decided_at, isOwn: row.is_own },
})
