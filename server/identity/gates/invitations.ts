import type { SeverReason } from '@candor/core/protocol/command/referral.ts'
import type { WireInvitation } from '@candor/core/protocol/wire/user.ts'
import { type RawBuilder, sql } from 'kysely'
import { Refused } from '../../refused.ts'
import type { Accounts, Inviter } from '../accounts.ts'
import { maskInviter } from '../address.ts'
import type { Visitor } from '../device.ts'
import { hashOf } from '../secret.ts'
import type { IdentityDb } from '../tables.ts'

/** Two inviters above an account can be paid for its trades. */
const paidLevels = 2

/** Who invited whom, and which invitations are people's own. */
export class Invitations {
  readonly #db: IdentityDb
  readonly #accounts: Accounts

  constructor(db: IdentityDb, accounts: Accounts) {
    this.#db = db
    this.#accounts = accounts
  }

  /** throws  Refused INVITATION_UNKNOWN */
  async named(code: string): Promise<WireInvitation> {
    const inviter = await this.#find(code)
    if (!inviter) throw new Refused('INVITATION_UNKNOWN', { field: 'invitation' })
    return { code: inviter.invitation_code, inviter: maskInviter(inviter.email, inviter.phone) }
  }

  /** The masked inviter behind a code; undefined for an unknown code. */
  async masked(code: string): Promise<string | undefined> {
    const inviter = await this.#find(code)
    return inviter && maskInviter(inviter.email, inviter.phone)
  }

  /** The masked inviter of an account; null for none. */
  async inviterOf(account: string): Promise<string | null> {
    const { referrer } = await this.#accounts.get(account)
    if (referrer === null) return null
    const { email, phone } = await this.#accounts.get(referrer)
    return maskInviter(email, phone)
  }

  /**
   * The inviter that a new account gets: none without a code, and none when this browser has logged in to the inviter's own account, or to
   * that of the inviter's inviter.
   *
   * throws  Refused INVITATION_UNKNOWN
   */
  async forNew(code: string | undefined, { deviceKey }: Visitor): Promise<Inviter | undefined> {
    if (code === undefined || code === '') return undefined
    const inviter = await this.#find(code)
    if (!inviter) throw new Refused('INVITATION_UNKNOWN', { field: 'invitation' })
    if (deviceKey === undefined) return inviter
    const own = await sql`
      with recursive ${chain(sql`select id, referrer, 1 from accounts where id = ${inviter.id}`)}
      select 1 from sessions join chain on sessions.account = chain.id where device_key = ${hashOf(deviceKey)} limit 1`.execute(this.#db)
    return own.rows.length > 0 ? undefined : inviter
  }

  /** What a customer shares with one of the inviters above, so that the invitation does not count; undefined for nothing. */
  async sharedWith(user: number): Promise<SeverReason | undefined> {
    const first = sql`select accounts.id, accounts.referrer, 1 from accounts join own on accounts.id = own.referrer`
    const { rows } = await sql<{ isDocument: boolean; isDevice: boolean }>`
      with recursive own as (select id, referrer from accounts where core_user = ${user}), ${chain(first)}
      select
        exists (
          select from papers mine join own on mine.account = own.id
          join papers theirs on theirs.tag = mine.tag join chain on chain.id = theirs.account) as "isDocument",
        exists (
          select from sessions mine join own on mine.account = own.id
          join sessions theirs on theirs.device_key = mine.device_key join chain on chain.id = theirs.account) as "isDevice"`.execute(
      this.#db,
    )
    if (rows[0]?.isDocument === true) return 'document'
    return rows[0]?.isDevice === true ? 'device' : undefined
  }

  async #find(code: string) {
    return /^[A-Za-z0-9]{8}$/.test(code) ? this.#accounts.inviter(code) : undefined
  }
}

/** The accounts of `first`, and the inviters above as far as they can be paid. */
function chain(first: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`chain (id, referrer, depth) as (
    ${first}
    union all
    select accounts.id, accounts.referrer, depth + 1 from accounts join chain on accounts.id = chain.referrer where depth < ${paidLevels}
  )`
}
