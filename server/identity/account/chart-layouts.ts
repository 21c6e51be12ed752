import {
  chartLayoutBytesMax,
  chartLayoutsMax,
  type WireChartLayout,
  type WireChartLayoutChange,
} from '@candor/core/protocol/wire/own/chart-layout.ts'
import { sql } from 'kysely'
import { Refused } from '../../refused.ts'
import type { IdentityDb } from '../tables.ts'

/** How charts of accounts look, one layout a market. The routes check the shape. */
export class ChartLayouts {
  readonly #db: IdentityDb

  constructor(db: IdentityDb) {
    this.#db = db
  }

  async get(account: string, symbol: string): Promise<WireChartLayout> {
    const row = await this.#db
      .selectFrom('chart_layouts')
      .select(['revision', 'value'])
      .where('account', '=', account)
      .where('symbol', '=', symbol)
      .executeTakeFirst()
    return (row ?? { revision: 0 }) as WireChartLayout
  }

  /**
   * Replaces the layout if nobody else has since the caller read it.
   *
   * throws  Refused PREFERENCE_STALE, or BODY_TOO_LARGE
   */
  async set(account: string, symbol: string, { revision, value }: WireChartLayoutChange): Promise<WireChartLayout> {
    const text = JSON.stringify(value)
    if (Buffer.byteLength(text) > chartLayoutBytesMax) throw new Refused('BODY_TOO_LARGE')
    const next = revision + 1
    const written =
      revision === 0
        ? await this.#insert(account, symbol, text)
        : await this.#db
            .updateTable('chart_layouts')
            .set({ revision: next, value: text, set_at: sql<Date>`clock_timestamp()` })
            .where('account', '=', account)
            .where('symbol', '=', symbol)
            .where('revision', '=', revision)
            .returning('revision')
            .executeTakeFirst()
    if (written === undefined) throw new Refused('PREFERENCE_STALE', { field: 'revision' })
    return { revision: next, value }
  }

  async #insert(account: string, symbol: string, value: string): Promise<{ readonly revision: number } | undefined> {
    return await this.#db.transaction().execute(async (tx) => {
      // One new layout of an account at a time, so that two devices don't pass the limit together.
      await sql`select id from accounts where id = ${account} for update`.execute(tx)
      // Of too many, the one that was set longest ago gives way. The device that made it still has it.
      await sql`
        delete from chart_layouts where account = ${account} and symbol in (
          select symbol from chart_layouts where account = ${account} and symbol <> ${symbol}
          order by set_at desc, symbol offset ${chartLayoutsMax - 1})`.execute(tx)
      return await tx
        .insertInto('chart_layouts')
        .values({ account, symbol, revision: 1, value })
        .onConflict((conflict) => conflict.columns(['account', 'symbol']).doNothing())
        .returning('revision')
        .executeTakeFirst()
    })
  }
}
