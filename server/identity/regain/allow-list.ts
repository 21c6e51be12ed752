import type { WireAllowList } from '@candor/core/protocol/wire/safety.ts'
import type { Clock } from '../../ports.ts'
import type { Accounts } from '../accounts.ts'
import { record } from '../audit.ts'
import type { Notices } from '../contacts/notices.ts'
import type { Factors, Person } from '../factors/factors.ts'
import { requireLiving } from '../sessions.ts'
import type { IdentityDb } from '../tables.ts'

/** How long the lock still counts once it is being switched off. */
export const allowListEndsMs = 24 * 3_600_000

export type AllowListParts = {
  readonly db: IdentityDb
  readonly clock: Clock
  readonly accounts: Accounts
  readonly factors: Factors
  readonly notices: Notices
}

/**
 * The lock of the withdrawal addresses: while it counts, none is added. Withdrawals go only to these addresses, locked or not. A thief
 * who switches it off must wait for a day, and then a day more for the new address.
 */
export class AllowLists {
  readonly #parts: AllowListParts

  constructor(parts: AllowListParts) {
    this.#parts = parts
  }

  /** Whether the lock counts now, and until when if it is being switched off. Pass the transaction that adds an address. */
  async of(account: string, db: IdentityDb = this.#parts.db): Promise<WireAllowList> {
    const row = await db.selectFrom('allow_lists').select(['is_on', 'ends_at']).where('account', '=', account).executeTakeFirst()
    if (!row?.is_on) return { isOn: false, endsAt: null }
    const isOver = row.ends_at !== null && row.ends_at <= this.#parts.clock()
    return isOver ? { isOn: false, endsAt: null } : { isOn: true, endsAt: row.ends_at }
  }

  /**
   * Switches the lock on at once, or begins to switch it off. Does nothing when that was done before. Keeping a lock that is being
   * switched off needs no proof.
   *
   * throws  Refused PROOF_NEEDED, UNAUTHENTICATED
   */
  async set(isOn: boolean, person: Person): Promise<WireAllowList> {
    const { db, accounts, notices } = this.#parts
    const { session, visitor } = person
    const done = await db.transaction().execute((tx) => this.#set(tx, isOn, person))
    if (done !== undefined) {
      const template = done === 'allow-list-ending' ? done : 'allow-list-on'
      const { endsAt } = await this.of(session.account)
      const values = endsAt === null ? {} : { until: String(endsAt) }
      notices.tell(await accounts.get(session.account), template, visitor, { values })
    }
    return this.of(session.account)
  }

  /** Returns what was done; undefined for nothing. */
  async #set(tx: IdentityDb, isOn: boolean, { session, visitor }: Person) {
    const { clock, factors } = this.#parts
    const { account } = session
    await tx.selectFrom('accounts').select('id').where('id', '=', account).forUpdate().executeTakeFirstOrThrow()
    const before = await this.of(account, tx)
    const isKept = isOn && before.isOn
    await (isKept ? requireLiving(tx, session.id) : factors.require(session, 'allow-list-set', tx))
    const isAsWished = isOn ? before.isOn && before.endsAt === null : !before.isOn || before.endsAt !== null
    if (isAsWished) return undefined
    const action = isKept ? 'allow-list-kept' : isOn ? 'allow-list-on' : 'allow-list-ending'
    const now = clock()
    const row = { is_on: true, changed_at: now, ends_at: isOn ? null : now + allowListEndsMs }
    await tx
      .insertInto('allow_lists')
      .values({ account, ...row })
      .onConflict((conflict) => conflict.column('account').doUpdateSet(row))
      .execute()
    await record(tx, clock, { account, action, visitor, session: session.id })
    return action
  }
}
