import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { client, queries } from '../../app/client.ts'
import { useMarkets } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { problemOf } from '../../app/problem.ts'
import { useLayout } from '../../app/preferences/use-layout.ts'
import { HoldButton } from '../ui/hold-button.tsx'
import { ConfirmSheet } from '../ui/sheet.tsx'
import { toast } from '../ui/toast.tsx'
import { type CardProps, OrderCard, OrderCards } from './cards.tsx'
import { kindOf, triggerOf } from './words.ts'

/** Open orders as cards, with their fills and buttons to change and cancel them. */
export function OrderList({ orders }: { readonly orders: readonly WireOrder[] }) {
  return <OrderCards orders={orders} Card={Card} />
}

function Card({ order, onChange }: CardProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarkets().find((one) => one.symbol === order.symbol)
  const isBuy = order.side === 'buy'
  const pair = market === undefined ? order.symbol : `${market.base}/${market.quote}`
  const quantity =
    order.quantity === undefined ? `${format.number(order.spend ?? '0')} ${market?.quote ?? ''}` : format.exact(order.quantity)
  return (
    <OrderCard
      order={order}
      canChange={order.status !== 'pending' && order.type === 'limit' && order.listId === undefined}
      cancel={() => client.spot.cancel(order.id, order.symbol)}
      onChange={onChange}
      headline={
        <>
          <span className="text-15 font-semibold">{pair}</span>
          <span className={`text-12 font-medium ${isBuy ? 'text-up' : 'text-down'}`}>{isBuy ? t('trade.buy') : t('trade.sell')}</span>
          <span className="truncate text-12 text-fg3">
            {kindOf(order, t)}
            {order.margin !== undefined && ` · ${t('trade.margin')}`}
            {order.listId !== undefined && ` · ${t('trade.kind.oco')}`}
            {order.postOnly && ` · ${t('trade.postOnly')}`}
            {isWorking(order) && ` · ${t('orders.working')}`}
          </span>
        </>
      }
      figures={
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
      }
    />
  )
}

/** Whether a market order was triggered and is still being tried: only then is it open. */
function isWorking({ type, trigger, status }: WireOrder): boolean {
  return type === 'market' && trigger !== undefined && (status === 'open' || status === 'partially-filled')
}

/** A product's route that cancels all open orders, or those of one market. */
export type CancelAll = (symbol?: string) => Promise<{ readonly cancelled: number }>

/**
 * Cancels all open orders, or those of one market, after it was held. A tap asks for a confirmation, or cancels at once for those who
 * don’t want to be asked (a setting).
 */
export function CancelAllButton({
  symbol,
  count,
  send = client.spot.cancelAll,
}: {
  readonly symbol?: string
  readonly count: number
  /** The route of the orders' product. */
  readonly send?: CancelAll
}) {
  const { t } = useTranslation()
  const [isAsking, setIsAsking] = useState(false)
  const [{ unasked }] = useLayout()
  const asks = !unasked.includes('cancel-all')
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
      <HoldButton
        variant="ghost"
        size="small"
        className="-me-3"
        isBusy={cancel.isPending}
        onHold={() => cancel.mutate()}
        onTap={() => (asks ? setIsAsking(true) : cancel.mutate())}
      >
        {t('orders.cancelAll')}
      </HoldButton>
      <ConfirmSheet
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => cancel.mutate()}
        isBusy={cancel.isPending}
        title={t('orders.cancelAll')}
        confirm={t('orders.cancelAll')}
        tone="danger"
        note={
          <>
            <p>{symbol === undefined ? t('orders.cancelAllSays', { count }) : t('orders.cancelPairSays', { count, pair: symbol })}</p>
            <p className="mt-2">{t('orders.holdHint')}</p>
          </>
        }
      />
    </>
  )
}
