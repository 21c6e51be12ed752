import { randomUUID } from 'node:crypto'
import { parseEmail } from '../identity/address.ts'
import { Argon } from '../identity/argon.ts'
import { Authenticators } from '../identity/factors/authenticators.ts'
import { Passkeys } from '../identity/factors/passkeys.ts'
import { Seal } from '../identity/seal.ts'
import type { ServerKeys } from '../identity/server-keys.ts'
import { identityDb } from '../identity/tables.ts'
import { Tries } from '../identity/tries.ts'
import type { Clock, Messages } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { Store } from '../store/open.ts'
import { Enrolments } from './enrolments.ts'
import { type Actor, StaffLog } from './log.ts'
import { StaffLogins } from './logins.ts'
import { StaffMail } from './mail.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { Own } from './own.ts'
import type { Role } from './permissions.ts'
import { type Decider, Proposals, type Wish } from './proposals.ts'
import { StaffSessions, staffLivesMs } from './sessions.ts'
import { nameMax, reasonMax, requirePlain } from './text.ts'
import { factorDb, type StaffDb, staffDb, type StaffTable, type StaffTables } from './tables.ts'

export type StaffOptions = {
  readonly store: Store
  readonly mode: 'sandbox' | 'production'
  readonly serverKeys: ServerKeys
  /** For links and notices. */
  readonly messages: Messages
  readonly publicUrl: string
  readonly clock?: Clock
  readonly argon?: Argon
  readonly onFault?: (cause: unknown) => void
}

export type Member = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly state: StaffTable['state']
  readonly createdAt: number
  readonly lastSeenAt: number | null
}

/** `token`: opens the enrolment, for the first administrator. `proposal`: its number; it waits for approval. */
export type Created = { readonly token: string } | { readonly proposal: number }

const hourMs = 3_600_000
const sessionsKeptMs = 365 * 24 * hourMs

/** The people who work for the exchange: accounts, logins, decisions about them, and the log of what they do. */
export class Staff implements AsyncDisposable {
  readonly log: StaffLog
  readonly sessions: StaffSessions
  readonly enrolments: Enrolments
  readonly logins: StaffLogins
  readonly passkeys: Passkeys
  readonly proposals: Proposals
  readonly mail: StaffMail
  readonly own: Own
  readonly #db: StaffDb
  readonly #clock: Clock
  readonly #pruner: NodeJS.Timeout

  constructor(options: StaffOptions) {
    const { store, mode, serverKeys, messages, publicUrl, clock = Date.now, argon = new Argon(), onFault = () => undefined } = options
    const db = staffDb(store)
    const [factors, seal] = [factorDb(db), new Seal(serverKeys, 'staff-authenticator')]
    this.#db = db
    this.#clock = clock
    this.log = new StaffLog(db, clock)
    this.sessions = new StaffSessions(db, clock)
    this.passkeys = new Passkeys(factors, clock)
    const authenticators = new Authenticators(factors, clock, seal)
    this.mail = new StaffMail({ messages, publicUrl, clock, onFault })
    const { log, sessions, passkeys, mail } = this
    this.enrolments = new Enrolments({ db, clock, argon, passkeys, sessions, log })
    const identity = identityDb(store)
    const tries = new Tries(identity, clock)
    this.logins = new StaffLogins({ db, identity, mode, clock, argon, passkeys, authenticators, sessions, tries, log })
    this.proposals = new Proposals({ db, clock, enrolments: this.enrolments, sessions, log, mail })
    this.own = new Own({ db, argon, passkeys, authenticators, sessions, log, mail })
    this.#pruner = setInterval(() => void this.prune().catch(onFault), hourMs).unref()
  }

  async list(): Promise<readonly Member[]> {
    const rows = await this.#db
      .selectFrom('staff')
      .select(['id', 'email', 'name', 'role', 'state', 'created_at'])
      .select((row) =>
        row
          .selectFrom('staff_sessions')
          .select((session) => session.fn.max('last_seen_at').as('at'))
          .whereRef('staff_sessions.staff', '=', 'staff.id')
          .as('seen'),
      )
      .orderBy('email')
      .execute()
    return rows.map(({ created_at: createdAt, seen: lastSeenAt, ...row }) => ({ ...row, createdAt, lastSeenAt }))
  }

  /**
   * Invites somebody on behalf of the machine's owner. An administrator gets a token while none is active, and inviting an invited one
   * again gives a new token. All others, and everybody from then on, are only proposed.
   *
   * throws  Refused EMAIL_INVALID, STAFF_EXISTS
   */
  async create(wish: Omit<Wish & { readonly kind: 'invitation' }, 'kind'>, actor: Actor): Promise<Created> {
    const token = wish.role === 'administrator' ? await this.#createFirst(wish, actor) : undefined
    return token === undefined ? { proposal: await this.proposals.propose({ kind: 'invitation', ...wish }, actor) } : { token }
  }

  /** undefined when an administrator is active */
  async #createFirst({ email: typed, name, role, reason }: Omit<Wish & { readonly kind: 'invitation' }, 'kind'>, actor: Actor) {
    const email = parseEmail(typed)
    requirePlain('name', name, nameMax)
    requirePlain('reason', reason, reasonMax)
    return this.#db.transaction().execute(async (tx) => {
      await oneAtATime(tx)
      const active = tx.selectFrom('staff').select('id').where('role', '=', 'administrator').where('state', '=', 'active')
      if (await active.executeTakeFirst()) return undefined
      const known = await tx.selectFrom('staff').select(['id', 'role', 'state']).where('email', '=', email).executeTakeFirst()
      if (known && (known.state !== 'invited' || known.role !== role)) throw new Refused('STAFF_EXISTS')
      const id = known?.id ?? randomUUID()
      if (!known) await tx.insertInto('staff').values({ id, email, name, role, state: 'invited', created_at: this.#clock() }).execute()
      await this.log.write<StaffTables>(tx, actor, {
        action: known ? 'enrolment-issued' : 'created',
        subject: id,
        why: reason,
        after: { email, name, role },
      })
      return this.enrolments.issue(tx, id)
    })
  }

  /** The id of a member. throws  Refused NOT_FOUND */
  async idOf(email: string): Promise<string> {
    const row = await this.#db.selectFrom('staff').select('id').where('email', '=', parseEmail(email)).executeTakeFirst()
    if (!row) throw new Refused('NOT_FOUND')
    return row.id
  }

  /** Notes what somebody may not do and tried. */
  async refused(attempt: Readonly<Record<string, string>>, { session, visitor }: Decider): Promise<void> {
    await this.log.write<StaffTables>(
      this.#db,
      { staff: session.staff, session: session.id, visitor },
      { action: 'refused', after: attempt },
    )
  }

  /** Notes that somebody takes entries of the log away. */
  async exported(filter: Readonly<Record<string, unknown>>, { session, visitor }: Decider): Promise<void> {
    await this.log.write<StaffTables>(
      this.#db,
      { staff: session.staff, session: session.id, visitor },
      { action: 'log-exported', after: filter },
    )
  }

  /** Notes that somebody takes a table of a page away. */
  async tableExported(table: string, filter: Readonly<Record<string, unknown>>, { session, visitor }: Decider): Promise<void> {
    await this.log.write<StaffTables>(
      this.#db,
      { staff: session.staff, session: session.id, visitor },
      { action: 'table-exported', subject: table, after: filter },
    )
  }

  /** Deletes what opens nothing any more. */
  async prune(): Promise<void> {
    const now = this.#clock()
    for (const table of ['staff_enrolments', 'staff_passkey_challenges'] as const)
      await this.#db.deleteFrom(table).where('expires_at', '<=', now).execute()
    await this.#db
      .deleteFrom('staff_sessions')
      .where('created_at', '<=', now - staffLivesMs - sessionsKeptMs)
      .execute()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#pruner)
    await this.mail[Symbol.asyncDispose]()
  }
}
