import type { Decimal } from '@candor/core/money/brand.ts'
import { scaleOf } from '@candor/core/money/scale.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { PresaleTerms } from '@candor/core/protocol/command/presale.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { ConsolePresale, PresaleDetails } from '@candor/core/protocol/wire/console/presale.ts'
import type { PresaleOutcome } from '@candor/core/protocol/wire/presale.ts'
import { sql } from 'kysely'
import { presaleStateOf } from '../presales/state.ts'
import { Refused } from '../refused.ts'
import { currentOf } from './kinds.ts'
import type { ReadingParts } from './reading.ts'

/** The newest details of a number; null what the core does not know yet. */
type PreparedRow = {
  readonly number: number
  readonly token: string
  readonly hash: string
  readonly preparedBy: string | null
  readonly preparedAt: number
  readonly title: string
  readonly terms: PresaleTerms | null
  readonly subscribed: number | null
  readonly subscribers: number | null
  readonly outcome: PresaleOutcome | null
  readonly sold: number | null
  readonly unlockedAt: number | null
}

/** Presales as members see them, with texts that no customer reads yet. */
export class PreparedPresales {
  readonly #parts: ReadingParts

  constructor(parts: ReadingParts) {
    this.#parts = parts
  }

  /** Each number whose details were prepared: those that are open with their terms, newest first. */
  async all(): Promise<{ readonly presales: readonly ConsolePresale[] }> {
    const { ask, db } = this.#parts
    const { assets } = await ask.listing()
    const { rows } = await sql<PreparedRow>`
      select distinct on (given.number) given.number, given.token, given.hash, staff.email as "preparedBy", given.prepared_at as "preparedAt",
        given.details::jsonb -> 'texts' -> 'en' ->> 'title' as title, sale.terms, sale.subscribed, sale.subscribers, sale.outcome, sale.sold,
        sale.unlocked_at_ms as "unlockedAt"
      from presale_details given left join presales sale using (number) left join staff on staff.id = given.prepared_by
      order by given.number desc, given.prepared_at desc`.execute(db)
    return { presales: await Promise.all(rows.map(async (row) => this.#shown(row, assets))) }
  }

  /** The texts behind a hash, whether terms name them or not. throws  Refused NOT_FOUND */
  async details(hash: string): Promise<PresaleDetails> {
    const { rows } = await sql<{ details: string }>`select details from presale_details where hash = ${hash} limit 1`.execute(
      this.#parts.db,
    )
    if (rows[0] === undefined) throw new Refused('NOT_FOUND')
    return JSON.parse(rows[0].details) as PresaleDetails
  }

  /** Symbols of the tokens that can be sold. throws  Refused FIELD_INVALID */
  async requireToken(symbol: string): Promise<void> {
    const { assets } = await this.#parts.ask.listing()
    if (symbol === 'USDT' || !assets.some((asset) => asset.symbol === symbol))
      throw new Refused('FIELD_INVALID', { field: 'details.token' })
  }

  async #shown(row: PreparedRow, assets: readonly Asset[]): Promise<ConsolePresale> {
    const { number, token, hash, preparedBy, preparedAt, title, terms, subscribers, subscribed, sold } = row
    const subject = `${number}:${token}`
    const now = await currentOf(this.#parts.ask, 'presale', subject)
    return {
      ...{ subject, title, hash, preparedBy, preparedAt, assets: [token], terms: now.terms },
      state: terms === null ? 'draft' : presaleStateOf({ ...row, terms }, this.#parts.clock()),
      ...{ outcome: row.outcome, startsAt: terms?.startsAt ?? null, endsAt: terms?.endsAt ?? null, subscribers: subscribers ?? 0 },
      subscribed: formatUnits(subscribed ?? 0, scaleOf(assets, 'USDT')),
      sold: sold === null ? null : (formatUnits(sold, scaleOf(assets, token)) as Decimal),
    }
  }
}
