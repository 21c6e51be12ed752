import type { WireFill } from '@candor/core/protocol/wire/spot.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { filledOf, isCut, statusOf, triggerOf } from '../../parts/order/words.ts'
import { deedOf, exitsText, kindOf } from '../../parts/perp/words.ts'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { Detail } from '../../parts/wide/detail.tsx'
import { ExplainSheet } from '../../parts/proof/explain-later.tsx'
import { apiOf, type Product } from './product.ts'

/** Details of an order, with its fills. */
export function OrderSheet({ id, product, onClose }: { readonly id: string; readonly product: Product; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const query = useQuery({ queryKey: ['own', 'orders', 'one', id], queryFn: () => apiOf(product).order(id) })
  const order = query.data?.order
  const market = useMarket(order?.symbol ?? '')
  // That an immediate order lost its rest is in the status already.
  const isSaid = order?.closeReason === 'ioc' && isCut(order)
  const exits = order === undefined ? undefined : exitsText(order, format)
  const [base, quote] = [market?.base ?? '', market?.quote ?? '']
  return (
    <Detail onClose={onClose} title={t('orders.number', { id })}>
      {order === undefined ? (
        query.error === null ? (
          <RowsSkeleton rows={4} />
        ) : (
          <Failure error={query.error} isSmall />
        )
      ) : (
        <>
          <dl>
            <SummaryRow label={t('orders.pair')}>
              {base}/{quote}
            </SummaryRow>
            <SummaryRow label={t('closed.account')}>
              {t(`accounts.name.${order.perp !== undefined ? 'perp' : (order.margin?.account ?? 'spot')}`)}
            </SummaryRow>
            <SummaryRow label={t('trade.order')}>
              <span className={order.side === 'buy' ? 'text-up' : 'text-down'}>
                {order.perp !== undefined ? deedOf(order, t) : order.side === 'buy' ? t('trade.buy') : t('trade.sell')}
              </span>
              {` · ${kindOf(order, t)}`}
              {order.type === 'limit' && ` · ${order.perp?.goodTill === undefined ? order.timeInForce : 'GTD'}`}
              {order.listId !== undefined && order.perp === undefined && ` · ${t('trade.kind.oco')}`}
              {order.postOnly && ` · ${t('trade.postOnly')}`}
              {order.perp?.reduceOnly && !order.perp.closing && ` · ${t('perp.reduceOnly')}`}
            </SummaryRow>
            <SummaryRow label={t('orders.status')}>
              {statusOf(order, t)}
              {order.closeReason !== undefined &&
                order.closeReason !== 'filled' &&
                !isSaid &&
                ` · ${t(`orders.reason.${order.closeReason}`)}`}
            </SummaryRow>
            {order.trigger !== undefined && (
              <SummaryRow label={t('trade.trigger')}>
                {triggerOf(order, t, format)}
                {order.perp !== undefined && ` · ${t(order.perp.triggerBy === 'mark' ? 'perp.mark' : 'perp.last')}`}
              </SummaryRow>
            )}
            {order.price !== undefined && <SummaryRow label={t('trade.price')}>{`${format.exact(order.price)} ${quote}`}</SummaryRow>}
            {order.quantity !== undefined && (
              <SummaryRow label={t('trade.quantity')}>{`${format.exact(order.quantity)} ${base}`}</SummaryRow>
            )}
            {order.display !== undefined && <SummaryRow label={t('trade.shown')}>{`${format.exact(order.display)} ${base}`}</SummaryRow>}
            {exits !== undefined && <SummaryRow label={t('perp.exits')}>{`${exits} ${quote}`}</SummaryRow>}
            {order.spend !== undefined && <SummaryRow label={t('trade.total')}>{`${format.sum(order.spend, quote)} ${quote}`}</SummaryRow>}
            <SummaryRow label={t('orders.filled')}>{filledOf(order, market, t, format)}</SummaryRow>
            {order.average !== undefined && (
              <SummaryRow label={t('orders.average')}>{`${format.price(order.average, market?.priceDigits)} ${quote}`}</SummaryRow>
            )}
            <SummaryRow label={t('orders.value')}>{`${format.sum(order.executedQuote, quote, true)} ${quote}`}</SummaryRow>
            <SummaryRow label={t('orders.placedAt')}>{format.dateTime(order.placedAt)}</SummaryRow>
            {order.perp?.goodTill !== undefined && (
              <SummaryRow label={t('orders.expiresAt')}>{format.dateTime(order.perp.goodTill)}</SummaryRow>
            )}
            <SummaryRow label={t('orders.closedAt')}>{format.dateTime(order.updatedAt)}</SummaryRow>
          </dl>
          <Fills fills={query.data?.fills ?? []} />
        </>
      )}
    </Detail>
  )
}

function Fills({ fills }: { readonly fills: readonly WireFill[] }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [asked, setAsked] = useState<WireFill>()
  if (fills.length === 0) return null
  return (
    <section className="mt-4">
      <h3 className="pb-2 text-13 font-medium text-fg2">{t('orders.fills')}</h3>
      <ul className="tn flex flex-col gap-2 text-12">
        {fills.map((fill) => (
          <li key={`${fill.tradeId}-${fill.role}`} className="flex flex-wrap justify-end gap-x-3">
            <span className="me-auto">
              {format.exact(fill.quantity)} × {format.exact(fill.price)}
            </span>
            <span className="text-fg3">
              {t('trade.fee')} {format.sum(fill.fee, fill.feeAsset, true)} {fill.feeAsset}
            </span>
            <span className="text-fg3">{format.clock(fill.time)}</span>
            <button type="button" onClick={() => setAsked(fill)} className="-my-2 min-h-8 font-medium text-brand">
              {t('closed.whyShort')}
            </button>
          </li>
        ))}
      </ul>
      {asked !== undefined && (
        <Suspense fallback={null}>
          <ExplainSheet
            subject={{ kind: 'fill', symbol: asked.symbol, tradeId: asked.tradeId, role: asked.role }}
            onClose={() => setAsked(undefined)}
          />
        </Suspense>
      )}
    </section>
  )
}
