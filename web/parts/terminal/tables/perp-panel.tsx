import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type ReactNode, Suspense, useState } from 'react'
import { useMe } from '../../../app/session.ts'
import { useTranslation } from '../../../app/translate.ts'
import { RunningAlgos } from '../../algo/running.tsx'
import { usePerpAccount, usePerpOrders } from '../../perp/account.ts'
import { perp } from '../../perp/api.ts'
import { PerpOrderList } from '../../perp/order-list.tsx'
import { TotalProfit } from '../../perp/total-profit.tsx'
import { Button } from '../../ui/button.tsx'
import { laterSheet } from '../../ui/later.tsx'
import { RowsSkeleton } from '../../ui/skeleton.tsx'
import { Empty, Failure } from '../../ui/state.tsx'
import { PastTools, useOrdersTab } from './open-orders.tsx'
import { AllLink, OnlyHere, TablePanel } from './panel.tsx'
import { FillTable, HistoryTable } from './past.tsx'
import { PositionTable } from './positions.tsx'

const CloseAllSheet = laterSheet(() => import('../../perp/close-all-sheet.tsx').then((module) => module.CloseAllSheet))

const path = '/contract'

/** Positions, orders and what became of them, of the desk of Futures. */
export function PerpPanel({
  market,
  config,
  visitor,
  account,
}: {
  readonly market: WireMarket
  readonly config: WireConfig
  /** Shown to visitors instead of lists. */
  readonly visitor: ReactNode
  /** The content of the tab of assets. */
  readonly account: ReactNode
}) {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const { data: holder } = usePerpAccount()
  const { data: orders, error } = usePerpOrders()
  const [isHere, setIsHere] = useState(false)
  const here = { isOn: isHere, onChange: setIsHere }
  const symbol = isHere ? market.symbol : undefined
  const open = useOrdersTab({
    ...{ market, orders, error, here, path },
    api: perp,
    cancelAll: perp.cancelAll,
    running: <RunningAlgos product="perp" />,
    none: t('orders.noneOpen'),
    cards: (shown) => <PerpOrderList orders={shown} />,
  })
  const own = (content: ReactNode): ReactNode => (isVisitor ? visitor : content)
  return (
    <TablePanel
      desk="perp"
      tabs={[
        {
          value: 'positions',
          label: t('positions.positions'),
          count: holder?.positions.length,
          table: 'positions',
          tools: <PositionTools market={market} config={config} here={here} />,
          content: own(<Positions config={config} symbol={symbol} quote={market.quote} />),
        },
        { ...open, content: own(open.content) },
        {
          value: 'history',
          label: t('orders.history'),
          table: 'history',
          tools: <PastTools market={market} here={here} to="/entrust?product=perp&tab=history" />,
          content: own(<HistoryTable product="perp" path={path} symbol={symbol} load={perp.history} />),
        },
        {
          value: 'fills',
          label: t('orders.fills'),
          table: 'fills',
          tools: <PastTools market={market} here={here} to="/entrust?product=perp&tab=fills" />,
          content: own(<FillTable product="perp" path={path} symbol={symbol} load={perp.fills} />),
        },
        { value: 'assets', label: t('orders.assets'), content: account },
      ]}
    />
  )
}

function Positions({
  config,
  symbol,
  quote,
}: {
  readonly config: WireConfig
  readonly symbol: string | undefined
  readonly quote: string
}) {
  const { t } = useTranslation()
  const { data, error } = usePerpAccount()
  const orders = usePerpOrders().data ?? []
  if (data === undefined) return error === null ? <RowsSkeleton rows={2} /> : <Failure error={error} isSmall />
  const shown = symbol === undefined ? data.positions : data.positions.filter((position) => position.symbol === symbol)
  if (shown.length === 0) return <Empty text={t('positions.noPositions')} />
  return <PositionTable positions={shown} orders={orders} isHedge={data.isHedge} config={config} quote={quote} />
}

/** The result of all positions, and the way to close them. */
function PositionTools({
  market,
  config,
  here,
}: {
  readonly market: WireMarket
  readonly config: WireConfig
  readonly here: { readonly isOn: boolean; readonly onChange: (isOn: boolean) => void }
}) {
  const { t } = useTranslation()
  const { data } = usePerpAccount()
  const [isClosing, setIsClosing] = useState(false)
  const positions = data?.positions ?? []
  const shown = here.isOn ? positions.filter(({ symbol }) => symbol === market.symbol) : positions
  return (
    <>
      <OnlyHere market={market} {...here} />
      {shown.length > 0 && (
        <span className="tb-total">
          {t('positions.unrealised')} <TotalProfit positions={shown} config={config} />
        </span>
      )}
      <AllLink to="/entrust?product=perp&tab=closed" />
      {shown.length > 1 && (
        <Button variant="danger" size="small" onClick={() => setIsClosing(true)}>
          {t('positions.closeAll.open')}
        </Button>
      )}
      <Suspense fallback={null}>
        {isClosing && (
          <CloseAllSheet positions={shown} isHedge={data?.isHedge ?? false} config={config} onClose={() => setIsClosing(false)} />
        )}
      </Suspense>
    </>
  )
}
