import type { WireDailyProfit, WireStatement } from '@candor/core/protocol/wire/days/daily.ts'
import type { CallOptions, Http } from '../http.ts'

/** Profit of each day of a month, "2026-11", up to today, in all and by account. */
export function profit(http: Http, month: string, options?: CallOptions): Promise<WireDailyProfit> {
  return http('GET', '/daily/profit', { ...options, query: { month } })
}

/** The statement of a day, "2026-11-27". Of today it is what the day was so far. */
export function statement(http: Http, day: string, options?: CallOptions): Promise<WireStatement> {
  return http('GET', '/daily/statement', { ...options, query: { day } })
}
