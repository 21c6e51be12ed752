import type { Argon } from '../identity/argon.ts'
import { isLoopback, type Visitor } from '../identity/device.ts'
import type { Authenticators } from '../identity/factors/authenticators.ts'
import type { PasskeyJson, Passkeys } from '../identity/factors/passkeys.ts'
import { loginLimits, type Tries } from '../identity/tries.ts'
import { networkOf } from '../networks.ts'
import { Refused } from '../refused.ts'
import type { StaffStarted } from './enrolments.ts'
import type { StaffLog } from './log.ts'
import type { StaffSession, StaffSessions } from './sessions.ts'
import { factorDb, type StaffDb, type StaffTables } from './tables.ts'

export type StaffLoginParts = {
  readonly db: StaffDb
  readonly mode: 'sandbox' | 'production'
  readonly argon: Argon
  readonly passkeys: Passkeys
  readonly authenticators: Authenticators
  readonly sessions: StaffSessions
  readonly tries: Tries
  readonly log: StaffLog
}

/** An id that no member has. */
const nobody = '00000000-0000-0000-0000-000000000000'

/**
 * Logins of the staff: by a passkey alone, which is two factors and is never locked out, or by password and authenticator code in
 * one request. That request never says which of the two was wrong.
 */
export class StaffLogins {
  readonly #parts: StaffLoginParts

  constructor(parts: StaffLoginParts) {
    this.#parts = parts
  }

  /** `presented`: the token of the browser's present session, which ends. throws  Refused PASSKEY_WRONG */
  async byPasskey(response: PasskeyJson, origin: string, visitor: Visitor, presented?: string): Promise<StaffStarted> {
    const { passkeys, sessions } = this.#parts
    const before = await this.#presented(presented)
    const staff = await passkeys.check(response, origin)
    return this.#start(staff, 'passkey', visitor, before, async (tx) => {
      const started = await sessions.start(tx, staff, visitor)
      // A new enrolment may have removed the passkey since it was checked.
      const credential = String(response['id'])
      const kept = await factorDb(tx).selectFrom('passkeys').select('id').where('credential', '=', credential).executeTakeFirst()
      if (!kept) throw new Refused('PASSKEY_WRONG')
      return started
    })
  }

  /** throws  Refused CREDENTIALS_WRONG, TOO_MANY_TRIES */
  async byCode(
    { email, password, code }: { readonly email: string; readonly password: string; readonly code: string },
    visitor: Visitor,
    presented?: string,
  ): Promise<StaffStarted> {
    const { db, mode, argon, authenticators, sessions, tries, log } = this.#parts
    const row = await db
      .selectFrom('staff')
      .select(['id', 'password'])
      .where('email', '=', email)
      .where('state', '=', 'active')
      .executeTakeFirst()
    const isIpCounted = mode === 'production' || !isLoopback(visitor.ip)
    const limits = loginLimits(`staff:${email}`, { ip: visitor.ip, isIpCounted })
    const turn = { lane: 'stranger', owner: networkOf(visitor.ip) } as const
    const isRight = await tries.guess(limits, async () => {
      const isPassword = await argon.verify(password, row?.password ?? undefined, turn)
      // Looked up either way, so that the time tells nothing of the password.
      return (await authenticators.takes(isPassword ? row!.id : nobody, code)) && isPassword
    })
    if (!isRight) {
      await log.write<StaffTables>(db, { staff: row?.id, visitor }, { action: 'login-failed' })
      throw new Refused('CREDENTIALS_WRONG')
    }
    const known = row!
    const before = await this.#presented(presented)
    return this.#start(known.id, 'code', visitor, before, async (tx) => {
      const started = await sessions.start(tx, known.id, visitor)
      const kept = await tx
        .selectFrom('staff')
        .select('id')
        .where('id', '=', known.id)
        .where('password', '=', known.password)
        .executeTakeFirst()
      const app = await tx.selectFrom('staff_authenticators').select('account').where('account', '=', known.id).executeTakeFirst()
      if (!kept || !app) throw new Refused('CREDENTIALS_WRONG')
      return started
    })
  }

  async #start(
    staff: string,
    way: 'passkey' | 'code',
    visitor: Visitor,
    before: StaffSession | undefined,
    start: (tx: StaffDb) => Promise<StaffStarted>,
  ): Promise<StaffStarted> {
    const { db, sessions, log } = this.#parts
    return db.transaction().execute(async (tx) => {
      const started = await start(tx)
      if (before) await sessions.end(tx, before.staff, { only: before.id })
      await log.write<StaffTables>(tx, { staff, session: started.session.id, visitor }, { action: 'login', after: { way } })
      return started
    })
  }

  async #presented(token: string | undefined): Promise<StaffSession | undefined> {
    return token === undefined ? undefined : this.#parts.sessions.find(token)
  }
}
