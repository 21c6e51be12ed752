/** Closed orders and fills. The screen opens with the open orders, so these are loaded after it. */
import type { WireFill, WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { useTranslation } from '../../app/translate.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'
import { Endless } from '../../parts/lists/endless.tsx'
import { Nothing } from './orders.tsx'
import { apiOf, type Product } from './product.ts'
import { FillRow, HistoryRow } from './rows.tsx'
import type { Bounds } from './span.ts'
import { FillTable, OrderTable } from './tables.tsx'

type ListProps = {
  readonly product: Product
  readonly symbol: string
  readonly bounds: Bounds
  /** The order whose details are open. */
  readonly current: string | undefined
  readonly onOpen: (id: string) => void
}

/** Parameters of a page of a list. */
export function pageQuery(
  symbol: string,
  bounds: Bounds,
  before: string | undefined,
): Bounds & { readonly symbol?: string; readonly before?: string } {
  return { ...(symbol === '' ? {} : { symbol }), ...bounds, ...(before === undefined ? {} : { before }) }
}

export function History({ product, symbol, bounds, current, onOpen }: ListProps) {
  const { t } = useTranslation()
  const isWide = useIsWide()
  return (
    <Endless<WireOrder>
      queryKey={['own', 'orders', 'history', product, symbol, bounds]}
      page={(before) => apiOf(product).history({ ...pageQuery(symbol, bounds, before), limit: 30 })}
      empty={<Nothing product={product} text={t('orders.noneClosed')} bounds={bounds} />}
    >
      {(orders) =>
        isWide ? (
          <OrderTable orders={orders} current={current} onOpen={onOpen} />
        ) : (
          <ul>
            {orders.map((order) => (
              <li key={order.id} className="border-b border-line last:border-0">
                <HistoryRow order={order} onOpen={() => onOpen(order.id)} />
              </li>
            ))}
          </ul>
        )
      }
    </Endless>
  )
}

export function Fills({ product, symbol, bounds, current, onOpen }: ListProps) {
  const { t } = useTranslation()
  const isWide = useIsWide()
  return (
    <Endless<WireFill>
      queryKey={['own', 'orders', 'fills', product, symbol, 'all', bounds]}
      page={(before) => apiOf(product).fills({ ...pageQuery(symbol, bounds, before), limit: 50 })}
      empty={<Nothing product={product} text={t('orders.noFills')} bounds={bounds} />}
    >
      {(fills) =>
        isWide ? (
          <FillTable fills={fills} current={current} onOpen={onOpen} />
        ) : (
          <ul>
            {fills.map((fill) => (
              <li key={`${fill.symbol}-${fill.tradeId}-${fill.role}`} className="border-b border-line last:border-0">
                <FillRow fill={fill} onOpen={() => onOpen(fill.orderId)} />
              </li>
            ))}
          </ul>
        )
      }
    </Endless>
  )
}
