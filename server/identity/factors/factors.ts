import type { ProofWay, WireFactorAdded, WireFactors, WireProof, WireRecoveryCodes } from '@candor/core/protocol/wire/factors.ts'
import type { Clock, Session, Template } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import type { Account, Accounts } from '../accounts.ts'
import { addressOf, closeWithdrawals } from '../accounts.ts'
import { type Action, record } from '../audit.ts'
import { type Codes, guessesMs, guessesOf, secondsUntil, takeGuess } from '../codes.ts'
import type { Visitor } from '../device.ts'
import { type Passwords, turnOf } from '../passwords.ts'
import type { Seal } from '../seal.ts'
import { stopRegain } from '../regain/stop.ts'
import { requireLiving } from '../sessions.ts'
import type { IdentityDb } from '../tables.ts'
import type { Tries } from '../tries.ts'
import { Authenticators } from './authenticators.ts'
import { type PasskeyJson, Passkeys } from './passkeys.ts'
import { closing, proofPolicy, provenMs, type Sensitive } from './policy.ts'
import { RecoveryCodes } from './recovery.ts'

const day = 86_400_000
/** Factors that one account may add in a day. */
const addedPerDay = 20
/** Wrong codes of an app from strangers at once and in 30 days; from the known devices of the account as many. */
const codesAMonth = 50

export type FactorParts = {
  readonly db: IdentityDb
  readonly clock: Clock
  /** Encrypts the secrets of authenticator apps. */
  readonly seal: Seal
  readonly accounts: Accounts
  readonly codes: Codes
  readonly passwords: Passwords
  readonly tries: Tries
  /** Tells the owner of a change. */
  readonly tell: (account: Account, template: Template, visitor: Visitor) => void
}

/** A customer's session with its browser. `origin`: of the page, for passkeys. */
export type Person = { readonly session: Session; readonly visitor: Visitor; readonly origin?: string }

/** `id`: of the session. The command line has none. */
type Prover = { readonly account: string; readonly id?: string | undefined }

/**
 * Second factors of accounts, and the proofs that sensitive changes need. An account with a factor proves itself by one; without,
 * by password and a code to its address. A proof holds for fifteen minutes, in its session only.
 */
export class Factors {
  readonly passkeys: Passkeys
  readonly #parts: FactorParts
  readonly #authenticators: Authenticators
  readonly #recovery: RecoveryCodes

  constructor(parts: FactorParts) {
    this.#parts = parts
    this.passkeys = new Passkeys(parts.db, parts.clock)
    this.#authenticators = new Authenticators(parts.db, parts.clock, parts.seal)
    this.#recovery = new RecoveryCodes(parts.db)
  }

  async of({ account, id }: Session): Promise<WireFactors> {
    const [authenticatorSince, passkeys, recoveryCodesLeft, provenUntil, { phrase }] = await Promise.all([
      this.#authenticators.since(account),
      this.passkeys.list(account),
      this.#recovery.left(account),
      this.#provenUntil(id),
      this.#parts.accounts.get(account),
    ])
    const ways: ProofWay[] = []
    if (passkeys.length > 0) ways.push('passkey')
    if (authenticatorSince !== undefined) ways.push('authenticator')
    if (ways.length === 0) ways.push('code')
    else if (recoveryCodesLeft > 0) ways.push('recovery')
    const hasPhrase = phrase !== null
    return {
      authenticatorSince: authenticatorSince ?? null,
      passkeys,
      recoveryCodesLeft,
      hasPhrase,
      ways,
      provenUntil: provenUntil ?? null,
    }
  }

  /** The second step of a login with the password; undefined when the password is enough. */
  async secondOf(account: string, db: IdentityDb = this.#parts.db): Promise<'code' | 'passkey' | undefined> {
    if ((await this.#authenticators.since(account, db)) !== undefined) return 'code'
    return (await this.passkeys.count(account, db)) > 0 ? 'passkey' : undefined
  }

  /** Refuses a sensitive change of a session that must prove itself first. throws  Refused PROOF_NEEDED */
  async require({ account, id }: Prover, change: Sensitive, db: IdentityDb = this.#parts.db): Promise<void> {
    if (proofPolicy[change] === 'with-factor' && (await this.secondOf(account, db)) === undefined) return
    if (id === undefined || (await this.#provenUntil(id, db)) === undefined) throw new Refused('PROOF_NEEDED')
  }

  /** Sends the code for the proof of an account without a factor. throws  Refused PROOF_NEEDED when it has one */
  async sendCode({ session, visitor }: Person, send: (account: Account, code: string) => void): Promise<number> {
    const account = await this.#parts.accounts.get(session.account)
    if ((await this.secondOf(account.id)) !== undefined) throw new Refused('PROOF_NEEDED')
    const { codes, passwords } = this.#parts
    const { code, resendAfterMs } = await codes.issue('proof', addressOf(account), true, {
      device: await passwords.deviceOf(account, visitor),
      ip: passwords.countedIp(visitor),
      turn: turnOf(account),
    })
    if (code !== undefined) send(account, code)
    return resendAfterMs
  }

  /**
   * Proves the session. Returns until when.
   *
   * throws  Refused CODE_WRONG, CODE_EXPIRED, CREDENTIALS_WRONG, PASSKEY_WRONG, TOO_MANY_TRIES
   */
  async prove(proof: WireProof, person: Person): Promise<number> {
    const { session, visitor } = person
    const account = await this.#parts.accounts.get(session.account)
    if (proof.way === 'passkey') await this.passkeys.check(proof.response, originOf(person), account.id)
    else if (proof.way === 'code') await this.#proveByCode(proof, account, person)
    else if (!(await this.#guess(account.id, proof.way, proof.code, visitor))) throw new Refused('CODE_WRONG', { field: 'code' })
    const { db, clock } = this.#parts
    const now = clock()
    await this.markProven(db, session.id)
    // Whoever still has a factor has not lost it.
    if (proof.way !== 'code') await stopRegain(db, clock, account.id, { by: 'login', visitor, session: session.id })
    await record(db, clock, { account: account.id, action: 'proven', visitor, session: session.id, detail: { way: proof.way } })
    return now + provenMs
  }

  /** Part of a login with a second factor: its session needs no further proof at first. */
  async markProven(db: IdentityDb, session: string): Promise<void> {
    await db.updateTable('sessions').set({ proven_at: this.#parts.clock() }).where('id', '=', session).execute()
  }

  /** Whether a code of the authenticator app, or a recovery code, is right; limited like the password, and used up. */
  async takesCode(account: string, code: string, visitor: Visitor): Promise<boolean> {
    return this.#guess(account, /^[0-9]{6}$/.test(code) ? 'authenticator' : 'recovery', code, visitor)
  }

  async beginAuthenticator(person: Person): Promise<{ readonly secret: string; readonly uri: string }> {
    const { account } = person.session
    await this.require(person.session, 'authenticator-add')
    return this.#authenticators.begin(account, addressOf(await this.#parts.accounts.get(account)).value)
  }

  async confirmAuthenticator(code: string, person: Person): Promise<WireFactorAdded> {
    await this.require(person.session, 'authenticator-add')
    const change = { needs: 'authenticator-add', action: 'authenticator-added' } as const
    return this.#add(change, person, (db) => this.#authenticators.confirm(db, person.session.account, code))
  }

  /** throws  Refused NOT_FOUND without an authenticator app */
  async removeAuthenticator(person: Person): Promise<void> {
    await this.require(person.session, 'authenticator-remove')
    const change = { needs: 'authenticator-remove', action: 'authenticator-removed' } as const
    await this.#remove(change, person, (db) => this.#authenticators.remove(db, person.session.account))
  }

  async beginPasskey(person: Person): Promise<PasskeyJson> {
    await this.require(person.session, 'passkey-add')
    const account = await this.#parts.accounts.get(person.session.account)
    return this.passkeys.begin(account.id, addressOf(account).value, originOf(person))
  }

  async addPasskey(label: string, response: PasskeyJson, person: Person): Promise<WireFactorAdded> {
    await this.require(person.session, 'passkey-add')
    const { account } = person.session
    const made = await this.passkeys.made(account, response, originOf(person))
    return this.#add({ needs: 'passkey-add', action: 'passkey-added' }, person, (db) => this.passkeys.add(db, account, label, made))
  }

  /** throws  Refused NOT_FOUND when the account has no such passkey */
  async removePasskey(id: string, person: Person): Promise<void> {
    await this.require(person.session, 'passkey-remove')
    const change = { needs: 'passkey-remove', action: 'passkey-removed' } as const
    await this.#remove(change, person, (db) => this.passkeys.remove(db, person.session.account, id))
  }

  /** throws  Refused NOT_FOUND without a second factor */
  async renewRecoveryCodes(person: Person): Promise<WireRecoveryCodes> {
    const { account } = person.session
    await this.require(person.session, 'recovery-codes-renew')
    const renewed = await this.change({ needs: 'recovery-codes-renew', action: 'recovery-codes-renewed' }, person, async (db) => {
      if ((await this.secondOf(account, db)) === undefined) throw new Refused('NOT_FOUND')
      return { recoveryCodes: await this.#recovery.renew(db, account) }
    })
    this.#parts.tell(await this.#parts.accounts.get(account), 'recovery-renewed', person.visitor)
    return renewed
  }

  async #proveByCode(proof: { readonly code: string; readonly password: string }, account: Account, { visitor }: Person) {
    if ((await this.secondOf(account.id)) !== undefined) throw new Refused('PROOF_NEEDED')
    const { codes, passwords } = this.#parts
    await passwords.confirm(account.id, proof.password, visitor)
    const device = await passwords.deviceOf(account, visitor)
    await codes.redeem('proof', addressOf(account), proof.code, { device, turn: turnOf(account) })
  }

  /**
   * An app's code has a million possible values, and three of them are valid at any time, so guesses have a limit even for somebody
   * who knows the password. Recovery codes are too long to guess.
   */
  async #guess(account: string, way: 'authenticator' | 'recovery', code: string, visitor: Visitor): Promise<boolean> {
    const { db, clock, passwords, tries } = this.#parts
    const device = await passwords.deviceOf({ id: account }, visitor)
    const limits = passwords.limits(`factor:${account}`, visitor, device)
    if (way === 'recovery') return tries.guess(limits, () => this.#takesRecovery(account, code, visitor))
    const guesses = { subject: `${guessesOf}factor${device === undefined ? '' : '#devices'}:${account}`, max: codesAMonth }
    return tries.guess(limits, async () => {
      if (!(await takeGuess(db, guesses, clock()))) throw new Refused('TOO_MANY_TRIES', { retryAfter: guessesMs / codesAMonth / 1_000 })
      const isRight = await this.#authenticators.takes(account, code)
      if (isRight) await db.deleteFrom('code_counts').where('subject', '=', guesses.subject).execute()
      return isRight
    })
  }

  /** Uses up a recovery code, if it is one of the account's. */
  async #takesRecovery(account: string, code: string, visitor: Visitor): Promise<boolean> {
    const { db, clock } = this.#parts
    return db.transaction().execute(async (transaction) => {
      const isRight = await this.#recovery.takes(account, code, transaction)
      if (isRight) await record(transaction, clock, { account, action: 'recovery-used', visitor })
      return isRight
    })
  }

  /** The first factor brings recovery codes. */
  async #add(change: Change, person: Person, add: (db: IdentityDb) => Promise<void>): Promise<WireFactorAdded> {
    const { account } = person.session
    const added = await this.change(change, person, async (db) => {
      await this.#refuseMore(db, account)
      await add(db)
      return (await this.#recovery.left(account, db)) > 0 ? {} : { recoveryCodes: await this.#recovery.renew(db, account) }
    })
    this.#parts.tell(await this.#parts.accounts.get(account), 'factor-added', person.visitor)
    return added
  }

  /** Recovery codes go with the last factor. */
  async #remove(change: Change, person: Person, remove: (db: IdentityDb) => Promise<boolean>): Promise<void> {
    const { account } = person.session
    await this.change(change, person, async (db) => {
      if (!(await remove(db))) throw new Refused('NOT_FOUND')
      if ((await this.secondOf(account, db)) === undefined) await this.#recovery.remove(db, account)
    })
    this.#parts.tell(await this.#parts.accounts.get(account), 'factor-removed', person.visitor)
  }

  /** Each addition and each removal sends a message. throws  Refused TOO_MANY_TRIES when the daily number is used up */
  async #refuseMore(db: IdentityDb, account: string): Promise<void> {
    const now = this.#parts.clock()
    const { today, since } = await db
      .selectFrom('audit_log')
      .select((row) => [row.fn.countAll<number>().as('today'), row.fn.min('at').as('since')])
      .where('account', '=', account)
      .where('action', 'in', ['authenticator-added', 'passkey-added'])
      .where('at', '>', now - day)
      .executeTakeFirstOrThrow()
    if (today >= addedPerDay) throw new Refused('TOO_MANY_TRIES', { retryAfter: secondsUntil((since ?? now) + day, now) })
  }

  /**
   * A change in a transaction of its own. Session and proof must still hold there: a reset may have ended them meanwhile.
   *
   * throws  Refused UNAUTHENTICATED, PROOF_NEEDED; what `work` throws
   */
  async change<Result>(change: Change, { session, visitor }: Person, work: (db: IdentityDb) => Promise<Result>): Promise<Result> {
    const { needs, action, detail = {} } = change
    const { clock } = this.#parts
    return this.#parts.db.transaction().execute(async (db) => {
      await lock(db, session.account)
      if (needs === undefined) await requireLiving(db, session.id)
      else await this.require(session, needs, db)
      const result = await work(db)
      if (needs !== undefined && closing.has(needs)) await closeWithdrawals(db, session.account, clock())
      await record(db, clock, { account: session.account, action, visitor, session: session.id, detail })
      return result
    })
  }

  async #provenUntil(session: string, db: IdentityDb = this.#parts.db): Promise<number | undefined> {
    const living = db.selectFrom('sessions').select('proven_at').where('id', '=', session).where('revoked_at', 'is', null)
    const until = ((await living.executeTakeFirst())?.proven_at ?? 0) + provenMs
    return until > this.#parts.clock() ? until : undefined
  }
}

/** A change of factors: the proof that it needs, and how the log names it. `needs` undefined: the change has a check of its own. */
export type Change = {
  readonly needs: Sensitive | undefined
  readonly action: Action
  readonly detail?: Readonly<Record<string, string>>
}

/** Changes of one account's factors wait for each other, so that recovery codes come with the first and go with the last. */
async function lock(db: IdentityDb, account: string): Promise<void> {
  await db.selectFrom('accounts').select('id').where('id', '=', account).forUpdate().executeTakeFirstOrThrow()
}

/** throws  Refused ORIGIN_REFUSED for a program, which has no page, and for a text that is no address */
export function originOf({ origin }: Pick<Person, 'origin'>): string {
  if (origin === undefined || !URL.canParse(origin)) throw new Refused('ORIGIN_REFUSED')
  return origin
}
