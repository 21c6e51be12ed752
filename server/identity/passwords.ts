import { networkOf } from '../networks.ts'
import { Refused } from '../refused.ts'
import { type Account, type Accounts, closeWithdrawals } from './accounts.ts'
import type { Argon, Turn } from './argon.ts'
import { type Action, record } from './audit.ts'
import type { Clock } from '../ports.ts'
import { isLoopback, type Visitor } from './device.ts'
import { stopRegain } from './regain/stop.ts'
import { requireLiving, type Sessions } from './sessions.ts'
import type { IdentityDb } from './tables.ts'
import { loginLimits, type Tries, type TryLimits } from './tries.ts'

export type PasswordParts = {
  readonly db: IdentityDb
  readonly clock: Clock
  readonly mode: 'sandbox' | 'production'
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly argon: Argon
  readonly tries: Tries
}

/** Checks, sets and renews the passwords of accounts, and knows whose limits a visitor's tries count against. */
export class Passwords {
  readonly #parts: PasswordParts

  constructor(parts: PasswordParts) {
    this.#parts = parts
  }

  /**
   * The name of the visitor's device if the account knows it. If it does not, the request counts for the visitor's network, even
   * when the entrance counted it for the device: the signed cookie of one account helps nobody to guess at another.
   *
   * throws  Refused RATE_LIMITED when the network has used up its allowance
   */
  async deviceOf(account: Pick<Account, 'id'> | undefined, visitor: Visitor): Promise<string | undefined> {
    const device = await this.#parts.sessions.knownDevice(account?.id, visitor)
    if (device === undefined) visitor.asStranger?.()
    return device
  }

  /** `device`: of a browser that the account knows. */
  limits(name: string, visitor: Visitor, device?: string): TryLimits {
    return loginLimits(name, device === undefined ? { ip: visitor.ip, isIpCounted: this.countedIp(visitor) !== undefined } : { device })
  }

  /** In the sandbox everybody on the machine shares one address, which therefore has no limit. */
  countedIp({ ip }: Visitor): string | undefined {
    return this.#parts.mode === 'sandbox' && isLoopback(ip) ? undefined : ip
  }

  /** Asks for the password again, rate-limited like a login, so that a stolen session can't guess it faster. */
  async confirm(id: string, password: string, visitor: Visitor, field = 'password'): Promise<void> {
    const { accounts, sessions, tries, argon } = this.#parts
    const account = await accounts.get(id)
    const limits = this.limits(`password:${id}`, visitor, await sessions.knownDevice(id, visitor))
    const isRight = await tries.guess(limits, () => argon.verify(password, account.password, turnOf(account)))
    if (!isRight) throw new Refused('CREDENTIALS_WRONG', { field })
  }

  /** Part of a change of the password. `stays`: the session that stays. The endings are announced after the commit. */
  async set(db: IdentityDb, account: Account, phc: string, { action, visitor, stays }: Change) {
    const { clock, sessions } = this.#parts
    const changedAt = clock()
    const changed = await db
      .updateTable('accounts')
      .set({ password: phc, password_changed_at: changedAt })
      .where('id', '=', account.id)
      .where('password', '=', account.password)
      .where('frozen_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    // A parallel request changed the password, or froze the account: the check above is stale.
    if (!changed) throw new Refused('CREDENTIALS_WRONG')
    if (stays !== undefined) await requireLiving(db, stays)
    for (const table of ['reset_tokens', 'login_steps'] as const) await db.deleteFrom(table).where('account', '=', account.id).execute()
    await db.updateTable('sessions').set({ proven_at: null }).where('account', '=', account.id).execute()
    await sessions.forgetDevices(db, account.id, stays)
    await closeWithdrawals(db, account.id, changedAt)
    // Whoever began it knew the old one. By a new one from a message, whoever reads the mail alone would take it over.
    await stopRegain(db, clock, account.id, { by: 'owner', visitor, session: stays })
    await record(db, clock, { account: account.id, action, visitor, session: stays })
    return { ...(await sessions.revokeWithin(db, account.id, stays)), changedAt }
  }

  /** Stores the password under today's cost of hashing. */
  async rehash(account: Account, password: string, turn: Turn): Promise<Account> {
    const { db, argon } = this.#parts
    const phc = await argon.hash(password, turn)
    const row = await db
      .updateTable('accounts')
      .set({ password: phc })
      .where('id', '=', account.id)
      .where('password', '=', account.password)
      .returningAll()
      .executeTakeFirst()
    return row ?? account
  }
}

type Change = { readonly action: Action; readonly visitor: Visitor; readonly stays?: string | undefined }

/** The turn of an account whose owner is known by session, device or link. */
export const turnOf = ({ id }: Pick<Account, 'id'>): Turn => ({ lane: 'known', owner: id })

/** The turn of a visitor: the account's if it knows the device, otherwise that of the visitor's network. */
export function turnOfVisitor({ ip }: Visitor, account: Pick<Account, 'id'> | undefined, device: string | undefined): Turn {
  return account !== undefined && device !== undefined ? turnOf(account) : { lane: 'stranger', owner: networkOf(ip) }
}
