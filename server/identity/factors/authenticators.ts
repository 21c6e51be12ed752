import { generateSecret, generateURI, verifySync } from 'otplib'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import type { Seal } from '../seal.ts'
import type { IdentityDb } from '../tables.ts'

/** How long a secret that no code confirmed may still be confirmed. */
const nextLivesMs = 30 * 60_000
/** A code counts half a minute early and late: phones' clocks differ. */
const toleranceSeconds = 30
const issuer = 'Candor'

/** Authenticator apps (TOTP): one secret per account. Each code works once. */
export class Authenticators {
  readonly #db: IdentityDb
  readonly #clock: Clock
  readonly #seal: Seal

  constructor(db: IdentityDb, clock: Clock, seal: Seal) {
    this.#db = db
    this.#clock = clock
    this.#seal = seal
  }

  /** When the account's app was added; undefined without one. */
  async since(account: string, db: IdentityDb = this.#db): Promise<number | undefined> {
    const row = await db.selectFrom('authenticators').select('confirmed_at').where('account', '=', account).executeTakeFirst()
    return row?.confirmed_at ?? undefined
  }

  /** A new secret, which replaces the present one once a code confirms it. `name`: what the app shows. */
  async begin(account: string, name: string, db: IdentityDb = this.#db): Promise<{ readonly secret: string; readonly uri: string }> {
    const secret = generateSecret()
    const next = { next_secret: this.#seal.close(secret, account), next_at: this.#clock() }
    await db
      .insertInto('authenticators')
      .values({ account, secret: null, confirmed_at: null, ...next })
      .onConflict((conflict) => conflict.column('account').doUpdateSet(next))
      .execute()
    return { secret, uri: generateURI({ issuer, label: name, secret }) }
  }

  /**
   * Puts the new secret in force, by a code of it.
   *
   * throws  Refused CODE_WRONG, or CODE_EXPIRED when no secret waits
   */
  async confirm(db: IdentityDb, account: string, code: string): Promise<void> {
    const now = this.#clock()
    const row = await db.selectFrom('authenticators').selectAll().where('account', '=', account).forUpdate().executeTakeFirst()
    if (!row || row.next_secret === null || row.next_at === null || row.next_at <= now - nextLivesMs)
      throw new Refused('CODE_EXPIRED', { field: 'code' })
    const step = this.#stepOf(this.#seal.open(row.next_secret, account), code)
    if (step === undefined) throw new Refused('CODE_WRONG', { field: 'code' })
    await db
      .updateTable('authenticators')
      .set({ secret: row.next_secret, confirmed_at: now, last_step: step, next_secret: null, next_at: null })
      .where('account', '=', account)
      .execute()
  }

  /** Whether the code is right and was not used before; uses it up. */
  async takes(account: string, code: string): Promise<boolean> {
    const row = await this.#db.selectFrom('authenticators').select(['secret']).where('account', '=', account).executeTakeFirst()
    if (!row || row.secret === null) return false
    const step = this.#stepOf(this.#seal.open(row.secret, account), code)
    if (step === undefined) return false
    const taken = await this.#db
      .updateTable('authenticators')
      .set({ last_step: step })
      .where('account', '=', account)
      .where('secret', '=', row.secret)
      .where('last_step', '<', step)
      .returning('account')
      .executeTakeFirst()
    return taken !== undefined
  }

  async remove(db: IdentityDb, account: string): Promise<boolean> {
    const removed = await db.deleteFrom('authenticators').where('account', '=', account).returning('confirmed_at').executeTakeFirst()
    return removed !== undefined && removed.confirmed_at !== null
  }

  /** The half-minute that the code is for; undefined when it is for none around now. */
  #stepOf(secret: string, token: string): number | undefined {
    const found = verifySync({ secret, token, epoch: Math.floor(this.#clock() / 1_000), epochTolerance: toleranceSeconds })
    return found.valid && 'timeStep' in found ? found.timeStep : undefined
  }
}
