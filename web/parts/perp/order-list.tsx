import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useMutation } from '@tanstack/react-query'
import { PencilLine } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { problemOf } from '../../app/problem.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { filledPercent, triggerOf } from '../order/words.ts'
import { toast } from '../ui/toast.tsx'
import { perp } from './api.ts'
import { deedOf, exitsText, kindOf } from './words.ts'

const AmendSheet = lazy(() => import('../order/amend-sheet.tsx').then((module) => ({ default: module.AmendSheet })))

/** Open orders of perp as cards: what they do to the position, how far filled, change and cancel. */
export function PerpOrderList({ orders }: { readonly orders: readonly WireOrder[] }) {
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
          <AmendSheet key={changing.id} order={changing} send={perp.amend} onClose={() => setChanging(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function OrderCard({ order, onChange }: { readonly order: WireOrder; readonly onChange: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(order.symbol)
  const cancel = useMutation({
    mutationFn: () => perp.cancel(order.id, order.symbol),
    onSuccess: () => toast({ text: t('orders.cancelled') }),
    onError: (error) => toast({ text: problemOf(error, t).text, tone: 'bad' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['own'] }),
  })
  const percent = filledPercent(order)
  const isClosing = order.perp?.closing === true
  const exits = exitsText(order, format)
  return (
    <article className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-2">
        <span className="text-15 font-semibold">{market === undefined ? order.symbol : `${market.base}/${market.quote}`}</span>
        <span className={`text-12 font-medium ${order.side === 'buy' ? 'text-up' : 'text-down'}`}>{deedOf(order, t)}</span>
        <span className="text-12 text-fg3">
          {kindOf(order, t)}
          {order.postOnly && ` · ${t('trade.postOnly')}`}
          {order.perp?.reduceOnly && !isClosing && ` · ${t('perp.reduceOnly')}`}
        </span>
        <time className="tn ms-auto shrink-0 text-11 text-fg3" dateTime={new Date(order.placedAt).toISOString()}>
          {format.dateTime(order.placedAt)}
        </time>
      </div>
      <div className="flex flex-wrap items-end justify-end gap-x-3 gap-y-2">
        <dl className="flex min-w-0 flex-1 flex-wrap gap-x-5 gap-y-1 text-12 [&_dt]:text-11 [&_dt]:text-fg3">
          {order.trigger !== undefined && (
            <div>
              <dt>{`${t('trade.trigger')} · ${t(order.perp?.triggerBy === 'mark' ? 'perp.mark' : 'perp.last')}`}</dt>
              <dd className="tn">{triggerOf(order, t, format)}</dd>
            </div>
          )}
          <div>
            <dt>{t('trade.price')}</dt>
            <dd className="tn">{order.price === undefined ? t('trade.atMarket') : format.exact(order.price)}</dd>
          </div>
          <div>
            <dt>{isClosing ? t('trade.size') : t('orders.filledOf')}</dt>
            <dd className="tn">
              {isClosing
                ? t('positions.wholePosition')
                : `${format.number(order.executed)} / ${order.quantity === undefined ? '–' : format.exact(order.quantity)}`}
            </dd>
          </div>
          {exits !== undefined && (
            <div>
              <dt>{t('perp.exits')}</dt>
              <dd className="tn">{exits}</dd>
            </div>
          )}
        </dl>
        <div className="flex shrink-0 gap-2">
          {order.status !== 'pending' && order.type === 'limit' && (
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
