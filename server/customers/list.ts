import { sql } from 'kysely'
import { maskEmail, maskPhone, parseEmail, parsePhone } from '../identity/address.ts'
import { Refused } from '../refused.ts'
import type { CustomersDb } from './tables.ts'

export type CustomerFilter = {
  readonly state?: 'frozen' | 'staff' | undefined
  readonly certification?: 'none' | 'in-progress' | 'certified' | undefined
  readonly class?: 'retail' | 'maker' | 'bench' | undefined
  /** Declared country, ISO 3166. */
  readonly region?: string | undefined
  /** The last one of the page before. */
  readonly before?: Place | undefined
}

/** A customer's place in the list, which is newest first. */
export type Place = { readonly createdAt: number; readonly uid: string }

/** Addresses are masked. */
export type CustomerRow = Place & {
  readonly email: string | null
  readonly phone: string | null
  readonly class: 'retail' | 'maker' | 'bench'
  readonly certification: 'none' | 'in-progress' | 'certified'
  /** Declared country; null: none yet. */
  readonly region: string | null
  readonly frozenAt: number | null
  readonly lastSeenAt: number | null
  /** Index in the fee schedule, from 0. */
  readonly tier: number
  /** Whether it is an account of a member of the staff. */
  readonly isStaff: boolean
}

export type FoundBy = 'uid' | 'email' | 'phone' | 'order'
export type Found = CustomerRow & { readonly by: FoundBy }

const pageSize = 100

/** Customers as a list, and found by what is theirs alone. */
export class CustomerList {
  readonly #db: CustomersDb

  constructor(db: CustomersDb) {
    this.#db = db
  }

  /** Newest first. */
  async page({ state, certification, class: group, region, before }: CustomerFilter, size = pageSize): Promise<readonly CustomerRow[]> {
    const rows = await this.#rows()
      .$if(state === 'frozen', (query) => query.where('a.frozen_at', 'is not', null))
      .$if(state === 'staff', (query) =>
        query.where('a.id', 'in', (from) => from.selectFrom('staff_marks').select('staff_marks.account').distinct()),
      )
      .$if(certification !== undefined, (query) => query.where('a.certification', '=', certification!))
      .$if(group !== undefined, (query) => query.where('a.class', '=', group!))
      .$if(region !== undefined, (query) => query.where('a.residence', '=', region!))
      .$if(before !== undefined, (query) => query.where(sql<boolean>`(a.created_at, a.uid) < (${before!.createdAt}, ${before!.uid})`))
      .orderBy('a.created_at', 'desc')
      .orderBy('a.uid', 'desc')
      .limit(size)
      .execute()
    return rows.map(shown)
  }

  /** Finds the customers that a text names exactly: by UID, address or number of an order. */
  async find(text: string): Promise<readonly Found[]> {
    const found: Found[] = []
    for (const { by, value } of readingsOf(text)) {
      const row = await this.#rows()
        .$if(by === 'uid' || by === 'email' || by === 'phone', (query) => query.where(`a.${by as 'uid'}`, '=', value))
        .$if(by === 'order', (query) =>
          query.where('a.core_user', 'in', (from) =>
            from
              .selectFrom('orders')
              .select('orders.user_id')
              .where('orders.id', '=', Number(value))
              .union(from.selectFrom('options').select('options.user_id').where('options.id', '=', Number(value))),
          ),
        )
        .executeTakeFirst()
      if (row !== undefined) found.push({ ...shown(row), by })
    }
    return found
  }

  #rows() {
    return this.#db
      .selectFrom('accounts as a')
      .select(['a.uid', 'a.email', 'a.phone', 'a.class', 'a.certification', 'a.created_at', 'a.frozen_at', 'a.residence'])
      .select((row) => [
        row
          .selectFrom('sessions as s')
          .select(({ fn }) => fn.max('s.last_seen_at').as('at'))
          .whereRef('s.account', '=', 'a.id')
          .as('last_seen_at'),
        row.selectFrom('core_users as u').select('u.tier').whereRef('u.user_id', '=', 'a.core_user').as('tier'),
        row.exists(row.selectFrom('staff_marks as m').select('m.account').whereRef('m.account', '=', 'a.id')).as('is_staff'),
      ])
  }
}

type Row = {
  readonly uid: string
  readonly email: string | null
  readonly phone: string | null
  readonly class: CustomerRow['class']
  readonly certification: CustomerRow['certification']
  readonly created_at: number
  readonly residence: string | null
  readonly frozen_at: number | null
  readonly last_seen_at: number | null
  readonly tier: number | null
  readonly is_staff: unknown
}

function shown({ uid, email, phone, class: group, certification, residence: region, ...row }: Row): CustomerRow {
  return {
    ...{ uid, email: email && maskEmail(email), phone: phone && maskPhone(phone), class: group, certification, region },
    ...{ createdAt: row.created_at, frozenAt: row.frozen_at, lastSeenAt: row.last_seen_at },
    ...{ tier: row.tier ?? 0, isStaff: row.is_staff === true },
  }
}

/** Possible meanings of a text: nine digits are a UID and may also be an order. */
export function readingsOf(text: string): readonly { readonly by: FoundBy; readonly value: string }[] {
  const typed = text.trim()
  if (/^[1-9][0-9]{0,14}$/.test(typed)) {
    const order = { by: 'order', value: typed } as const
    return typed.length === 9 ? [{ by: 'uid', value: typed }, order] : [order]
  }
  const isPhone = typed.startsWith('+')
  if (!isPhone && !typed.includes('@')) return []
  try {
    return [isPhone ? { by: 'phone', value: parsePhone(typed) } : { by: 'email', value: parseEmail(typed) }]
  } catch (cause) {
    if (cause instanceof Refused) return []
    throw cause
  }
}
