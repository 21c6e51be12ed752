import type { WireMarginAccount } from '@candor/core/protocol/wire/margin.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type ReactNode, useState } from 'react'
import { client } from '../../../app/client.ts'
import { useMe } from '../../../app/session.ts'
import { useTranslation } from '../../../app/translate.ts'
import { OrderList } from '../../order/order-list.tsx'
import { useOpenOrders } from '../../order/own-orders.ts'
import type { CancelAll } from '../../order/use-cancel-all.ts'
import { RowsSkeleton } from '../../ui/skeleton.tsx'
import { Failure } from '../../ui/state.tsx'
import { AssetTable } from './assets.tsx'
import { PastTools, useOrdersTab } from './open-orders.tsx'
import { type PanelTab, TablePanel } from './panel.tsx'
import { FillTable, HistoryTable } from './past.tsx'

const path = '/lever'

/** The coins and debts of a Margin account, its orders, and what became of them. */
export function MarginPanel({
  market,
  account,
  error,
  cancelAll,
  asked,
  links,
  more,
  visitor,
}: {
  readonly market: WireMarket
  readonly account: WireMarginAccount | undefined
  readonly error: unknown
  readonly cancelAll: CancelAll
  readonly asked: string | undefined
  /** Beside the tabs while the coins are shown. */
  readonly links: ReactNode
  /** Further tabs. */
  readonly more: readonly PanelTab[]
  /** Shown to visitors instead of lists. */
  readonly visitor: ReactNode
}) {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const query = useOpenOrders()
  const [isHere, setIsHere] = useState(false)
  const symbol = isHere ? market.symbol : undefined
  const here = { isOn: isHere, onChange: setIsHere }
  const open = useOrdersTab({
    ...{ market, here, path, cancelAll },
    orders: query.data?.filter((order) => order.margin !== undefined),
    error: query.error,
    api: client.spot,
    endsTwaps: false,
    none: t('loans.noAccountOrders'),
    cards: (shown) => <OrderList orders={shown} />,
  })
  const tabs: readonly PanelTab[] = [
    {
      value: 'account',
      label: t('margin.accountTab'),
      table: 'assets',
      tools: links,
      content: <Holdings market={market} account={account} error={error} />,
    },
    open,
    {
      value: 'history',
      label: t('orders.history'),
      table: 'history',
      tools: <PastTools market={market} here={here} to="/entrust?product=spot&tab=history" />,
      content: (
        <HistoryTable
          product="spot"
          path={path}
          symbol={symbol}
          load={client.spot.history}
          isHere={(order) => order.margin !== undefined}
        />
      ),
    },
    {
      value: 'fills',
      label: t('orders.fills'),
      table: 'fills',
      tools: <PastTools market={market} here={here} to="/entrust?product=spot&tab=fills" />,
      content: (
        <FillTable product="spot" path={path} symbol={symbol} load={client.spot.fills} isHere={({ isMargin }) => isMargin === true} />
      ),
    },
    ...more,
  ]
  return <TablePanel desk="margin" asked={asked} tabs={isVisitor ? tabs.map((tab) => ({ ...tab, content: visitor })) : tabs} />
}

/** The pair's coins first; then what else the account has or owes. */
function Holdings({
  market,
  account,
  error,
}: {
  readonly market: WireMarket
  readonly account: WireMarginAccount | undefined
  readonly error: unknown
}) {
  if (account === undefined) return error === null ? <RowsSkeleton rows={2} /> : <Failure error={error} isSmall />
  const isOfPair = ({ asset }: { readonly asset: string }): boolean => asset === market.base || asset === market.quote
  const isUsed = (one: WireMarginAccount['balances'][number]): boolean =>
    [one.available, one.held, one.borrowed, one.interest].some((value) => Number(value) > 0)
  const shown = account.balances.filter((one) => isOfPair(one) || isUsed(one)).sort((a, b) => Number(isOfPair(b)) - Number(isOfPair(a)))
  return <AssetTable holdings={shown} hasLoans />
}
