import type { Millis } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import type { RestCause, WireNewRest, WireRest } from '@candor/core/protocol/wire/own-limits.ts'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { addNotice } from '../../store/notices.ts'
import { record } from '../audit.ts'
import type { Factors, Person } from '../factors/factors.ts'
import type { Keys } from '../keys.ts'
import type { IdentityDb } from '../tables.ts'
import { monthsLater } from './periods.ts'

export type RestParts = {
  readonly db: IdentityDb
  readonly clock: Clock
  readonly factors: Factors
  readonly submit: Submit
  readonly keys: Pick<Keys, 'announceAll'>
  readonly onFault: (cause: unknown) => void
}

const hour = 3_600_000

/**
 * Pauses of customers: until their end the core accepts nothing that opens risk. Nobody can end or shorten one, neither the customer
 * nor the exchange: there is no function for it, and the database refuses it.
 */
export class Rests {
  readonly #parts: RestParts

  constructor(parts: RestParts) {
    this.#parts = parts
  }

  /** The pause of an account that ends last; null when none runs. */
  async of(account: string, db: IdentityDb = this.#parts.db): Promise<WireRest | null> {
    const row = await db
      .selectFrom('own_rests')
      .select(['until', 'cause'])
      .where('account', '=', account)
      .orderBy('until', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row === undefined || row.until <= this.#parts.clock() ? null : { until: row.until, cause: row.cause }
  }

  /**
   * By the customer, after a proof: a thief could otherwise close the account's products for years. One that would end before the
   * present one changes nothing.
   *
   * throws  Refused PROOF_NEEDED, UNAUTHENTICATED
   */
  async begin(wish: WireNewRest, { session, visitor }: Person): Promise<void> {
    const { db, clock, factors, onFault } = this.#parts
    const { account } = session
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom('accounts').select('id').where('id', '=', account).forUpdate().executeTakeFirstOrThrow()
      await factors.require(session, 'rest-begin', tx)
      const now = clock()
      const until = wish.cause === 'cool-off' ? now + wish.hours * hour : monthsLater(now, wish.months)
      if (!(await this.add(tx, { account, cause: wish.cause, until }))) return
      await record(tx, clock, { account, action: 'rest-begun', visitor, session: session.id, detail: { cause: wish.cause, until } })
    })
    await this.tell(account).catch(onFault)
  }

  /** Adds a pause in a transaction, with its notice. Returns false when the present one ends as late. */
  async add(tx: IdentityDb, { account, cause, until }: { account: string; cause: RestCause; until: number }): Promise<boolean> {
    const at = this.#parts.clock()
    const present = await this.of(account, tx)
    if (until <= at || (present !== null && present.until >= until)) return false
    const { id } = await tx.insertInto('own_rests').values({ account, cause, at, until }).returning('id').executeTakeFirstOrThrow()
    await addNotice(tx, { account, kind: 'rest-begun', values: { cause, until: String(until) }, event: `rest ${id}`, at })
    return true
  }

  /**
   * Tells the core about the pauses of an account that it doesn't know, and the gateways about the keys that its owner made for firms.
   *
   * throws  Refused; what `Submit` throws
   */
  async tell(account: string): Promise<void> {
    const { db, submit, clock, keys } = this.#parts
    await keys.announceAll(account)
    const untold = await db
      .selectFrom('own_rests')
      .innerJoin('accounts', 'accounts.id', 'own_rests.account')
      .select(['own_rests.id', 'until', 'core_user'])
      .where('own_rests.account', '=', account)
      .where('told_at', 'is', null)
      .execute()
    const until = Math.max(0, ...untold.map((row) => row.until))
    const user = untold[0]?.core_user
    if (user === undefined || user === null) return
    const { refusal } = await submit({ type: 'user.rest', user: user as UserId, until: until as Millis })
    if (refusal !== undefined) throw new Refused(refusal)
    await db
      .updateTable('own_rests')
      .set({ told_at: clock() })
      .where(
        'id',
        'in',
        untold.map(({ id }) => id),
      )
      .execute()
  }

  /** Tells customers whose last pause is over, once. */
  async end(): Promise<void> {
    const { db, clock } = this.#parts
    const now = clock()
    const over = db.selectFrom('own_rests').select(['id', 'account']).where('ended_at', 'is', null).where('until', '<=', now)
    for (const { id, account } of await over.limit(500).execute()) {
      await db.transaction().execute(async (tx) => {
        const own = tx.updateTable('own_rests').set({ ended_at: now }).where('id', '=', id).where('ended_at', 'is', null)
        const isMine = (await own.executeTakeFirst()).numUpdatedRows === 1n
        if (!isMine || (await this.of(account, tx)) !== null) return
        await addNotice(tx, { account, kind: 'rest-ended', values: {}, event: `rest-ended ${id}`, at: now })
      })
    }
  }

  /** Tells the core what it was not told because it or this process was away. */
  async finish(): Promise<void> {
    const { db, onFault } = this.#parts
    const rows = await db.selectFrom('own_rests').select('account').distinct().where('told_at', 'is', null).limit(1_000).execute()
    for (const { account } of rows) await this.tell(account).catch(onFault)
  }
}
