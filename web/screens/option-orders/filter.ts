/** Filter of settled orders. */
import type { OptionHistoryQuery } from '@candor/client/column/option.ts'
import type { OptionResult } from '@candor/core/protocol/event/option.ts'

/** An empty text means no limit. Days are those of the device's calendar, `to` inclusive. */
export type Filter = { readonly symbol: string; readonly result: OptionResult | ''; readonly from: string; readonly to: string }

export const noFilter: Filter = { symbol: '', result: '', from: '', to: '' }

export function isFiltered(filter: Filter): boolean {
  return Object.values(filter).some((value) => value !== '')
}

export function queryOf(filter: Filter): OptionHistoryQuery {
  return {
    ...(filter.symbol === '' ? {} : { symbol: filter.symbol }),
    ...(filter.result === '' ? {} : { result: filter.result }),
    ...(filter.from === '' ? {} : { from: startOf(filter.from, 0) }),
    ...(filter.to === '' ? {} : { to: startOf(filter.to, 1) }),
  }
}

/** Midnight of the day that is `later` days after `day`. */
function startOf(day: string, later: number): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).getTime()
}
