import type { AlertCondition, AlertSource, AlertState, WireAlert } from '@candor/core/protocol/wire/own/alerts.ts'
import type { Generated, Kysely, Selectable } from 'kysely'
import type { Store } from '../store/open.ts'

/** Migration 158, as Kysely sees it. */
export type AlertTables = {
  accounts: { id: string }
  alerts: {
    id: string
    account: string
    symbol: string
    condition: AlertCondition
    source: AlertSource
    level: string
    rearm: string | null
    note: string
    state: AlertState
    version: Generated<number>
    count: Generated<number>
    last_at: number | null
    last_value: string | null
    created_at: number
  }
}
export type AlertRow = Selectable<AlertTables['alerts']>
export type AlertDb = Kysely<AlertTables>

export function alertDb(store: Store): AlertDb {
  return store.db.withTables<AlertTables>() as unknown as AlertDb
}

export function wireAlert(row: AlertRow): WireAlert {
  const { id, symbol, condition, source, level, rearm, note, state, count } = row
  return {
    ...{ id, symbol, condition, source, level, note, state, count, createdAt: row.created_at },
    ...(rearm === null ? {} : { rearm }),
    ...(row.last_at === null || row.last_value === null ? {} : { last: { at: row.last_at, value: row.last_value } }),
  }
}
