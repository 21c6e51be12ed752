import type { Argon } from '../identity/argon.ts'
import { isLoopback, type Visitor } from '../identity/device.ts'
import type { Authenticators } from '../identity/factors/authenticators.ts'
import type { PasskeyJson, Passkeys } from '../identity/factors/passkeys.ts'
import { guessesOf, takeGuess } from '../identity/codes.ts'
import type { IdentityDb } from '../identity/tables.ts'
import { loginLimits, type Tries } from '../identity/tries.ts'
import { networkOf } from '../networks.ts'
import type { Clock } from '../ports.ts'
import { Refused } from '../refused.ts'
import type { StaffStarted } from './enrolments.ts'
import type { StaffLog } from './log.ts'
import type { StaffSession, StaffSessions } from './sessions.ts'
import { factorDb, type StaffDb, type StaffTables } from './tables.ts'

export type StaffLoginParts = {
  readonly db: StaffDb
  /** For counts of guesses. */
  readonly identity: IdentityDb
  readonly mode: 'sandbox' | 'production'
  readonly clock: Clock
  readonly argon: Argon
  readonly passkeys: Passkeys
  readonly authenticators: Authenticators
  readonly sessions: StaffSessions
  readonly tries: Tries
  readonly log: StaffLog
}

/** Wrong codes beside the right password, at once and in 30 days: the passkey is there for whoever needs more. */
const codesAMonth = 50
/** Never used up, so that each try writes its count. */
const nobodysCodes = 1_000_000
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
    const staff = await passkeys.check(response, origin).catch(async (cause: unknown) => {
      if (cause instanceof Refused) await this.#noteWrong(response, visitor)
      throw cause
    })
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
    const { db, mode, argon, sessions, tries, log } = this.#parts
    const row = await db
      .selectFrom('staff')
      .select(['id', 'password'])
      .where('email', '=', email)
      .where('state', '=', 'active')
      .executeTakeFirst()
    const isIpCounted = mode === 'production' || !isLoopback(visitor.ip)
    const limits = loginLimits(`staff:${email}`, { ip: visitor.ip, isIpCounted })
    const turn = { lane: 'stranger', owner: networkOf(visitor.ip) } as const
    let isPassword = false
    const isRight = await tries.guess(limits, async () => {
      isPassword = await argon.verify(password, row?.password ?? undefined, turn)
      return this.#takesCode(isPassword ? row!.id : nobody, code)
    })
    if (!isRight) {
      await log.write<StaffTables>(db, { staff: row?.id, visitor }, { action: 'login-failed', after: { way: 'code', isPassword } })
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

  /**
   * Counted and looked up for `nobody` too, so that the time tells nothing of the password. A member without guesses gets the answer to a
   * wrong code: another one would say that the password is right.
   */
  async #takesCode(staff: string, code: string): Promise<boolean> {
    const { identity, clock, authenticators } = this.#parts
    const subject = `${guessesOf}staff:${staff}`
    const isLeft = await takeGuess(identity, { subject, max: staff === nobody ? nobodysCodes : codesAMonth }, clock())
    const isRight = await authenticators.takes(isLeft ? staff : nobody, code)
    if (isRight) await identity.deleteFrom('code_counts').where('subject', '=', subject).execute()
    return isRight
  }

  /** Passkeys that no member has are not worth an entry: anybody can make them up. */
  async #noteWrong({ id }: PasskeyJson, visitor: Visitor): Promise<void> {
    const { db, log } = this.#parts
    const known = await factorDb(db).selectFrom('passkeys').select('account').where('credential', '=', String(id)).executeTakeFirst()
    if (known) await log.write<StaffTables>(db, { staff: known.account, visitor }, { action: 'login-failed', after: { way: 'passkey' } })
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
