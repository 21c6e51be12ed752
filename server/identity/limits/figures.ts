import { riskyProducts, type WireLossFigures } from '@candor/core/protocol/wire/own-limits.ts'
import type { Clock } from '../../ports.ts'
import type { Store } from '../../store/open.ts'
import { lossCounts } from '../../store/query/own-results.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { IdentityDb } from '../tables.ts'
import { dayMs } from './periods.ts'
import { accountsMin, figureDays } from './policy.ts'

/** The share of accounts that lost money with each product in the last 90 days, computed from the ledger once a day. */
export class LossFigures {
  readonly #store: Store
  readonly #db: IdentityDb
  readonly #clock: Clock

  constructor(store: Store, db: IdentityDb, clock: Clock) {
    this.#store = store
    this.#db = db
    this.#clock = clock
  }

  /** The newest figures; none before the first day has been computed. */
  async newest(): Promise<WireLossFigures> {
    const rows = await this.#db
      .selectFrom('loss_figures')
      .selectAll()
      .where('day_ms', '=', (where) => where.selectFrom('loss_figures').select((row) => row.fn.max('day_ms').as('day')))
      .execute()
    return {
      figures: riskyProducts.flatMap((product) => {
        const row = rows.find((one) => one.product === product)
        if (row === undefined) return []
        const lostPercent = row.accounts < accountsMin ? null : Math.round((row.losers / row.accounts) * 100)
        return [{ product, day: row.day_ms, accounts: row.accounts, lostPercent }]
      }),
    }
  }

  /** Computes the figures of today unless they are there. One process at a time. */
  async compute(): Promise<void> {
    const now = this.#clock()
    const day = now - (now % dayMs)
    const known = await this.#db.selectFrom('loss_figures').select('product').where('day_ms', '=', day).limit(1).executeTakeFirst()
    if (known !== undefined) return
    const counts = await inTransaction(this.#store.pool, async (client) => {
      await client.query("set local statement_timeout = '5min'")
      const { rows } = await client.query<{ alone: boolean }>("select pg_try_advisory_xact_lock(hashtext('loss-figures')) as alone")
      return rows[0]!.alone ? lossCounts(client, day - figureDays * dayMs, now) : undefined
    })
    if (counts === undefined) return
    const rows = riskyProducts.map((product) => {
      const { accounts = 0, losers = 0 } = counts.find((one) => one.product === product) ?? {}
      return { day_ms: day, product, accounts, losers }
    })
    await this.#db
      .insertInto('loss_figures')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
