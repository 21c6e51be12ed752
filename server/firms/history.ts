import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { WireFirmLogEntry } from '@candor/core/protocol/wire/firm/firm.ts'
import type pg from 'pg'
import { codesOf, nameOf } from '../activity/words.ts'
import { decodeCursor, encodeCursor } from '../store/query/page.ts'

/** `before`: the `next` of the page before. */
export type FirmLogFilter = { readonly before?: string | undefined; readonly limit: number }

type Found = {
  readonly at: number
  /** 0: the firm's log. 1: the logs of its accounts. 2: commands. */
  readonly source: number
  readonly number: number
  readonly action: string | null
  readonly code: number | null
  readonly market: number | null
  readonly order_id: number | null
  readonly who: string | null
  readonly account: string | null
  readonly key: string | null
  readonly detail: Readonly<Record<string, string | number | boolean>> | null
  readonly ip: string | null
  readonly device: string | null
}

/** What the log of an account adds: who made and changed keys, and what the exchange did to it. */
const accountActions = [
  ...['key-created', 'key-changed', 'key-deleted', 'key-used', 'account-frozen', 'account-unfrozen'],
  ...['withdrawal-address-added', 'withdrawal-address-removed', 'withdrawal-requested'],
]
/** Names of what an entry of an account's log tells; the rest is of no use to members. */
const shownDetails = ['label', 'scopes', 'network', 'destination', 'asset', 'amount']

/** What was done in a firm, newest first: its own log, the logs of its accounts, and the commands of its members and their keys. */
export class FirmHistory {
  readonly #pool: pg.Pool
  readonly #symbolOf: (market: number) => string | undefined

  constructor(pool: pg.Pool, symbolOf: (market: number) => string | undefined) {
    this.#pool = pool
    this.#symbolOf = symbolOf
  }

  /** throws  Refused FIELD_INVALID for a cursor that no page gave */
  async page(firm: string, { before, limit }: FirmLogFilter): Promise<WirePage<WireFirmLogEntry>> {
    const [at, source, number] = decodeCursor(before, 3)
    const { rows } = await this.#pool.query<Found>(
      `with own as (select a.id, a.core_user, f.label from firm_accounts f join accounts a on a.id = f.account where f.firm = $1)
       (select l.at, 0 as source, l.id as number, l.action, null::smallint as code, null::integer as market, null::bigint as order_id,
          m.label as who, own.label as account, null::text as key, l.detail, l.ip, l.device
        from firm_log l left join firm_members m on m.id = l.member left join own on own.id = l.account
        where l.firm = $1 and (l.at, 0::bigint, l.id) < ($4::bigint, $5::bigint, $6::bigint)
        order by l.at desc, l.id desc limit $7)
       union all
       (select l.at, 1, l.id, l.action, null, null, null, m.label, own.label, null, l.detail, l.ip, l.device
        from own join audit_log l on l.account = own.id left join firm_members m on m.id = (l.detail ->> 'member')::uuid
        where l.action = any($2) and (l.at, 1::bigint, l.id) < ($4::bigint, $5::bigint, $6::bigint)
        order by l.at desc, l.id desc limit $7)
       union all
       (select a.at, 2, a.seq, null, a.code, a.market, a.order_id, m.label, own.label, k.label, null, o.ip, o.device
        from own join activity a on a.user_id = own.core_user join activity_origins o on o.id = a.origin
          left join api_keys k on k.number = o.key left join firm_members m on m.id = coalesce(o.member, k.member)
        where a.code = any($3) and (a.at, 2::bigint, a.seq) < ($4::bigint, $5::bigint, $6::bigint)
        order by a.at desc, a.seq desc limit $7)
       order by at desc, source desc, number desc limit $7`,
      [firm, accountActions, codesOf(undefined), at, source, number, limit + 1],
    )
    const items = rows.slice(0, limit).map((row) => this.#shown(row))
    const last = rows[limit - 1]
    if (rows.length <= limit || last === undefined) return { items }
    return { items, next: encodeCursor(last.at, last.source, last.number) }
  }

  #shown(row: Found): WireFirmLogEntry {
    const { at, source, number, who, account, ip, device } = row
    return {
      ...{ id: `${source}-${number}`, at, action: row.action ?? nameOf(row.code!), detail: this.#detailOf(row) },
      ...(who === null ? {} : { who }),
      ...(account === null ? {} : { account }),
      ...(ip === null || ip === '—' ? {} : { ip }),
      ...(device === null || device === '' ? {} : { device }),
    }
  }

  #detailOf({ source, detail, market, order_id: order, key }: Found): WireFirmLogEntry['detail'] {
    if (source === 0) return detail ?? {}
    if (source === 1) return Object.fromEntries(Object.entries(detail ?? {}).filter(([name]) => shownDetails.includes(name)))
    const symbol = market === null ? undefined : this.#symbolOf(market)
    return {
      ...(symbol === undefined ? {} : { symbol }),
      ...(order === null ? {} : { order: String(order) }),
      ...(key === null ? {} : { key }),
    }
  }
}
