import type { WireFill, WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { ChevronRight } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { useMarket } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { filledOf, filledPercent, isCut, statusOf } from '../../parts/order/words.ts'
import { deedOf, kindOf } from '../../parts/perp/words.ts'

/** A closed order in three lines; a tap opens its details. */
export function HistoryRow({ order, onOpen }: { readonly order: WireOrder; readonly onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(order.symbol)
  const isBuy = order.side === 'buy'
  return (
    <button type="button" onClick={onOpen} className="flex w-full items-center gap-2 px-4 py-3 text-start active:bg-s2">
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="text-15 font-semibold">{market === undefined ? order.symbol : `${market.base}/${market.quote}`}</span>
          <span className={`text-12 font-medium ${isBuy ? 'text-up' : 'text-down'}`}>
            {order.perp !== undefined ? deedOf(order, t) : isBuy ? t('trade.buy') : t('trade.sell')}
          </span>
          <span className="text-12 text-fg3">
            {kindOf(order, t)}
            {order.margin !== undefined && ` · ${t('trade.margin')}`}
            {order.listId !== undefined && order.perp === undefined && ` · ${t('trade.kind.oco')}`}
          </span>
          <span className="ms-auto shrink-0 text-12 text-fg2">{statusOf(order, t)}</span>
        </span>
        <span className="flex flex-wrap items-baseline gap-x-2 text-12">
          <span className="tn text-fg2">
            {!isCut(order) && `${t('orders.filled')} `}
            {filledOf(order, market, t, format)} ({filledPercent(order)}%)
            {order.average !== undefined && ` · ${format.price(order.average, market?.priceDigits)}`}
          </span>
          <span className="tn ms-auto shrink-0 text-11 text-fg3">{format.dateTime(order.updatedAt)}</span>
        </span>
      </span>
      <ChevronRight size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg3" />
    </button>
  )
}

/** One side's part of a trade. */
export function FillRow({ fill, onOpen }: { readonly fill: WireFill; readonly onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const market = useMarket(fill.symbol)
  const isBuy = fill.side === 'buy'
  return (
    <button type="button" onClick={onOpen} className="flex w-full flex-col gap-1 px-4 py-3 text-start active:bg-s2">
      <span className="flex w-full items-center gap-2">
        <span className="text-15 font-semibold">{market === undefined ? fill.symbol : `${market.base}/${market.quote}`}</span>
        <span className={`text-12 font-medium ${isBuy ? 'text-up' : 'text-down'}`}>{isBuy ? t('trade.buy') : t('trade.sell')}</span>
        <span className="text-12 text-fg3">{t(`orders.as.${fill.role}`)}</span>
        <span className="tn ms-auto text-11 text-fg3">{format.dateTime(fill.time)}</span>
      </span>
      <span className="tn flex w-full justify-between gap-2 text-12 text-fg2">
        <span>
          {format.exact(fill.quantity)} × {format.exact(fill.price)}
        </span>
        <span>
          {format.sum(fill.quote, market?.quote ?? '')} {market?.quote}
        </span>
      </span>
      <span className="tn text-11 text-fg3">
        {t('trade.fee')} {format.sum(fill.fee, fill.feeAsset, true)} {fill.feeAsset}
      </span>
    </button>
  )
}
