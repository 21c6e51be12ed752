import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { RowsSkeleton } from '../ui/skeleton.tsx'
import { Empty, Failure } from '../ui/state.tsx'
import { Chip } from '../ui/tabs.tsx'
import { CancelAllButton } from './order-list.tsx'
import type { CancelAll } from './use-cancel-all.ts'

/** The user's open orders below a ticket, of the desk's market or of all, with buttons to cancel them and a link to the history. */
export function DeskOrders({
  market,
  orders,
  error,
  history,
  none,
  cancelAll,
  endsTwaps = true,
  running,
  children,
}: {
  readonly market: WireMarket
  readonly orders: readonly WireOrder[] | undefined
  /** The error if the orders failed to load. */
  readonly error: unknown
  /** Path of the order history. */
  readonly history: string
  /** Orders that run over time, above the others. */
  readonly running?: ReactNode
  /** Text shown without open orders. */
  readonly none: string
  readonly cancelAll: CancelAll
  /** Whether TWAP orders end with them. */
  readonly endsTwaps?: boolean
  readonly children: (shown: readonly WireOrder[]) => ReactNode
}) {
  const { t } = useTranslation()
  const [isHere, setIsHere] = useState(false)
  if (orders === undefined) return error === null ? <RowsSkeleton rows={2} /> : <Failure error={error} isSmall />
  const shown = isHere ? orders.filter((order) => order.symbol === market.symbol) : orders
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-2 px-4 pt-2">
        <Chip isOn={isHere} onClick={() => setIsHere(!isHere)}>
          {t('orders.onlyPair', { pair: `${market.base}/${market.quote}` })}
        </Chip>
        <span className="ms-auto flex flex-wrap items-center justify-end gap-x-3">
          <a href={`#${history}`} className="flex min-h-8 items-center text-13 font-medium text-brand">
            {t('orders.history')}
          </a>
          {shown.length > 0 && (
            <CancelAllButton {...(isHere ? { symbol: market.symbol } : {})} {...{ endsTwaps }} count={shown.length} send={cancelAll} />
          )}
        </span>
      </div>
      {running}
      {shown.length === 0 ? <Empty text={none} /> : children(shown)}
    </>
  )
}
