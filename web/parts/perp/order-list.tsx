import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { isAmendable } from '../order/amend.ts'
import { type CardProps, OrderCard, OrderCards } from '../order/cards.tsx'
import { triggerOf } from '../order/words.ts'
import { perp } from './api.ts'
import { deedOf, exitsText, kindOf, priceOf } from './words.ts'

/** Open perp orders as cards, with their effect on the position, their fills, and buttons to change and cancel them. */
export function PerpOrderList({ orders }: { readonly orders: readonly WireOrder[] }) {
  return <OrderCards orders={orders} Card={Card} send={perp.amend} />
}

function Card({ order, onChange, editor }: CardProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(order.symbol)
  const isClosing = order.perp?.closing === true
  const exits = exitsText(order, format)
  return (
    <OrderCard
      order={order}
      canChange={isAmendable(order)}
      cancel={() => perp.cancel(order.id, order.symbol)}
      onChange={onChange}
      editor={editor}
      headline={
        <>
          <span className="text-15 font-semibold">{market === undefined ? order.symbol : `${market.base}/${market.quote}`}</span>
          <span className={`text-12 font-medium ${order.side === 'buy' ? 'text-up' : 'text-down'}`}>{deedOf(order, t)}</span>
          <span className="text-12 text-fg3">
            {kindOf(order, t)}
            {order.postOnly && ` · ${t('trade.postOnly')}`}
            {order.perp?.reduceOnly && !isClosing && ` · ${t('perp.reduceOnly')}`}
          </span>
        </>
      }
      figures={
        <dl className="flex min-w-0 flex-1 flex-wrap gap-x-5 gap-y-1 text-12 [&_dt]:text-11 [&_dt]:text-fg3">
          {order.trigger !== undefined && (
            <div>
              <dt>{`${t('trade.trigger')} · ${t(order.perp?.triggerBy === 'mark' ? 'perp.mark' : 'perp.last')}`}</dt>
              <dd className="tn">{triggerOf(order, t, format)}</dd>
            </div>
          )}
          <div>
            <dt>{t('trade.price')}</dt>
            <dd className="tn">{priceOf(order, t, format)}</dd>
          </div>
          <div>
            <dt>{isClosing ? t('trade.size') : t('orders.filledOf')}</dt>
            <dd className="tn">
              {isClosing
                ? t('positions.wholePosition')
                : `${format.exact(order.executed)} / ${order.quantity === undefined ? '–' : format.exact(order.quantity)}`}
            </dd>
          </div>
          {exits !== undefined && (
            <div>
              <dt>{t('perp.exits')}</dt>
              <dd className="tn">{exits}</dd>
            </div>
          )}
          {order.perp?.goodTill !== undefined && (
            <div>
              <dt>{t('orders.expiresAt')}</dt>
              <dd className="tn">{format.dateTime(order.perp.goodTill)}</dd>
            </div>
          )}
        </dl>
      }
    />
  )
}
