import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { PencilLine } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { client, queries } from '../../app/client.ts'
import { useMarkets } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { problemOf } from '../../app/problem.ts'
import { useSettings } from '../../app/settings.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmSheet } from '../ui/sheet.tsx'
import { toast } from '../ui/toast.tsx'
import { filledPercent, kindOf, triggerOf } from './words.ts'

const AmendSheet = lazy(() => import('./amend-sheet.tsx').then((module) => ({ default: module.AmendSheet })))

/** Open orders as cards: what, how far filled, change and cancel. */
export function OrderList({ orders }: { readonly orders: readonly WireOrder[] }) {
  const [changing, setChanging] = useState<WireOrder>()
  return (
    <>
      <ul className="flex flex-col">
        {orders.map((order) => (
          <li key={order.id} className="border-b border-line last:border-0">
            <OrderCard order={order} onChange={() => setChanging(order)} />
          </li>
        ))}
      </ul>
      {changing !== undefined && (
        <Suspense fallback={null}>
          <AmendSheet key={changing.id} order={changing} onClose={() => setChanging(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function OrderCard({ order, onChange }: { readonly order: WireOrder; readonly onChange: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarkets().find((one) => one.symbol === order.symbol)
  const cancel = useMutation({
    mutationFn: () => client.spot.cancel(order.id, order.symbol),
    onSuccess: () => toast({ text: t('orders.cancelled') }),
    onError: (error) => toast({ text: problemOf(error, t).text, tone: 'bad' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['own'] }),
  })
  const isBuy = order.side === 'buy'
  const percent = filledPercent(order)
  const pair = market === undefined ? order.symbol : `${market.base}/${market.quote}`
  const quantity =
    order.quantity === undefined ? `${format.number(order.spend ?? '0')} ${market?.quote ?? ''}` : format.exact(order.quantity)
  return (
    <article className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-2">
        <span className="text-15 font-semibold">{pair}</span>
        <span className={`text-12 font-medium ${isBuy ? 'text-up' : 'text-down'}`}>{isBuy ? t('trade.buy') : t('trade.sell')}</span>
        <span className="truncate text-12 text-fg3">
          {kindOf(order, t)}
          {order.margin !== undefined && ` · ${t('trade.margin')}`}
          {order.listId !== undefined && ` · ${t('trade.kind.oco')}`}
          {order.postOnly && ` · ${t('trade.postOnly')}`}
          {isWorking(order) && ` · ${t('orders.working')}`}
        </span>
        <time className="tn ms-auto shrink-0 text-11 text-fg3" dateTime={new Date(order.placedAt).toISOString()}>
          {format.dateTime(order.placedAt)}
        </time>
      </div>
      <div className="flex flex-wrap items-end justify-end gap-x-3 gap-y-2">
        <dl className="flex min-w-0 flex-1 flex-wrap gap-x-5 gap-y-1 text-12 [&_dd]:whitespace-nowrap [&_dt]:text-11 [&_dt]:whitespace-nowrap [&_dt]:text-fg3">
          <div>
            <dt>{order.trigger === undefined ? t('trade.price') : t('trade.trigger')}</dt>
            <dd className="tn">
              {order.trigger === undefined ? '' : triggerOf(order, t, format)}
              {order.price === undefined
                ? order.trigger === undefined
                  ? t('trade.atMarket')
                  : ''
                : `${order.trigger === undefined ? '' : ' → '}${format.exact(order.price)}`}
            </dd>
          </div>
          <div>
            <dt>{t('orders.filledOf')}</dt>
            <dd className="tn">{`${format.number(order.quantity === undefined ? order.executedQuote : order.executed)} / ${quantity}`}</dd>
          </div>
        </dl>
        <div className="flex shrink-0 gap-2">
          {order.status !== 'pending' && order.type === 'limit' && order.listId === undefined && (
            <Button variant="soft" size="small" aria-label={t('orders.change')} onClick={onChange}>
              <PencilLine size={16} strokeWidth={1.75} aria-hidden />
            </Button>
          )}
          <Button variant="soft" size="small" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('orders.cancel')}
          </Button>
        </div>
      </div>
      {percent > 0 && (
        <span aria-hidden className="h-0.5 overflow-hidden rounded-full bg-s2">
          <span className="block h-full bg-brand" style={{ width: `${percent}%` }} />
        </span>
      )}
    </article>
  )
}

/** An order by the market that is still open was triggered and is tried again. */
function isWorking({ type, trigger, status }: WireOrder): boolean {
  return type === 'market' && trigger !== undefined && (status === 'open' || status === 'partially-filled')
}

/** A product's call that cancels all open orders, or those of one market. */
export type CancelAll = (symbol?: string) => Promise<{ readonly cancelled: number }>

/** Cancels all open orders, or those of one market, after asking (a setting). */
export function CancelAllButton({
  symbol,
  count,
  send = client.spot.cancelAll,
}: {
  readonly symbol?: string
  readonly count: number
  /** The call of the orders' product. */
  readonly send?: CancelAll
}) {
  const { t } = useTranslation()
  const [isAsking, setIsAsking] = useState(false)
  const asks = useSettings((settings) => settings.confirmCancelAll)
  const cancel = useMutation({
    mutationFn: () => send(symbol),
    onSuccess: ({ cancelled }) => toast({ text: t('orders.cancelledCount', { count: cancelled }) }),
    onError: (error) => toast({ text: problemOf(error, t).text, tone: 'bad' }),
    onSettled: () => {
      setIsAsking(false)
      void queries.invalidateQueries({ queryKey: ['own'] })
    },
  })
  return (
    <>
      <Button
        variant="ghost"
        size="small"
        className="-me-3"
        isBusy={cancel.isPending}
        onClick={() => (asks ? setIsAsking(true) : cancel.mutate())}
      >
        {t('orders.cancelAll')}
      </Button>
      <ConfirmSheet
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => cancel.mutate()}
        isBusy={cancel.isPending}
        title={t('orders.cancelAll')}
        confirm={t('orders.cancelAll')}
        tone="danger"
        note={symbol === undefined ? t('orders.cancelAllSays', { count }) : t('orders.cancelPairSays', { count, pair: symbol })}
      />
    </>
  )
}
