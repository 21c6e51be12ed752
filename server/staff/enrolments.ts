import { parseEmail } from '../identity/address.ts'
import type { Argon } from '../identity/argon.ts'
import type { Visitor } from '../identity/device.ts'
import type { PasskeyJson, Passkeys } from '../identity/factors/passkeys.ts'
import { checkPassword } from '../identity/password.ts'
import { hashOf, newToken } from '../identity/secret.ts'
import { networkOf } from '../networks.ts'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { StaffLog } from './log.ts'
import type { Role } from './permissions.ts'
import type { StaffSession, StaffSessions } from './sessions.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { factorDb, type StaffDb, type StaffTables } from './tables.ts'

export type EnrolmentParts = {
  readonly db: StaffDb
  readonly clock: Clock
  readonly argon: Argon
  readonly passkeys: Passkeys
  readonly sessions: StaffSessions
  readonly log: StaffLog
}

export type Invited = { readonly email: string; readonly name: string; readonly role: Role }
export type Enrolment = { readonly token: string; readonly password: string; readonly label: string; readonly response: PasskeyJson }
export type StaffStarted = { readonly session: StaffSession; readonly token: string }

const livesMs = 24 * 60 * 60_000
/** 128 bits. */
const tokenBytes = 16
export const passwordLeast = { length: 15, refusal: 'STAFF_PASSWORD_TOO_SHORT' } as const

/** The way into a new account: a token that works once, within a day, and sets password and passkey. */
export class Enrolments {
  readonly #parts: EnrolmentParts

  constructor(parts: EnrolmentParts) {
    this.#parts = parts
  }

  /** A new token for a member, in the transaction of its reason; an earlier one ends. Only its hash is stored. */
  async issue(db: StaffDb, staff: string): Promise<string> {
    const token = newToken(tokenBytes)
    const row = { token: hashOf(token), expires_at: this.#parts.clock() + livesMs }
    await db
      .insertInto('staff_enrolments')
      .values({ staff, ...row })
      .onConflict((conflict) => conflict.column('staff').doUpdateSet(row))
      .execute()
    return token
  }

  /** Whom the token invites, and what their device needs to create a passkey. Uses nothing up. throws Refused TOKEN_EXPIRED */
  async begin(token: string, origin: string): Promise<Invited & { readonly options: PasskeyJson }> {
    const { id, email, name, role } = await this.#invited(token)
    return { email, name, role, options: await this.#parts.passkeys.begin(id, email, origin) }
  }

  /**
   * Sets password and passkey, and logs in.
   *
   * throws  Refused TOKEN_EXPIRED, PASSKEY_WRONG, and what `checkPassword` throws
   */
  async finish({ token, password, label, response }: Enrolment, origin: string, visitor: Visitor): Promise<StaffStarted> {
    const { db, argon, passkeys, sessions, log } = this.#parts
    const { id: staff, email } = await this.#invited(token)
    checkPassword(password, [{ channel: 'email', value: parseEmail(email) }], passwordLeast)
    const made = await passkeys.made(staff, response, origin).catch(async (cause: unknown) => {
      // The link may have been used at the same moment, which ended the challenges of all who opened it.
      await this.#invited(token)
      throw cause
    })
    const phc = await argon.hash(password, { lane: 'stranger', owner: networkOf(visitor.ip) })
    return db.transaction().execute(async (tx) => {
      await oneAtATime(tx)
      // Locked first, as everywhere: a deactivation at the same moment comes before or after.
      const row = await tx.selectFrom('staff').select(['id', 'state', 'role']).where('id', '=', staff).forUpdate().executeTakeFirstOrThrow()
      const taken = await tx
        .deleteFrom('staff_enrolments')
        .where('token', '=', hashOf(token))
        .where('expires_at', '>', this.#parts.clock())
        .returning('staff')
        .executeTakeFirst()
      if (!taken || row.state === 'deactivated') throw expired()
      await dropFactors(tx, staff)
      await tx.updateTable('staff').set({ password: phc, state: 'active' }).where('id', '=', staff).execute()
      if (row.role === 'administrator') await dropPrinted(tx)
      await passkeys.add(factorDb(tx), staff, label, made)
      await sessions.end(tx, staff)
      const started = await sessions.start(tx, staff, visitor)
      const actor = { staff, session: started.session.id, visitor }
      await log.write<StaffTables>(tx, actor, {
        action: 'enrolled',
        subject: staff,
        before: { state: row.state },
        after: { state: 'active' },
      })
      return started
    })
  }

  async #invited(token: string): Promise<Invited & { readonly id: string }> {
    const row = await this.#parts.db
      .selectFrom('staff_enrolments')
      .innerJoin('staff', 'staff.id', 'staff_enrolments.staff')
      .select(['staff.id', 'staff.email', 'staff.name', 'staff.role'])
      .where('staff_enrolments.token', '=', hashOf(token))
      .where('staff_enrolments.expires_at', '>', this.#parts.clock())
      .where('staff.state', '<>', 'deactivated')
      .executeTakeFirst()
    if (!row) throw expired()
    return row
  }
}

const expired = (): Refused => new Refused('TOKEN_EXPIRED', { field: 'token' })

/** Links that the command line printed are for the first administrator: from then on a link goes to its own person by mail. */
async function dropPrinted(tx: StaffDb): Promise<void> {
  const printed = tx.selectFrom('staff').select('id').where('proposal', 'is', null)
  await tx.deleteFrom('staff_enrolments').where('staff', 'in', printed).execute()
}

/** Passkeys and authenticator app of a member: who enrols anew may have lost them to somebody else. */
export async function dropFactors(tx: StaffDb, staff: string): Promise<void> {
  for (const table of ['staff_passkeys', 'staff_authenticators', 'staff_passkey_challenges'] as const)
    await tx.deleteFrom(table).where('account', '=', staff).execute()
}
