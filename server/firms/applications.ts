import { randomUUID } from 'node:crypto'
import { firmNameMax, type WireNewFirm } from '@candor/core/protocol/wire/firm/firm.ts'
import { addressOf } from '../identity/accounts.ts'
import { masked } from '../identity/address.ts'
import type { Person } from '../identity/factors/factors.ts'
import { requireLiving } from '../identity/sessions.ts'
import type { IdentityDb } from '../identity/tables.ts'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { Actor, StaffLog } from '../staff/log.ts'
import type { StaffDb } from '../staff/tables.ts'
import { writeFirmLog } from './log.ts'
import { isTrusted, requireAwake } from './membership.ts'
import { tellPerson } from './notices.ts'
import type { Openings } from './openings.ts'
import type { FirmDb } from './tables.ts'

export type ApplicationParts = {
  readonly db: FirmDb
  readonly clock: Clock
  readonly openings: Openings
  readonly log: Pick<StaffLog, 'write'>
  /** Countries that the exchange doesn't serve. */
  readonly unserved: ReadonlySet<string>
  readonly onFault: (cause: unknown) => void
}

export type Verdict = { readonly isAccepted: boolean; readonly why: string }

/** Firms that one person may have or be asking for at a time. */
const firmsMax = 5

/** Applications of firms: made by a certified person, decided by a member of the staff. */
export class Applications {
  readonly #parts: ApplicationParts

  constructor(parts: ApplicationParts) {
    this.#parts = parts
  }

  /**
   * Applies for a firm, whose owner the applicant becomes. Returns its id.
   *
   * throws  Refused FIRM_NEEDS_TRUST, RESTING, FIRM_APPLIED, COUNTRY_NOT_SERVED, UNAUTHENTICATED
   */
  async apply({ name, registration, country, label }: WireNewFirm, { session, visitor }: Person): Promise<string> {
    const { db, clock, unserved } = this.#parts
    if (unserved.has(country)) throw new Refused('COUNTRY_NOT_SERVED', { field: 'country' })
    const id = randomUUID()
    await db.transaction().execute(async (tx) => {
      // Locks the account, so that of two applications at once one is refused.
      const person = tx.selectFrom('accounts').select(['email', 'phone']).where('id', '=', session.account)
      const contact = masked(addressOf(await person.forUpdate().executeTakeFirstOrThrow()))
      await requireLiving(tx as unknown as IdentityDb, session.id)
      if (!(await isTrusted(tx, session.account))) throw new Refused('FIRM_NEEDS_TRUST')
      await requireAwake(tx, session.account, clock())
      const own = await tx
        .selectFrom('firms')
        .select('state')
        .where('applied_by', '=', session.account)
        .where('state', '<>', 'refused')
        .execute()
      if (own.length >= firmsMax || own.some(({ state }) => state === 'applied')) throw new Refused('FIRM_APPLIED')
      const now = clock()
      await tx.insertInto('firms').values({ id, name, registration, country, applied_by: session.account, applied_at: now }).execute()
      const member = randomUUID()
      await tx
        .insertInto('firm_members')
        .values({
          ...{
            id: member,
            firm: id,
            account: session.account,
            label: label ?? contact.slice(0, firmNameMax),
            role: 'owner',
            accounts: null,
            state: 'active',
          },
          ...{ invited_by: null, invited_at: now, joined_at: now },
        })
        .execute()
      await writeFirmLog(tx, now, { firm: id, member, action: 'firm-applied', detail: { name, registration, country }, visitor })
    })
    return id
  }

  /**
   * A member of the staff accepts or refuses an application; nobody decides about a firm that is their own. Its main account is opened.
   *
   * throws  Refused NOT_FOUND, PROPOSAL_CLOSED, SECOND_PERSON_NEEDED, FIRM_EXISTS, FIRM_NEEDS_TRUST
   */
  async decide(id: string, { isAccepted, why }: Verdict, actor: Actor & { readonly staff: string }): Promise<void> {
    const { db, clock, log, openings, onFault } = this.#parts
    await db.transaction().execute(async (tx) => {
      const firm = await tx.selectFrom('firms').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
      if (firm === undefined) throw new Refused('NOT_FOUND')
      if (firm.state !== 'applied') throw new Refused('PROPOSAL_CLOSED')
      await requireStranger(tx, id, actor.staff)
      const now = clock()
      if (isAccepted) await this.#requireOnce(tx, firm.country, firm.registration)
      if (isAccepted && !(await isTrusted(tx, firm.applied_by))) throw new Refused('FIRM_NEEDS_TRUST')
      await tx
        .updateTable('firms')
        .set({ state: isAccepted ? 'active' : 'refused', decided_by: actor.staff, decided_at: now, why: isAccepted ? null : why })
        .where('id', '=', id)
        .execute()
      if (isAccepted) await openings.insert(tx, { firm, kind: 'main', label: firm.name, madeBy: firm.applied_by })
      await writeFirmLog(tx, now, { firm: id, action: isAccepted ? 'firm-accepted' : 'firm-refused' })
      await tellPerson(tx, now, { firm: id, account: firm.applied_by, kind: 'firm-answered', event: id })
      const action = isAccepted ? 'firm-accepted' : 'firm-refused'
      await log.write(tx as unknown as StaffDb, actor, { action, subject: String(firm.number), why })
    })
    if (isAccepted) await openings.finish().catch(onFault)
  }

  /** A registration of a country is one firm's. The index of the table refuses what two decisions at once would make. */
  async #requireOnce(tx: FirmDb, country: string, registration: string): Promise<void> {
    const taken = await tx
      .selectFrom('firms')
      .select('id')
      .where('state', '=', 'active')
      .where('country', '=', country)
      .where((where) => where(where.fn('lower', ['registration']), '=', registration.toLowerCase()))
      .executeTakeFirst()
    if (taken) throw new Refused('FIRM_EXISTS')
  }
}

/** Refuses a member of the staff whose own customer account has joined the firm. throws  Refused SECOND_PERSON_NEEDED */
export async function requireStranger(tx: FirmDb, firm: string, staff: string): Promise<void> {
  const own = await tx
    .selectFrom('firm_members')
    .innerJoin('staff_marks', 'staff_marks.account', 'firm_members.account')
    .select('firm_members.id')
    .where('firm_members.firm', '=', firm)
    .where('firm_members.joined_at', 'is not', null)
    .where('staff_marks.staff', '=', staff)
    .executeTakeFirst()
  if (own) throw new Refused('SECOND_PERSON_NEEDED')
}
