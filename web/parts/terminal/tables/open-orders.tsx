import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../app/translate.ts'
import { CancelAllButton } from '../../order/order-list.tsx'
import type { CancelAll } from '../../order/use-cancel-all.ts'
import { RowsSkeleton } from '../../ui/skeleton.tsx'
import { Empty, Failure } from '../../ui/state.tsx'
import { type OrderApi, OrderTable } from './orders.tsx'
import { AllLink, OnlyHere, type PanelTab } from './panel.tsx'

type OpenOrders = {
  readonly market: WireMarket
  /** Undefined while they are loaded. */
  readonly orders: readonly WireOrder[] | undefined
  readonly error: unknown
  readonly here: { readonly isOn: boolean; readonly onChange: (isOn: boolean) => void }
  readonly api: OrderApi
  readonly path: string
  readonly cancelAll: CancelAll
  readonly endsTwaps?: boolean
  /** Orders that run over time, above the others. */
  readonly running?: ReactNode
  readonly none: string
  readonly cards: (orders: readonly WireOrder[]) => ReactNode
}

/** The tab of open orders. */
export function useOrdersTab({ market, orders, here, cancelAll, endsTwaps = true, ...list }: OpenOrders): PanelTab {
  const { t } = useTranslation()
  const shown = here.isOn ? orders?.filter(({ symbol }) => symbol === market.symbol) : orders
  return {
    value: 'orders',
    label: t('orders.open'),
    count: orders?.length,
    table: 'orders',
    tools: (
      <>
        <OnlyHere market={market} {...here} />
        {shown !== undefined && shown.length > 0 && (
          <CancelAllButton {...(here.isOn ? { symbol: market.symbol } : {})} {...{ endsTwaps }} count={shown.length} send={cancelAll} />
        )}
      </>
    ),
    content: <List shown={shown} {...list} />,
  }
}

function List({
  shown,
  error,
  running,
  none,
  cards,
  ...table
}: Pick<OpenOrders, 'error' | 'api' | 'path' | 'running' | 'none' | 'cards'> & { readonly shown: readonly WireOrder[] | undefined }) {
  if (shown === undefined) return error === null ? <RowsSkeleton rows={2} /> : <Failure error={error} isSmall />
  return (
    <>
      {running}
      {shown.length === 0 ? <Empty text={none} /> : <OrderTable orders={shown} cards={cards(shown)} {...table} />}
    </>
  )
}

/** Beside the newest of a long list: the filter, and the way to all of it. */
export function PastTools({ market, here, to }: { readonly market: WireMarket; readonly here: OpenOrders['here']; readonly to: string }) {
  return (
    <>
      <OnlyHere market={market} {...here} />
      <AllLink to={to} />
    </>
  )
}
