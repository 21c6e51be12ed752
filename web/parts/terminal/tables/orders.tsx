import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { PencilLine } from 'lucide-react'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { useMarkets } from '../../../app/config.ts'
import { type Formats, useFormats } from '../../../app/format.ts'
import { type Translate, useTranslation } from '../../../app/translate.ts'
import { isAmendable, type SendChange, sleepsUntil } from '../../order/amend.ts'
import { AmendRow } from '../../order/cards.tsx'
import { useCancel } from '../../order/use-cancel.ts'
import { filledPercent, triggerOf } from '../../order/words.ts'
import { deedOf, exitsText, kindOf, priceOf } from '../../perp/words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Pair } from './pair.tsx'
import { type Column, DataTable } from './table.tsx'

/** The routes of a product that change and cancel its orders. */
export type OrderApi = {
  readonly amend: SendChange
  readonly cancel: (id: string, symbol: string) => Promise<WireOrder>
}

/** Open orders of one product. One of them can be changed in the line below it. `path`: the desk of the product. */
export function OrderTable({
  orders,
  api,
  path,
  cards,
}: {
  readonly orders: readonly WireOrder[]
  readonly api: OrderApi
  readonly path: string
  /** Shown instead where the pane is narrow. */
  readonly cards: ReactNode
}) {
  const { t } = useTranslation()
  const markets = useMarkets()
  const [changing, setChanging] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const close = (): void => {
    const button = `[data-change="${changing}"]`
    setChanging(undefined)
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(button)?.focus())
  }
  const marketOf = (order: WireOrder) => markets.find(({ symbol }) => symbol === order.symbol)
  const columns = useOrderColumns((order) => marketOf(order)?.quote ?? '')
  return (
    <div ref={list}>
      <DataTable
        name="orders"
        label={t('orders.open')}
        rows={orders}
        keyOf={({ id }) => id}
        first={{
          label: t('orders.pair'),
          value: ({ symbol }) => symbol,
          cell: (order) => <Pair symbol={order.symbol} market={marketOf(order)} path={path} />,
        }}
        columns={columns}
        actions={(order) => <Actions order={order} api={api} onChange={() => setChanging(changing === order.id ? undefined : order.id)} />}
        below={(order) =>
          order.id === changing && (
            <Suspense fallback={<Skeleton className="mx-4 mb-3 h-28 rounded-control" />}>
              <AmendRow order={order} send={api.amend} onClose={close} />
            </Suspense>
          )
        }
        cards={cards}
      />
    </div>
  )
}

function useOrderColumns(quoteOf: (order: WireOrder) => string): readonly Column<WireOrder>[] {
  const { t } = useTranslation()
  const format = useFormats()
  return [
    {
      id: 'side',
      isText: true,
      rank: 1,
      value: (order) => sideText(order, t),
      cell: (order) => <span className={order.side === 'buy' ? 'text-up' : 'text-down'}>{sideText(order, t)}</span>,
    },
    { id: 'kind', isText: true, rank: 3, value: (order) => kindText(order, t), cell: (order) => kindText(order, t) },
    {
      id: 'price',
      rank: 0,
      value: ({ price }) => (price === undefined ? undefined : Number(price)),
      cell: (order) => priceOf(order, t, format),
    },
    {
      id: 'filled',
      rank: 2,
      value: filledPercent,
      cell: (order) => <Filled text={filledText(order, quoteOf(order), t, format)} order={order} />,
    },
    {
      id: 'trigger',
      isText: true,
      rank: 4,
      value: ({ trigger }) => (trigger?.kind === 'stop' ? Number(trigger.price) : undefined),
      cell: (order) => triggerText(order, t, format),
    },
    {
      id: 'time',
      rank: 5,
      value: ({ placedAt }) => placedAt,
      cell: ({ placedAt }) => (
        <time dateTime={new Date(placedAt).toISOString()} title={format.utc(placedAt)}>
          {format.dateTime(placedAt)}
        </time>
      ),
    },
  ]
}

export function sideText(order: WireOrder, t: Translate): string {
  if (order.perp !== undefined) return deedOf(order, t)
  return order.side === 'buy' ? t('trade.buy') : t('trade.sell')
}

export function kindText(order: WireOrder, t: Translate): string {
  return [
    kindOf(order, t),
    ...(order.listId !== undefined && order.perp === undefined ? [t('trade.kind.oco')] : []),
    ...(order.postOnly ? [t('trade.postOnly')] : []),
    ...(order.perp?.reduceOnly === true && order.perp.closing !== true ? [t('perp.reduceOnly')] : []),
  ].join(' · ')
}

/** "0.03 / 0.15"; of an order by amount in the quote coin; of an exit of a whole position in words. */
function filledText(order: WireOrder, quote: string, t: Translate, format: Formats): string {
  if (order.perp?.closing === true) return t('positions.wholePosition')
  if (order.quantity !== undefined) return `${format.exact(order.executed)} / ${format.exact(order.quantity)}`
  return `${format.sum(order.executedQuote, quote)} / ${format.sum(order.spend ?? '0', quote)} ${quote}`
}

/** What wakes a sleeping order, or the exits that it brings along. */
function triggerText(order: WireOrder, t: Translate, format: Formats): ReactNode {
  const exits = exitsText(order, format)
  const by = order.perp === undefined ? '' : ` · ${t(order.perp.triggerBy === 'mark' ? 'perp.mark' : 'perp.last')}`
  if (order.trigger !== undefined) {
    return (
      <>
        {triggerOf(order, t, format)}
        <small>{by}</small>
      </>
    )
  }
  return exits === undefined ? (
    <small>–</small>
  ) : (
    <>
      <small>{`${t('perp.exits')} `}</small>
      {exits}
    </>
  )
}

function Filled({ text, order }: { readonly text: string; readonly order: WireOrder }) {
  const percent = filledPercent(order)
  return (
    <span className="tb-filled">
      {text}
      {percent > 0 && <span aria-hidden style={{ width: `${percent}%` }} />}
    </span>
  )
}

function Actions({ order, api, onChange }: { readonly order: WireOrder; readonly api: OrderApi; readonly onChange: () => void }) {
  const { t } = useTranslation()
  const [send, isSending] = useCancel(({ id, symbol }) => api.cancel(id, symbol))
  const canChange = isAmendable(order) || (order.perp !== undefined && sleepsUntil(order) !== undefined)
  return (
    <>
      {canChange ? (
        <IconButton label={t('orders.change')} title={t('orders.change')} data-change={order.id} className="tb-icon" onClick={onChange}>
          <PencilLine size={14} strokeWidth={1.75} aria-hidden />
        </IconButton>
      ) : (
        <span className="tb-icon" />
      )}
      <Button variant="soft" size="small" isBusy={isSending} onClick={() => send(order)}>
        {t('orders.cancel')}
      </Button>
    </>
  )
}
