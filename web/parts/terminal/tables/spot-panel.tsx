import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type ReactNode, useState } from 'react'
import { useBalances } from '../../../app/account.ts'
import { client } from '../../../app/client.ts'
import { useMe } from '../../../app/session.ts'
import { useTranslation } from '../../../app/translate.ts'
import { RunningAlgos } from '../../algo/running.tsx'
import { OrderList } from '../../order/order-list.tsx'
import { useSpotOrders } from '../../order/own-orders.ts'
import type { CancelAll } from '../../order/use-cancel-all.ts'
import { RowsSkeleton } from '../../ui/skeleton.tsx'
import { Failure } from '../../ui/state.tsx'
import { AssetTable, plainAssets } from './assets.tsx'
import { PastTools, useOrdersTab } from './open-orders.tsx'
import { AllLink, TablePanel } from './panel.tsx'
import { FillTable, HistoryTable } from './past.tsx'

const path = '/spot'

/** Orders, what became of them, and the coins of the Spot account. */
export function SpotPanel({
  market,
  cancelAll,
  visitor,
}: {
  readonly market: WireMarket
  readonly cancelAll: CancelAll
  /** Shown to visitors instead of lists. */
  readonly visitor: ReactNode
}) {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const { data: orders, error } = useSpotOrders()
  const [isHere, setIsHere] = useState(false)
  const here = { isOn: isHere, onChange: setIsHere }
  const symbol = isHere ? market.symbol : undefined
  const open = useOrdersTab({
    ...{ market, orders, error, here, path, cancelAll },
    api: client.spot,
    running: <RunningAlgos product="spot" />,
    none: t('orders.noneOpen'),
    cards: (shown) => <OrderList orders={shown} />,
  })
  const own = (content: ReactNode): ReactNode => (isVisitor ? visitor : content)
  return (
    <TablePanel
      desk="spot"
      tabs={[
        { ...open, content: own(open.content) },
        {
          value: 'history',
          label: t('orders.history'),
          table: 'history',
          tools: <PastTools market={market} here={here} to="/entrust?product=spot&tab=history" />,
          content: own(
            <HistoryTable
              product="spot"
              path={path}
              symbol={symbol}
              load={client.spot.history}
              isHere={(order) => order.margin === undefined}
            />,
          ),
        },
        {
          value: 'fills',
          label: t('orders.fills'),
          table: 'fills',
          tools: <PastTools market={market} here={here} to="/entrust?product=spot&tab=fills" />,
          content: own(
            <FillTable
              product="spot"
              path={path}
              symbol={symbol}
              load={client.spot.fills}
              isHere={({ isMargin }) => isMargin === undefined}
            />,
          ),
        },
        {
          value: 'assets',
          label: t('orders.assets'),
          table: 'assets',
          columns: plainAssets,
          tools: <AllLink to="/property" />,
          content: own(<Assets market={market} />),
        },
      ]}
    />
  )
}

/** The coins of the market, then the others that the account has. */
function Assets({ market }: { readonly market: WireMarket }) {
  const { data, error } = useBalances()
  if (data === undefined) return error === null ? <RowsSkeleton rows={2} /> : <Failure error={error} isSmall />
  const balances = data.accounts.find(({ kind }) => kind === 'spot')?.balances ?? []
  const pair = [market.base, market.quote].map(
    (asset) => balances.find((one) => one.asset === asset) ?? { asset, available: '0', held: '0' },
  )
  const others = balances.filter(
    ({ asset, available, held }) => !pair.some((one) => one.asset === asset) && Number(available) + Number(held) > 0,
  )
  return <AssetTable holdings={[...pair, ...others]} />
}
