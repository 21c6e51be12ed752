import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import { useMarkets } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useLayout } from '../../app/preferences/use-layout.ts'
import { HoldButton } from '../ui/hold-button.tsx'
import { ConfirmSheet } from '../ui/sheet.tsx'
import { isAmendable } from './amend.ts'
import { type CardProps, OrderCard, OrderCards } from './cards.tsx'
import { type CancelAll, useCancelAll } from './use-cancel-all.ts'
import { kindOf, triggerOf } from './words.ts'

/** Open orders as cards, with their fills and buttons to change and cancel them. */
export function OrderList({ orders }: { readonly orders: readonly WireOrder[] }) {
  return <OrderCards orders={orders} Card={Card} />
}

function Card({ order, onChange, editor }: CardProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarkets().find((one) => one.symbol === order.symbol)
  const isBuy = order.side === 'buy'
  const pair = market === undefined ? order.symbol : `${market.base}/${market.quote}`
  const quantity =
    order.quantity === undefined
      ? `${format.sum(order.spend ?? '0', market?.quote ?? '')} ${market?.quote ?? ''}`
      : format.exact(order.quantity)
  return (
    <OrderCard
      order={order}
      canChange={isAmendable(order)}
      cancel={() => client.spot.cancel(order.id, order.symbol)}
      onChange={onChange}
      editor={editor}
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
            <dd className="tn">{`${order.quantity === undefined ? format.sum(order.executedQuote, market?.quote ?? '') : format.exact(order.executed)} / ${quantity}`}</dd>
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

/**
 * Cancels all open orders, or those of one market, after it was held. A tap asks for a confirmation, or cancels at once for those who
 * don’t want to be asked (a setting).
 */
export function CancelAllButton({
  symbol,
  count,
  send = client.spot.cancelAll,
  endsTwaps = true,
}: {
  readonly symbol?: string
  readonly count: number
  /** The route of the orders' product. */
  readonly send?: CancelAll
  /** TWAP orders end with them. */
  readonly endsTwaps?: boolean
}) {
  const { t } = useTranslation()
  const [isAsking, setIsAsking] = useState(false)
  const [{ unasked }] = useLayout()
  const asks = !unasked.includes('cancel-all')
  const cancel = useCancelAll(send, () => setIsAsking(false))
  return (
    <>
      <HoldButton
        variant="ghost"
        size="small"
        className="-me-3"
        isBusy={cancel.isPending}
        onHold={() => cancel.mutate(symbol)}
        onTap={() => (asks ? setIsAsking(true) : cancel.mutate(symbol))}
      >
        {t('orders.cancelAll')}
      </HoldButton>
      <ConfirmSheet
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => cancel.mutate(symbol)}
        isBusy={cancel.isPending}
        title={t('orders.cancelAll')}
        confirm={t('orders.cancelAll')}
        tone="danger"
        note={
          <>
            <p>{symbol === undefined ? t('orders.cancelAllSays', { count }) : t('orders.cancelPairSays', { count, pair: symbol })}</p>
            {endsTwaps && <p className="mt-2">{t('orders.cancelAllTwaps')}</p>}
            <p className="mt-2">{t('orders.holdHint')}</p>
          </>
        }
      />
    </>
  )
}
