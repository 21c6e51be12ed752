/** Filter of the records, as the sheet and links set it: `#/propertyRecord?type=convert&asset=BTC&from=2026-11-01`. */
import type { RecordSumsQuery } from '@candor/client/column/funds.ts'
import { type AccountKind, accountKinds } from '@candor/core/protocol/account.ts'
import { type RecordType, recordTypes } from '@candor/core/protocol/wire/funds.ts'
import { boundsOf, localStart } from '../../parts/lists/days.ts'

/** An empty text means no limit. Days are those of the device's calendar, both included. */
export type Filter = {
  readonly type: RecordType | ''
  readonly asset: string
  readonly account: AccountKind | ''
  readonly from: string
  readonly to: string
}

export const noFilter: Filter = { type: '', asset: '', account: '', from: '', to: '' }

/** The filter that a link asks for. Unknown values limit nothing. */
export function filterOf(query: URLSearchParams): Filter {
  const asset = query.get('asset') ?? ''
  return {
    type: recordTypes.find((one) => one === query.get('type')) ?? '',
    asset: /^[A-Z0-9]{1,12}$/.test(asset) ? asset : '',
    account: accountKinds.find((one) => one === query.get('account')) ?? '',
    from: dayIn(query.get('from')),
    to: dayIn(query.get('to')),
  }
}

/** Limits that the sheet sets and the row of chips does not show. */
export function hiddenLimits({ account, from, to }: Filter): number {
  return [account, from, to].filter((limit) => limit !== '').length
}

/** What the exchange is asked for; times in milliseconds, both included. */
export function queryOf({ type, asset, account, from, to }: Filter, startOf: (day: string) => number = localStart): RecordSumsQuery {
  return {
    ...(type === '' ? {} : { type }),
    ...(asset === '' ? {} : { asset }),
    ...(account === '' ? {} : { account }),
    ...boundsOf(from, to, startOf),
  }
}

/** The filter within one month. */
export function withinMonth(query: RecordSumsQuery, month: { readonly from: number; readonly to: number }): RecordSumsQuery {
  return { ...query, from: Math.max(month.from, query.from ?? month.from), to: Math.min(month.to, query.to ?? month.to) }
}

function dayIn(text: string | null): string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
}
