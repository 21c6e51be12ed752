import type { RecordSumsQuery } from '@candor/client/column/funds.ts'
import { client } from '../../app/client.ts'
import type { Formats } from '../../app/formats.ts'
import type { Translate } from '../../app/translate.ts'
import { allPages, csvOf, download } from '../../parts/lists/csv.ts'

/** Saves all filtered records as a file; times in UTC, exact numbers. */
export async function exportRecords(filter: RecordSumsQuery, t: Translate, format: Formats): Promise<void> {
  const records = await allPages((before) => client.funds.records({ ...filter, ...(before === undefined ? {} : { before }), limit: 100 }))
  const head = [
    t('records.number'),
    t('records.kind'),
    ...[t('records.account'), t('records.asset'), t('records.amount'), t('records.released'), t('records.balance')],
    ...[t('records.status'), t('chains.submitted'), t('records.time'), t('orders.pair'), t('trade.order')],
  ]
  const rows = records.map((record) => [
    record.id,
    t(`records.type.${record.type}`),
    ...[t(`accounts.name.${record.account}`), record.asset, record.amount, record.released ?? '', record.balance],
    // The exchange carries out a movement with the command that asks for it, so both times are the same.
    ...[t('records.completed'), format.utc(record.time), format.utc(record.time), record.symbol ?? '', record.orderId ?? ''],
  ])
  download('candor-records.csv', csvOf(head, rows))
}
