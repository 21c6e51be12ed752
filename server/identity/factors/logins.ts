import type { WireLogin } from '@candor/core/protocol/wire/user.ts'
import type { Clock, Template } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import type { Account, Accounts } from '../accounts.ts'
import type { Address } from '../address.ts'
import type { Argon } from '../argon.ts'
import { record } from '../audit.ts'
import type { Visitor } from '../device.ts'
import type { Factors } from './factors.ts'
import { LoginSteps } from './login-steps.ts'
import type { PasskeyJson } from './passkeys.ts'
import { type Passwords, turnOfVisitor } from '../passwords.ts'
import type { Profiles } from '../profiles.ts'
import { stopRegain } from '../regain/stop.ts'
import type { Sessions, Started } from '../sessions.ts'
import type { IdentityDb } from '../tables.ts'
import type { Tries } from '../tries.ts'

const hourMs = 3_600_000

export type LoginParts = {
  readonly db: IdentityDb
  readonly clock: Clock
  readonly accounts: Accounts
  readonly argon: Argon
  readonly factors: Factors
  readonly passwords: Passwords
  readonly profiles: Profiles
  readonly sessions: Sessions
  readonly tries: Tries
  readonly tell: (account: Account, template: Template, visitor: Visitor) => void
}

/** The password was right and is not enough. `step`: the token of the login that waits, for this browser's cookie alone. */
export class FactorNeeded extends Refused {
  readonly step: string

  constructor(step: string, needs: 'code' | 'passkey') {
    super(needs === 'code' ? 'SECOND_FACTOR_NEEDED' : 'PASSKEY_NEEDED')
    this.step = step
  }
}

/** Logins: by password, with a second factor where the account has one, or by a passkey alone. */
export class Logins {
  readonly #parts: LoginParts
  readonly #steps: LoginSteps

  constructor(parts: LoginParts) {
    this.#parts = parts
    this.#steps = new LoginSteps(parts.db, parts.clock)
  }

  /** throws  FactorNeeded; Refused CREDENTIALS_WRONG, TOO_MANY_TRIES */
  async byPassword(address: Address, form: Pick<WireLogin, 'password' | 'lang'>, visitor: Visitor, presented?: string): Promise<Started> {
    const { db, clock, accounts, argon, factors, passwords, profiles, tries } = this.#parts
    const account = await accounts.find(address)
    const device = await passwords.deviceOf(account, visitor)
    const turn = turnOfVisitor(visitor, account, device)
    // Strangers have limits for each address: those of the account would tell them which addresses belong together.
    const name = account !== undefined && device !== undefined ? `login:${account.id}` : `login:${address.channel}:${address.value}`
    const limits = passwords.limits(name, visitor, device)
    if (!(await tries.guess(limits, () => argon.verify(form.password, account?.password, turn)))) {
      await record(db, clock, { account: account?.id, action: 'login-failed', visitor })
      throw new Refused('CREDENTIALS_WRONG')
    }
    const known = account as Account
    const current = argon.isOutdated(known.password) ? await passwords.rehash(known, form.password, turn) : known
    await accounts.open(current)
    const needs = await factors.secondOf(current.id)
    if (needs !== undefined) {
      await record(db, clock, { account: current.id, action: 'second-factor-asked', visitor })
      throw new FactorNeeded(await this.#steps.begin({ account: current.id, passwordChangedAt: current.password_changed_at }), needs)
    }
    // Whoever has the password alone must not choose the language of the owner's warnings.
    if (current.lang !== form.lang) await profiles.setLang(current.id, form.lang)
    // The warning of a new device is in the language that the owner had: a thief must not choose one that the owner can't read.
    return this.#start(current, visitor, presented, 'password')
  }

  /**
   * The second step, by a code of the authenticator app or a recovery code.
   *
   * throws  Refused CODE_WRONG; TOKEN_EXPIRED when the login must begin again
   */
  async byCode(step: string | undefined, code: string, visitor: Visitor, presented?: string): Promise<Started> {
    const { accounts, factors } = this.#parts
    const waiting = step === undefined ? undefined : await this.#steps.take(step)
    const account = waiting && (await accounts.get(waiting.account))
    if (!account || account.password_changed_at !== waiting?.passwordChangedAt) {
      visitor.asStranger?.()
      throw new Refused('TOKEN_EXPIRED')
    }
    if (!(await factors.takesCode(account.id, code, visitor))) {
      await this.#warn(account, visitor)
      throw new Refused('CODE_WRONG', { field: 'code' })
    }
    // Of several valid codes sent at once, only one logs in.
    if (!(await this.#steps.end(step as string))) throw new Refused('TOKEN_EXPIRED')
    return this.#start(account, visitor, presented, 'code')
  }

  /** A passkey is two factors: the device, and its own check of the person. throws  Refused PASSKEY_WRONG */
  async byPasskey(response: PasskeyJson, origin: string, visitor: Visitor, presented?: string): Promise<Started> {
    const { accounts, factors, passwords } = this.#parts
    const id = await factors.passkeys.check(response, origin).catch((error: unknown) => {
      visitor.asStranger?.()
      throw error
    })
    const account = await accounts.get(id)
    await passwords.deviceOf(account, visitor)
    await accounts.open(account)
    return this.#start(account, visitor, presented, 'passkey')
  }

  /** Somebody knows the password. The owner learns it once an hour, however many codes are tried. */
  async #warn(account: Account, visitor: Visitor): Promise<void> {
    const { db, clock, tell } = this.#parts
    const before = await db
      .selectFrom('audit_log')
      .select('id')
      .where('account', '=', account.id)
      .where('action', '=', 'second-factor-failed')
      .where('at', '>', clock() - hourMs)
      .limit(1)
      .executeTakeFirst()
    await record(db, clock, { account: account.id, action: 'second-factor-failed', visitor })
    if (!before) tell(account, 'factor-failed', visitor)
  }

  /** Ends the visitor's previous session: a planted token never becomes a login. */
  async #start(account: Account, visitor: Visitor, presented: string | undefined, way: 'password' | 'code' | 'passkey'): Promise<Started> {
    const { db, clock, factors, sessions, tell } = this.#parts
    const started = await sessions.start(account.id, visitor, account.password)
    if (way !== 'password') {
      await factors.markProven(db, started.session.id)
      await stopRegain(db, clock, account.id, { by: 'login', visitor, session: started.session.id })
    }
    if (presented !== undefined) await sessions.revokeToken(presented)
    // Programs have no browser to recognize, and nobody reads their mail.
    const isNewDevice = !started.isKnownDevice && account.class === 'retail'
    const detail = { way, ...(isNewDevice ? { isNewDevice } : {}) }
    await record(db, clock, { account: account.id, action: 'login', visitor, session: started.session.id, detail })
    if (isNewDevice) tell(account, 'new-device', visitor)
    return started
  }
}
