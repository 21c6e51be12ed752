import { parseEmail } from '../identity/address.ts'
import type { Argon } from '../identity/argon.ts'
import type { Authenticators } from '../identity/factors/authenticators.ts'
import type { PasskeyJson, Passkeys } from '../identity/factors/passkeys.ts'
import { checkPassword } from '../identity/password.ts'
import { Refused } from '../refused.ts'
import { passwordLeast } from './enrolments.ts'
import type { StaffEntry, StaffLog } from './log.ts'
import type { StaffMail } from './mail.ts'
import type { Decider } from './proposals.ts'
import type { StaffSessions } from './sessions.ts'
import { factorDb, type StaffDb, type StaffTables } from './tables.ts'

export type OwnParts = {
  readonly db: StaffDb
  readonly argon: Argon
  readonly passkeys: Passkeys
  readonly authenticators: Authenticators
  readonly sessions: StaffSessions
  readonly log: StaffLog
  readonly mail: Pick<StaffMail, 'loginChanged'>
}

export type OwnFactors = {
  readonly authenticatorSince: number | null
  readonly passkeys: readonly {
    readonly id: string
    readonly label: string
    readonly createdAt: number
    readonly lastUsedAt: number | null
    /** As the signer's policy names it. */
    readonly key: { readonly id: string; readonly publicKey: string } | null
  }[]
}

/**
 * Members change their own passkeys, password and authenticator app, and end their own sessions. A change needs a login of the last 15
 * minutes, and a mail tells the member of it, so that a thief of a session can't make a way in that lasts.
 */
export class Own {
  readonly #parts: OwnParts

  constructor(parts: OwnParts) {
    this.#parts = parts
  }

  async factors(staff: string): Promise<OwnFactors> {
    const { authenticators, passkeys } = this.#parts
    const authenticatorSince = (await authenticators.since(staff)) ?? null
    const list = await passkeys.list(staff)
    const keys = await passkeys.publicKeys(staff)
    return {
      authenticatorSince,
      passkeys: list.map(({ id, label, createdAt, lastUsedAt }) => ({ id, label, createdAt, lastUsedAt, key: keys.get(id) ?? null })),
    }
  }

  /** A new secret of an authenticator app. throws  Refused SESSION_NOT_FRESH */
  async beginAuthenticator(who: Decider): Promise<{ readonly secret: string; readonly uri: string }> {
    const { staff, email } = who.session
    this.#parts.sessions.requireFresh(who.session)
    return this.#change(who, { action: 'authenticator-begun' }, (tx) => this.#parts.authenticators.begin(staff, email, factorDb(tx)))
  }

  /** throws  Refused SESSION_NOT_FRESH, CODE_WRONG, CODE_EXPIRED */
  async confirmAuthenticator(code: string, who: Decider): Promise<void> {
    const { staff } = who.session
    await this.#changeLogin(who, { action: 'authenticator-added' }, (tx) => this.#parts.authenticators.confirm(factorDb(tx), staff, code))
  }

  /** throws  Refused SESSION_NOT_FRESH, PASSKEY_LIMIT */
  async beginPasskey(origin: string, { session }: Decider): Promise<PasskeyJson> {
    this.#parts.sessions.requireFresh(session)
    return this.#parts.passkeys.begin(session.staff, session.email, origin)
  }

  /** throws  Refused SESSION_NOT_FRESH, PASSKEY_WRONG, PASSKEY_LIMIT */
  async addPasskey(label: string, response: PasskeyJson, origin: string, who: Decider): Promise<void> {
    const { sessions, passkeys } = this.#parts
    const { staff } = who.session
    sessions.requireFresh(who.session)
    const made = await passkeys.made(staff, response, origin)
    await this.#changeLogin(who, { action: 'passkey-added', after: { label } }, (tx) => passkeys.add(factorDb(tx), staff, label, made))
  }

  /** Ends all other sessions: some may have begun with it. throws  Refused SESSION_NOT_FRESH, NOT_FOUND, FIELD_INVALID for the last one */
  async removePasskey(id: string, who: Decider): Promise<void> {
    const { sessions, passkeys } = this.#parts
    const { staff, id: current } = who.session
    await this.#changeLogin(who, { action: 'passkey-removed', subject: id }, async (tx) => {
      const db = factorDb(tx)
      if (!(await passkeys.remove(db, staff, id))) throw new Refused('NOT_FOUND')
      if ((await passkeys.count(staff, db)) === 0) throw new Refused('FIELD_INVALID', { field: 'id' })
      await sessions.end(tx, staff, { except: current })
    })
  }

  /** Ends all other sessions. throws  Refused SESSION_NOT_FRESH, and what `checkPassword` throws */
  async changePassword(password: string, who: Decider): Promise<void> {
    const { sessions, argon } = this.#parts
    const { staff, email, id } = who.session
    sessions.requireFresh(who.session)
    checkPassword(password, [{ channel: 'email', value: parseEmail(email) }], passwordLeast)
    const phc = await argon.hash(password, { lane: 'known', owner: staff })
    await this.#changeLogin(who, { action: 'password-changed' }, async (tx) => {
      await tx.updateTable('staff').set({ password: phc }).where('id', '=', staff).execute()
      await sessions.end(tx, staff, { except: id })
    })
  }

  /** Ends one of the own sessions, or every other one. throws  Refused NOT_FOUND */
  async endSession(which: { readonly only: string } | 'others', who: Decider): Promise<void> {
    const { id, staff } = who.session
    const action = which === 'others' ? 'other-sessions-ended' : which.only === id ? 'logout' : 'session-ended'
    await this.#change(who, { action, ...(which === 'others' ? {} : { subject: which.only }) }, async (tx) => {
      const ended = await this.#parts.sessions.end(tx, staff, which === 'others' ? { except: id } : which)
      if (which !== 'others' && ended === 0) throw new Refused('NOT_FOUND')
    })
  }

  async #changeLogin(who: Decider, entry: StaffEntry, work: (tx: StaffDb) => Promise<void>): Promise<void> {
    this.#parts.sessions.requireFresh(who.session)
    await this.#change(who, entry, work)
    this.#parts.mail.loginChanged(who.session.email, who.visitor)
  }

  /** The member's row is locked first, as everywhere, so that nothing waits in a circle; then the entry refuses an ended session. */
  async #change<T>({ session, visitor }: Decider, entry: StaffEntry, work: (tx: StaffDb) => Promise<T>): Promise<T> {
    const { db, log } = this.#parts
    return db.transaction().execute(async (tx) => {
      await tx.selectFrom('staff').select('id').where('id', '=', session.staff).forUpdate().executeTakeFirstOrThrow()
      await log.write<StaffTables>(tx, { staff: session.staff, session: session.id, visitor }, entry)
      return work(tx)
    })
  }
}
