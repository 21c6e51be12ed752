import type { WireRecord } from '@candor/core/protocol/wire/funds.ts'
import { client } from '../../app/client.ts'
import type { Formats } from '../../app/formats.ts'
import type { Translate } from '../../app/translate.ts'
import { allPages, csvOf, download } from '../../parts/lists/csv.ts'

export type RecordFilter = { readonly type?: WireRecord['type']; readonly asset?: string }

/** Saves all filtered records as a file; times in UTC, exact numbers. */
export async function exportRecords(filter: RecordFilter, t: Translate, format: Formats): Promise<void> {
  const records = await allPages((before) => client.funds.records({ ...filter, ...(before === undefined ? {} : { before }), limit: 100 }))
  const head = [
    t('records.number'),
    t('records.kind'),
    t('records.asset'),
    t('records.amount'),
    t('records.balance'),
    t('records.status'),
    t('records.time'),
  ]
  const rows = records.map((record) => [
    record.id,
    t(`records.type.${record.type}`),
    record.asset,
    record.amount,
    record.balance,
    t('records.completed'),
    format.utc(record.time),
  ])
  download('candor-records.csv', csvOf(head, rows))
}
