import { scaleOf } from '@candor/core/money/scale.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { type ReactNode, useMemo } from 'react'
import { client } from '../../../app/client.ts'
import { useFormats } from '../../../app/format.ts'
import { useLayout } from '../../../app/preferences/use-layout.ts'
import { useTranslation } from '../../../app/translate.ts'
import { asksBefore, cautionOf } from '../../desk/asks.ts'
import { cautionText } from '../../desk/caution-text.ts'
import { sleepsUntil } from '../../order/amend.ts'
import { useOpenOrders } from '../../order/own-orders.ts'
import { useCancel } from '../../order/use-cancel.ts'
import { kindOf } from '../../order/words.ts'
import type { LineProps, OwnLine } from './line.ts'
import { orderLine } from './order-lines.tsx'
import { Outcome } from './outcome.tsx'
import { triggersNow } from './perp-result.ts'
import { actingPrice, tradingPrice, valueAt } from './result.ts'

const cancelSpot = (order: WireOrder): Promise<WireOrder> => client.spot.cancel(order.id, order.symbol)

/** Lines of the orders of a spot market, of the spot account and of margin accounts. */
export function useSpotLines({ market, config }: LineProps): readonly OwnLine[] {
  const { t } = useTranslation()
  const format = useFormats()
  const orders = useOpenOrders().data
  const [layout] = useLayout()
  const [cancel] = useCancel(cancelSpot)
  return useMemo(
    () =>
      (orders ?? []).flatMap((order): readonly OwnLine[] => {
        if (order.symbol !== market.symbol) return []
        const caution = cautionOf({ takesLoan: order.margin?.borrow === 'borrow' || order.margin?.borrow === 'both' })
        const parts = [t(order.side === 'buy' ? 'trade.buy' : 'trade.sell'), kindOf(order, t)]
        const found = orderLine(
          order,
          {
            market,
            name: (order.listId === undefined ? parts : [...parts, t('trade.kind.oco')]).join(' · '),
            tone: order.side === 'buy' ? 'up' : 'down',
            outcomeAt: (price) => valueOutcome(order, price, market, config),
            caution: caution && cautionText(caution, t, format),
            asks: asksBefore(layout, sleepsUntil(order) === undefined ? 'limit' : `stop-${order.type}`, caution),
            stop: {
              warningAt: () => caution && cautionText(caution, t, format),
              faultAt: (price) => (triggersNow(order, price, undefined) ? t('refusals.TRIGGER_IMMEDIATE') : undefined),
            },
            amend: client.spot.amend,
            cancel,
          },
          t,
          format,
        )
        return found === undefined ? [] : [found]
      }),
    [orders, market, config, layout, cancel, t, format],
  )
}

/** The value of an order, now and when its line is at another price. */
export function valueOutcome(order: WireOrder, price: Decimal, market: WireMarket, config: WireConfig): ReactNode {
  const scale = scaleOf(config.assets, market.quote)
  const [before, after] = [actingPrice(order) ?? price, price].map((at) => valueAt(order, tradingPrice(order, at), market, scale))
  return <Outcome label="value" before={before} after={after} asset={market.quote} />
}
