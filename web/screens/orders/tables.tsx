/** Closed orders and fills with their columns, in a wide window. */
import type { WireFill, WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useMarkets } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { filledOf, filledPercent, statusOf } from '../../parts/order/words.ts'
import { deedOf, kindOf } from '../../parts/perp/words.ts'
import { WideTable } from '../../parts/wide/table.tsx'

type TableProps = { readonly current: string | undefined; readonly onOpen: (id: string) => void }

function usePairs() {
  const markets = useMarkets()
  const marketOf = (symbol: string) => markets.find((one) => one.symbol === symbol)
  const pairOf = ({ symbol }: { readonly symbol: string }): string => {
    const market = marketOf(symbol)
    return market === undefined ? symbol : `${market.base}/${market.quote}`
  }
  return { marketOf, pairOf }
}

const toneOf = (side: 'buy' | 'sell'): string => (side === 'buy' ? 'text-up' : 'text-down')

export function OrderTable({ orders, current, onOpen }: TableProps & { readonly orders: readonly WireOrder[] }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { marketOf, pairOf } = usePairs()
  const sideOf = (order: WireOrder): string =>
    order.perp !== undefined ? deedOf(order, t) : order.side === 'buy' ? t('trade.buy') : t('trade.sell')
  return (
    <WideTable
      label={t('orders.history')}
      items={orders}
      keyOf={({ id }) => id}
      current={({ id }) => id === current}
      onOpen={({ id }) => onOpen(id)}
      columns={[
        { label: t('orders.pair'), cell: pairOf },
        { label: t('trade.order'), cell: (order) => <span className={toneOf(order.side)}>{sideOf(order)}</span> },
        {
          label: t('trade.orderType'),
          isMinor: true,
          cell: (order) => `${kindOf(order, t)}${order.margin === undefined ? '' : ` · ${t('trade.margin')}`}`,
        },
        {
          label: t('orders.filled'),
          isNumber: true,
          cell: (order) => `${filledOf(order, marketOf(order.symbol), t, format)} (${filledPercent(order)}%)`,
        },
        {
          label: t('orders.average'),
          isNumber: true,
          isMinor: true,
          cell: ({ average }) => (average === undefined ? '–' : format.number(average)),
        },
        { label: t('orders.status'), cell: (order) => statusOf(order, t) },
        { label: t('orders.closedAt'), isNumber: true, cell: ({ updatedAt }) => format.dateTime(updatedAt) },
      ]}
    />
  )
}

export function FillTable({ fills, current, onOpen }: TableProps & { readonly fills: readonly WireFill[] }) {
  const { t } = useTranslation()
  const format = useFormats()
  const { marketOf, pairOf } = usePairs()
  return (
    <WideTable
      label={t('orders.fills')}
      items={fills}
      keyOf={({ symbol, tradeId, role }) => `${symbol}-${tradeId}-${role}`}
      current={({ orderId }) => orderId === current}
      onOpen={({ orderId }) => onOpen(orderId)}
      columns={[
        { label: t('orders.pair'), cell: pairOf },
        {
          label: t('trade.order'),
          cell: ({ side }) => <span className={toneOf(side)}>{side === 'buy' ? t('trade.buy') : t('trade.sell')}</span>,
        },
        { label: t('orders.role'), isMinor: true, cell: ({ role }) => t(`orders.as.${role}`) },
        { label: t('trade.price'), isNumber: true, cell: ({ price }) => format.exact(price) },
        { label: t('trade.quantity'), isNumber: true, cell: ({ quantity }) => format.exact(quantity) },
        {
          label: t('trade.value'),
          isNumber: true,
          isMinor: true,
          cell: (fill) => `${format.number(fill.quote, 2)} ${marketOf(fill.symbol)?.quote ?? ''}`,
        },
        { label: t('trade.fee'), isNumber: true, isMinor: true, cell: ({ fee, feeAsset }) => `${format.number(fee)} ${feeAsset}` },
        { label: t('trade.time'), isNumber: true, cell: ({ time }) => format.dateTime(time) },
      ]}
    />
  )
}
