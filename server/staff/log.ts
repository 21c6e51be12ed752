import type { Kysely } from 'kysely'
import { deviceOf, type Visitor } from '../identity/device.ts'
import type { Clock } from '../ports.ts'
import { requireLiving } from './sessions.ts'
import type { StaffDb } from './tables.ts'

export type StaffAction =
  | (
      | 'refused'
      | 'created'
      | 'enrolment-issued'
      | 'enrolled'
      | 'login'
      | 'login-failed'
      | 'logout'
      | 'session-ended'
      | 'other-sessions-ended'
    )
  | ('authenticator-begun' | 'authenticator-added' | 'passkey-added' | 'passkey-removed' | 'password-changed')
  | ('proposed' | 'proposal-taken-over' | 'approved' | 'declined')
  | ('papers-opened' | 'papers-claimed' | 'papers-released' | 'papers-seen' | 'papers-certified' | 'papers-rejected')
  | ('revocation-proposed' | 'revocation-approved' | 'revocation-declined')
  | ('customer-frozen' | 'lift-proposed' | 'lift-approved' | 'lift-declined')
  | ('regain-opened' | 'regain-seen' | 'regain-proposed' | 'regain-approved' | 'regain-rejected')
  | ('log-exported' | 'table-exported')
  | ('operation-proposed' | 'operation-approved' | 'operation-declined' | 'operation-closed')
  | ('announcement-published' | 'announcement-withdrawn')
  | ('finding-explained' | 'finding-escalated')
  | ('withdrawal-opened' | 'withdrawal-claimed' | 'withdrawal-released' | 'withdrawal-approved' | 'withdrawal-rejected')
  | 'withdrawal-signed'
  | ('ending-proposed' | 'ending-approved' | 'ending-declined' | 'movement-proposed' | 'movement-approved' | 'movement-declined')
  | ('deposit-proposed' | 'deposit-approved' | 'deposit-declined')
  | ('ticket-opened' | 'ticket-answered' | 'ticket-noted' | 'ticket-assigned' | 'ticket-handed-over' | 'ticket-closed')
  | ('ticket-picture-seen' | 'answer-changed')
  | ('firm-accepted' | 'firm-refused')
  | ('customer-seen' | 'customer-searched' | 'contact-revealed' | 'note-added' | 'customers-exported' | 'account-declared')

/** Who acts, in which session, from where. The command line has no member and no session. */
export type Actor = { readonly staff?: string | undefined; readonly session?: string | undefined; readonly visitor: Visitor }

export type StaffEntry = {
  readonly action: StaffAction
  /** What it is about: a member's, proposal's or check's id. */
  readonly subject?: string
  readonly why?: string
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

export type LoggedEntry = {
  readonly id: number
  readonly at: number
  readonly staff: string | null
  readonly email: string | null
  readonly session: string | null
  readonly ip: string
  readonly device: string
  readonly action: string
  readonly subject: string | null
  readonly why: string | null
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

export type LogFilter = { readonly staff?: string; readonly action?: string; readonly before?: number }

const pageSize = 100

/** What the staff did: a table that only grows. */
export class StaffLog {
  readonly #db: StaffDb
  readonly #clock: Clock

  constructor(db: StaffDb, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /**
   * Appends an entry. `db`: the transaction of the action, of any room, so that neither stays without the other. An action whose session
   * has ended since its request began is refused here.
   *
   * throws  Refused UNAUTHENTICATED
   */
  async write<Tables>(db: Kysely<Tables>, { staff, session, visitor }: Actor, entry: StaffEntry): Promise<void> {
    const { action, subject = null, why = null, before, after } = entry
    const tables = db as unknown as StaffDb
    if (session !== undefined) await requireLiving(tables, session)
    await tables
      .insertInto('staff_log')
      .values({
        ...{ at: this.#clock(), staff: staff ?? null, session: session ?? null, ip: visitor.ip, device: deviceOf(visitor.userAgent) },
        ...{ action, subject, why, before: json(before), after: json(after) },
      })
      .execute()
  }

  /** Entries, newest first. `before`: the id of the last one of the page before. */
  async page({ staff, action, before }: LogFilter, size = pageSize): Promise<readonly LoggedEntry[]> {
    const rows = await this.#db
      .selectFrom('staff_log')
      .leftJoin('staff', 'staff.id', 'staff_log.staff')
      .selectAll('staff_log')
      .select('staff.email')
      .$if(staff !== undefined, (query) => query.where('staff_log.staff', '=', staff!))
      .$if(action !== undefined, (query) => query.where('staff_log.action', '=', action!))
      .$if(before !== undefined, (query) => query.where('staff_log.id', '<', before!))
      .orderBy('staff_log.id', 'desc')
      .limit(size)
      .execute()
    return rows as unknown as readonly LoggedEntry[]
  }
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))
