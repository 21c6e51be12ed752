/** Saves settled orders as a file, read page by page; times in UTC, exact numbers. */
import type { OptionHistoryQuery } from '@candor/client/column/option.ts'
import type { Formats } from '../../app/format.ts'
import type { Translate } from '../../app/translate.ts'
import { allPages, csvOf, download } from '../../parts/lists/csv.ts'
import { option } from '../../parts/option/data.ts'
import { clockOf, percentOf, resultOf } from '../../parts/option/words.ts'
import { heldMs } from '../../parts/option/order.ts'

export async function exportOptions(query: OptionHistoryQuery, t: Translate, format: Formats): Promise<void> {
  const orders = await allPages((before) => option.history({ ...query, ...(before === undefined ? {} : { before }), limit: 100 }))
  const head = [
    t('settled.number'),
    t('orders.pair'),
    t('settled.direction'),
    t('option.duration'),
    t('settled.openingAmount'),
    t('option.rate'),
    t('option.opening'),
    t('settled.settlement'),
    t('settled.winLose'),
    t('settled.net'),
    t('settled.acceptedAt'),
    t('settled.completed'),
    t('settled.held'),
  ]
  const rows = orders.map((order) => [
    order.id,
    order.symbol,
    t(`option.side.${order.direction}`),
    String(order.seconds),
    order.stake,
    percentOf(order.profitPpm),
    order.strike ?? '',
    order.settlePrice ?? '',
    resultOf(order, t),
    order.settleProfit ?? '',
    format.utc(order.acceptedAt),
    order.settledAt === undefined ? '' : format.utc(order.settledAt),
    clockOf(Math.round((heldMs(order) ?? 0) / 1_000)),
  ])
  download('candor-second-orders.csv', csvOf(head, rows))
}
