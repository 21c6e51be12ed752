import type { Channel } from '@candor/core/protocol/wire/user.ts'
import { sql } from 'kysely'
import type { Clock } from '../../ports.ts'
import { hashOf, newToken } from '../secret.ts'
import type { IdentityDb } from '../tables.ts'

const stepLivesMs = 10 * 60_000
const triesMax = 5

/** A login whose password was right. `passwordChangedAt`: of that password. */
export type LoginStep = { readonly account: string; readonly passwordChangedAt: number }
/** `proven`: the channels of the addresses whose codes were right. */
export type ProvenStep = LoginStep & { readonly proven: readonly Channel[] }

/** Logins that wait for a second factor: a token of 256 bits, for ten minutes and five tries. */
export class LoginSteps {
  readonly #db: IdentityDb
  readonly #clock: Clock

  constructor(db: IdentityDb, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async begin({ account, passwordChangedAt }: LoginStep): Promise<string> {
    const token = newToken()
    await this.#db
      .insertInto('login_steps')
      .values({ token: hashOf(token), account, password_changed_at: passwordChangedAt, expires_at: this.#clock() + stepLivesMs })
      .execute()
    return token
  }

  /** Counts a try before the code is compared, so that of any number of parallel ones only five are. Undefined: none is left. */
  async take(token: string): Promise<LoginStep | undefined> {
    const row = await this.#db
      .updateTable('login_steps')
      .set((step) => ({ tries: step('tries', '+', 1) }))
      .where('token', '=', hashOf(token))
      .where('expires_at', '>', this.#clock())
      .where('tries', '<', triesMax)
      .returning(['account', 'password_changed_at'])
      .executeTakeFirst()
    return row && { account: row.account, passwordChangedAt: row.password_changed_at }
  }

  /** Without counting a try. */
  async find(token: string): Promise<ProvenStep | undefined> {
    const row = await this.#db
      .selectFrom('login_steps')
      .select(['account', 'password_changed_at', 'proven'])
      .where('token', '=', hashOf(token))
      .where('expires_at', '>', this.#clock())
      .where('tries', '<', triesMax)
      .executeTakeFirst()
    return row && { account: row.account, passwordChangedAt: row.password_changed_at, proven: row.proven }
  }

  /** Remembers that the code to an address was right, and lets the login wait ten minutes more for the next. */
  async prove(token: string, channel: Channel): Promise<void> {
    const proven = sql<Channel[]>`array_append(array_remove(proven, ${channel}::text), ${channel}::text)`
    await this.#db
      .updateTable('login_steps')
      .set({ proven, tries: 0, expires_at: this.#clock() + stepLivesMs })
      .where('token', '=', hashOf(token))
      .execute()
  }

  /** Returns false when another request has ended it. */
  async end(token: string): Promise<boolean> {
    const ended = await this.#db.deleteFrom('login_steps').where('token', '=', hashOf(token)).returning('token').executeTakeFirst()
    return ended !== undefined
  }
}
