/** Saves the user's history as a file, read page by page; times in UTC, exact numbers. */
import type { Translate } from '../../app/translate.ts'
import type { Formats } from '../../app/format.ts'
import { allPages, csvOf, download } from '../../parts/lists/csv.ts'
import { statusOf } from '../../parts/order/words.ts'
import { perp } from '../../parts/perp/api.ts'
import { deedOf, kindOf } from '../../parts/perp/words.ts'
import { pageQuery } from './past.tsx'
import { apiOf, type Exportable, type Product } from './product.ts'
import type { Bounds } from './span.ts'

/** What the list on the screen shows, and so the file too: a market, or all if empty, and a span of time. */
type Only = { readonly symbol: string; readonly bounds: Bounds }

/** Saves the table of a tab. Open orders and positions have no export. */
export async function exportTable(product: Product, tab: Exportable, only: Only, t: Translate, format: Formats): Promise<void> {
  if (tab === 'history') await exportOrders(product, only, t, format)
  if (tab === 'fills') await exportFills(product, only, t, format)
  if (tab === 'closed') await exportClosed(only, t, format)
  if (tab === 'funding') await exportFunding(only, t, format)
}

async function exportOrders(product: Product, only: Only, t: Translate, format: Formats): Promise<void> {
  const orders = await allPages((before) => apiOf(product).history({ ...pageQuery(only.symbol, only.bounds, before), limit: 100 }))
  const head = [
    t('trade.order'),
    t('orders.pair'),
    t('closed.account'),
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
    t(`accounts.name.${order.perp !== undefined ? 'perp' : (order.margin?.account ?? 'spot')}`),
    order.perp === undefined ? (order.side === 'buy' ? t('trade.buy') : t('trade.sell')) : deedOf(order, t),
    kindOf(order, t),
    statusOf(order, t),
    order.price ?? '',
    order.quantity ?? '',
    order.executed,
    order.average ?? '',
    order.executedQuote,
    format.utc(order.placedAt),
    format.utc(order.updatedAt),
  ])
  download(product === 'perp' ? 'candor-futures-orders.csv' : 'candor-orders.csv', csvOf(head, rows))
}

async function exportFills(product: Product, only: Only, t: Translate, format: Formats): Promise<void> {
  const fills = await allPages((before) => apiOf(product).fills({ ...pageQuery(only.symbol, only.bounds, before), limit: 100 }))
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
  download(product === 'perp' ? 'candor-futures-fills.csv' : 'candor-fills.csv', csvOf(head, rows))
}

/** Saves closed positions with all fields that the app shows. */
async function exportClosed(only: Only, t: Translate, format: Formats): Promise<void> {
  const positions = await allPages((before) => perp.closedPositions({ ...pageQuery(only.symbol, only.bounds, before), limit: 100 }))
  const head = [
    t('perp.position'),
    t('orders.pair'),
    t('trade.side'),
    t('perp.marginMode'),
    t('perp.leverage'),
    t('closed.openPrice'),
    t('closed.openQuantity'),
    t('closed.openAmount'),
    t('closed.totalOpenAmount'),
    t('closed.settlePrice'),
    t('closed.settleProfit'),
    t('positions.realised'),
    t('closed.fees'),
    t('positions.fundingTitle'),
    t('closed.result'),
    t('closed.closedBy'),
    t('closed.openedAt'),
    t('closed.completedAt'),
    t('closed.holdingSeconds'),
  ]
  const rows = positions.map((one) => [
    one.id,
    one.symbol,
    one.side === 'buy' ? t('perp.long') : t('perp.short'),
    t(`perp.mode.${one.mode}`),
    String(one.leverage),
    one.openPrice,
    one.openQuantity,
    one.openAmount,
    one.totalOpenAmount,
    one.settlePrice,
    one.settleProfit,
    one.realised,
    one.fees,
    one.funding,
    t(`closed.results.${one.result}`),
    t(`closed.cause.${one.cause}`),
    format.utc(one.openedAt),
    format.utc(one.completedAt),
    String(Math.floor(one.holdingMs / 1_000)),
  ])
  download('candor-closed-positions.csv', csvOf(head, rows))
}

async function exportFunding(only: Only, t: Translate, format: Formats): Promise<void> {
  const items = await allPages((before) => perp.funding({ ...pageQuery(only.symbol, only.bounds, before), limit: 100 }))
  const head = [t('orders.pair'), t('closed.rate'), t('trade.size'), t('positions.amount'), t('trade.time')]
  const rows = items.map((one) => [one.symbol, one.rate, one.quantity, one.amount, format.utc(one.time)])
  download('candor-funding.csv', csvOf(head, rows))
}
