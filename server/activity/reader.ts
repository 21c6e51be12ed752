import type { ActivityKind, WireActivity } from '@candor/core/protocol/wire/activity.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type pg from 'pg'
import { asOwnersSee, shownActions } from '../identity/profiles.ts'
import { decodeCursor, encodeCursor } from '../store/query/page.ts'
import { codesOf, kindOf, kindOfEntry, nameOf } from './words.ts'

export type ActivityAsker = { readonly account: string; readonly user: number; readonly session: string }

/** `from`, `to`: milliseconds, both included. `before`: the `next` of the page before. */
export type ActivityFilter = {
  readonly kind?: ActivityKind | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly before?: string | undefined
  readonly limit: number
}

type Found = {
  readonly at: number
  /** 0: the account's log. 1: commands. */
  readonly source: number
  readonly number: number
  readonly action: string | null
  readonly code: number | null
  readonly market: number | null
  readonly order_id: number | null
  readonly session: string | null
  readonly label: string | null
  readonly ip: string
  readonly device: string
}

const others: readonly string[] = ['lang-changed', 'favourites-changed']
/** The command has the same origin, and is there only if the core took it. */
const twice: readonly string[] = ['withdrawal-requested']
const actionsOf = (kind: ActivityKind | undefined): readonly string[] =>
  [...shownActions, ...others].filter((action) => !twice.includes(action) && (kind === undefined || kindOfEntry(action) === kind))

/** An account's activity, newest first: the entries of its log, and its commands with their origins. */
export class ActivityReader {
  readonly #pool: pg.Pool
  readonly #symbolOf: (market: number) => string | undefined

  constructor(pool: pg.Pool, symbolOf: (market: number) => string | undefined) {
    this.#pool = pool
    this.#symbolOf = symbolOf
  }

  /** throws  Refused FIELD_INVALID for a cursor that no page gave */
  async page(asker: ActivityAsker, filter: ActivityFilter): Promise<WirePage<WireActivity>> {
    const { kind, from = 0, to = Number.MAX_SAFE_INTEGER, before, limit } = filter
    const [at, source, number] = decodeCursor(before, 3)
    const until = Math.min(to, at!)
    const { rows } = await this.#pool.query<Found>(
      `(select at, 0 as source, id as number, action, null::smallint as code, null::integer as market, null::bigint as order_id,
          session, detail ->> 'label' as label, ip, device
        from audit_log
        where account = $1 and action = any($3) and at between $5 and $6 and (at, 0::bigint, id) < ($7::bigint, $8::bigint, $9::bigint)
        order by at desc, id desc limit $10)
       union all
       (select a.at, 1, a.seq, null, a.code, a.market, a.order_id, o.session, k.label, o.ip, o.device
        from activity a join activity_origins o on o.id = a.origin left join api_keys k on k.number = o.key
        where a.user_id = $2 and a.code = any($4) and a.at between $5 and $6
          and (a.at, 1::bigint, a.seq) < ($7::bigint, $8::bigint, $9::bigint)
        order by a.at desc, a.seq desc limit $10)
       order by at desc, source desc, number desc limit $10`,
      [asker.account, asker.user, actionsOf(kind), codesOf(kind), from, until, at, source, number, limit + 1],
    )
    const items = rows.slice(0, limit).map((row) => this.#shown(row, asker))
    const last = rows[limit - 1]
    if (rows.length <= limit || last === undefined) return { items }
    return { items, next: encodeCursor(last.at, last.source, last.number) }
  }

  #shown(row: Found, asker: ActivityAsker): WireActivity {
    const { at, session } = row
    const isCurrent = session === asker.session
    if (row.source === 0) {
      const { action, ip, device } = asOwnersSee({ action: row.action!, ip: row.ip, device: row.device })
      const own = { at, kind: kindOfEntry(action), action, ip, device, session, isCurrent }
      return { ...own, key: row.label, seq: null, symbol: null, order: null }
    }
    const action = nameOf(row.code!)
    const symbol = row.market === null ? null : (this.#symbolOf(row.market) ?? null)
    const own = { at, kind: kindOf(action), action, ip: row.ip, device: row.device, session, isCurrent }
    return { ...own, key: row.label, seq: row.number, symbol, order: row.order_id === null ? null : String(row.order_id) }
  }
}
