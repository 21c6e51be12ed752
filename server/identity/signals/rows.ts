import type { SignalEnd, WireSignal, WireSignalCall, WireSignalTemplate } from '@candor/core/protocol/wire/own/signals.ts'
import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely'

/** Migration 211, as Kysely sees it. */
export type SignalTables = {
  key_signals: {
    key: number
    account: string
    hash: Buffer
    is_on: boolean
    made_at: number
    symbols: readonly string[]
    max_quote: string
    per_minute: number
    per_day: number
    max_age_s: number
    ips: readonly string[]
    template: ColumnType<WireSignalTemplate | null, string | null, string | null>
    minute: Generated<number>
    minute_count: Generated<number>
    day: Generated<number>
    day_count: Generated<number>
  }
  key_signal_calls: {
    id: GeneratedAlways<number>
    key: number
    at: number
    ip: string
    text: string
    result: SignalEnd
    symbol: Generated<string | null>
    order_id: Generated<number | null>
    identity: Generated<Buffer | null>
    client_id: Generated<string | null>
  }
}

export type SignalRow = Selectable<SignalTables['key_signals']>
type CallRow = Selectable<SignalTables['key_signal_calls']>

export function wireSignal(row: Omit<SignalRow, 'minute' | 'minute_count' | 'day' | 'day_count'>): WireSignal {
  return {
    ...{ isOn: row.is_on, madeAt: row.made_at, symbols: row.symbols, maxQuote: row.max_quote, ips: row.ips },
    ...{ perMinute: row.per_minute, perDay: row.per_day, maxAgeSeconds: row.max_age_s },
    ...(row.template === null ? {} : { template: row.template }),
  }
}

export function wireCall({ id, at, ip, text, result, symbol, order_id: order }: CallRow): WireSignalCall {
  return {
    ...{ id: String(id), at, ip, text, end: result },
    ...(symbol === null ? {} : { symbol }),
    ...(order === null ? {} : { order: String(order) }),
  }
}
