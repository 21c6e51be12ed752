/** The newest closed orders and fills. All of them are on the screen of orders, to which each row leads. */
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { WireFill, WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMarkets } from '../../../app/config.ts'
import { useFormats } from '../../../app/format.ts'
import { useTranslation } from '../../../app/translate.ts'
import { filledOf, filledPercent, statusOf } from '../../order/words.ts'
import { RowsSkeleton } from '../../ui/skeleton.tsx'
import { Empty, Failure } from '../../ui/state.tsx'
import { kindText, sideText } from './orders.tsx'
import { Pair } from './pair.tsx'
import { DataTable } from './table.tsx'

type Query = { readonly limit: number; readonly symbol?: string }
type ListProps<Item> = {
  readonly product: 'spot' | 'perp'
  /** The desk of the product. */
  readonly path: string
  /** One market, or all. */
  readonly symbol: string | undefined
  readonly load: (query: Query) => Promise<WirePage<Item>>
  /** Leaves out what belongs to another desk. */
  readonly isHere?: (item: Item) => boolean
}

const most = 50
const queryOf = (symbol: string | undefined): Query => ({ limit: most, ...(symbol === undefined ? {} : { symbol }) })

export function HistoryTable({ product, path, symbol, load, isHere = () => true }: ListProps<WireOrder>) {
  const { t } = useTranslation()
  const format = useFormats()
  const markets = useMarkets()
  const query = useQuery({
    queryKey: ['own', 'orders', 'history', product, 'table', symbol ?? ''],
    queryFn: () => load(queryOf(symbol)),
    staleTime: 5_000,
  })
  const marketOf = (order: WireOrder) => markets.find((one) => one.symbol === order.symbol)
  return (
    <Loaded items={query.data?.items.filter(isHere)} error={query.error} none={t('orders.noneClosed')}>
      {(orders) => (
        <DataTable
          name="history"
          label={t('orders.history')}
          rows={orders}
          keyOf={({ id }) => id}
          first={{
            label: t('orders.pair'),
            value: (order) => order.symbol,
            cell: (order) => <Pair symbol={order.symbol} market={marketOf(order)} path={path} />,
          }}
          columns={[
            {
              id: 'side',
              isText: true,
              rank: 1,
              value: (order) => sideText(order, t),
              cell: (order) => <span className={order.side === 'buy' ? 'text-up' : 'text-down'}>{sideText(order, t)}</span>,
            },
            { id: 'kind', isText: true, rank: 4, value: (order) => kindText(order, t), cell: (order) => kindText(order, t) },
            {
              id: 'filled',
              rank: 2,
              value: filledPercent,
              cell: (order) => `${filledOf(order, marketOf(order), t, format)} (${filledPercent(order)}%)`,
            },
            {
              id: 'average',
              rank: 3,
              value: ({ average }) => (average === undefined ? undefined : Number(average)),
              cell: (order) => (order.average === undefined ? '–' : format.price(order.average, marketOf(order)?.priceDigits)),
            },
            { id: 'status', isText: true, rank: 0, value: (order) => statusOf(order, t), cell: (order) => statusOf(order, t) },
            { id: 'time', rank: 5, value: ({ updatedAt }) => updatedAt, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
          ]}
          actions={({ id }) => <Details to={`/entrust?product=${product}&tab=history&order=${id}`} />}
        />
      )}
    </Loaded>
  )
}

export function FillTable({ product, path, symbol, load, isHere = () => true }: ListProps<WireFill>) {
  const { t } = useTranslation()
  const format = useFormats()
  const markets = useMarkets()
  const query = useQuery({
    queryKey: ['own', 'orders', 'fills', product, 'table', symbol ?? ''],
    queryFn: () => load(queryOf(symbol)),
    staleTime: 5_000,
  })
  const marketOf = (fill: WireFill) => markets.find((one) => one.symbol === fill.symbol)
  const sideOf = ({ side }: WireFill): string => (side === 'buy' ? t('trade.buy') : t('trade.sell'))
  return (
    <Loaded items={query.data?.items.filter(isHere)} error={query.error} none={t('orders.noFills')}>
      {(fills) => (
        <DataTable
          name="fills"
          label={t('orders.fills')}
          rows={fills}
          keyOf={(fill) => `${fill.symbol}-${fill.tradeId}-${fill.role}`}
          first={{
            label: t('orders.pair'),
            value: (fill) => fill.symbol,
            cell: (fill) => <Pair symbol={fill.symbol} market={marketOf(fill)} path={path} />,
          }}
          columns={[
            {
              id: 'side',
              isText: true,
              rank: 1,
              value: sideOf,
              cell: (fill) => <span className={fill.side === 'buy' ? 'text-up' : 'text-down'}>{sideOf(fill)}</span>,
            },
            { id: 'role', isText: true, rank: 6, value: ({ role }) => role, cell: ({ role }) => t(`orders.as.${role}`) },
            { id: 'price', rank: 0, value: ({ price }) => Number(price), cell: ({ price }) => format.exact(price) },
            {
              id: 'quantity',
              rank: 2,
              value: ({ quantity }) => Number(quantity),
              cell: (fill) => (
                <>
                  {format.exact(fill.quantity)}
                  <small> {marketOf(fill)?.base}</small>
                </>
              ),
            },
            {
              id: 'value',
              rank: 4,
              value: ({ quote }) => Number(quote),
              cell: (fill) => <Sum value={format.sum(fill.quote, marketOf(fill)?.quote ?? '')} asset={marketOf(fill)?.quote ?? ''} />,
            },
            {
              id: 'fee',
              rank: 5,
              value: ({ fee }) => Number(fee),
              cell: ({ fee, feeAsset }) => <Sum value={format.sum(fee, feeAsset, true)} asset={feeAsset} />,
            },
            { id: 'time', rank: 3, value: ({ time }) => time, cell: ({ time }) => <Time at={time} /> },
          ]}
          actions={({ orderId }) => <Details to={`/entrust?product=${product}&tab=fills&order=${orderId}`} />}
        />
      )}
    </Loaded>
  )
}

function Loaded<Item>({
  items,
  error,
  none,
  children,
}: {
  readonly items: readonly Item[] | undefined
  readonly error: unknown
  readonly none: string
  readonly children: (items: readonly Item[]) => ReactNode
}) {
  if (items === undefined) return error === null ? <RowsSkeleton rows={3} /> : <Failure error={error} isSmall />
  return items.length === 0 ? <Empty text={none} /> : children(items)
}

function Sum({ value, asset }: { readonly value: string; readonly asset: string }) {
  return (
    <>
      {value}
      <small> {asset}</small>
    </>
  )
}

function Time({ at }: { readonly at: number }) {
  const format = useFormats()
  return (
    <time dateTime={new Date(at).toISOString()} title={format.utc(at)}>
      {format.dateTime(at)}
    </time>
  )
}

function Details({ to }: { readonly to: string }) {
  const { t } = useTranslation()
  return (
    <a href={`#${to}`} className="tb-link">
      {t('terminal.details')}
    </a>
  )
}
