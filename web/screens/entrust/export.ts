/** All of the person's history as a file, page by page; times in UTC, numbers as the exchange keeps them. */
import type { Translate } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import type { Formats } from '../../app/format.ts'
import { allPages, csvOf, download } from '../../parts/csv.ts'
import { kindOf } from '../../parts/order/words.ts'

export async function exportOrders(symbol: string, t: Translate, format: Formats): Promise<void> {
  const orders = await allPages((before) => client.spot.history({ ...wanted(symbol, before), limit: 100 }))
  const head = [
    t('trade.order'),
    t('orders.pair'),
    t('trade.side'),
    t('trade.orderType'),
    t('orders.status'),
    t('trade.price'),
    t('trade.quantity'),
    t('orders.filled'),
    t('orders.average'),
    t('orders.value'),
    t('orders.placedAt'),
    t('orders.closedAt'),
  ]
  const rows = orders.map((order) => [
    order.id,
    order.symbol,
    order.side === 'buy' ? t('trade.buy') : t('trade.sell'),
    kindOf(order, t),
    t(`orders.is.${order.status}`),
    order.price ?? '',
    order.quantity ?? '',
    order.executed,
    order.average ?? '',
    order.executedQuote,
    format.utc(order.placedAt),
    format.utc(order.updatedAt),
  ])
  download('candor-orders.csv', csvOf(head, rows))
}

export async function exportFills(symbol: string, t: Translate, format: Formats): Promise<void> {
  const fills = await allPages((before) => client.spot.fills({ ...wanted(symbol, before), limit: 100 }))
  const head = [
    t('orders.trade'),
    t('trade.order'),
    t('orders.pair'),
    t('trade.side'),
    t('trade.price'),
    t('trade.quantity'),
    t('orders.value'),
    t('trade.fee'),
    t('orders.feeAsset'),
    t('orders.role'),
    t('trade.time'),
  ]
  const rows = fills.map((fill) => [
    fill.tradeId,
    fill.orderId,
    fill.symbol,
    fill.side === 'buy' ? t('trade.buy') : t('trade.sell'),
    fill.price,
    fill.quantity,
    fill.quote,
    fill.fee,
    fill.feeAsset,
    t(`orders.as.${fill.role}`),
    format.utc(fill.time),
  ])
  download('candor-fills.csv', csvOf(head, rows))
}

function wanted(symbol: string, before: string | undefined): { readonly symbol?: string; readonly before?: string } {
  return { ...(symbol === '' ? {} : { symbol }), ...(before === undefined ? {} : { before }) }
}
