import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Suspense, useState } from 'react'
import { useIsWide } from '../../app/wide/use-is-wide.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { RunningAlgos } from '../../parts/algo/running.tsx'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { useKeptFocus } from '../../parts/order/kept-focus.ts'
import { DeskOrders } from '../../parts/order/desk-orders.tsx'
import { usePerpAccount, usePerpOrders } from '../../parts/perp/account.ts'
import { perp } from '../../parts/perp/api.ts'
import { PerpOrderList } from '../../parts/perp/order-list.tsx'
import { Positions } from '../../parts/perp/positions.tsx'
import { TotalProfit } from '../../parts/perp/total-profit.tsx'
import { SummaryRow } from '../../parts/ui/sheet.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { Tabs } from '../../parts/ui/tabs.tsx'
import { later } from '../../parts/ui/later.tsx'
import { TransferSheet } from '../../parts/transfer/lazy-sheet.ts'
import { DeskTour } from '../../parts/tour/later.tsx'
import { DeskKeys } from '../../parts/shortcuts/desk-keys.tsx'
import { usePanelKeys } from '../../parts/shortcuts/use-panel-keys.ts'

const TradeList = later(() => import('../../parts/order/trade-list.tsx').then((module) => module.TradeList))
/** For wide windows. */
const Tables = later(() => import('../../parts/terminal/tables/perp-panel.tsx').then((module) => module.PerpPanel))

type Tab = 'positions' | 'orders' | 'trades' | 'assets'

/** The panel below the ticket, or in a pane of a wide window. */
export function Panel(props: { readonly market: WireMarket; readonly config: WireConfig }) {
  const { market } = props
  const orders = usePerpOrders().data
  usePanelKeys({ market, home: '/contract', count: orders?.length ?? 0, cancelAll: perp.cancelAll })
  return useIsWide() ? (
    <Suspense fallback={<RowsSkeleton rows={2} />}>
      <Tables {...props} visitor={<Visitor market={market} />} account={<Account {...props} />} />
    </Suspense>
  ) : (
    <PhonePanel {...props} />
  )
}

/** Positions, orders, trades and the account. */
function PhonePanel({ market, config }: { readonly market: WireMarket; readonly config: WireConfig }) {
  const { t } = useTranslation()
  const [tab, setTab] = useState<Tab>('positions')
  const positions = usePerpAccount().data?.positions
  const orders = usePerpOrders().data
  const section = useKeptFocus()
  return (
    <section ref={section} className="mt-5 flex min-h-80 flex-col">
      <Tabs
        label={t('orders.panel')}
        value={tab}
        onChange={setTab}
        choices={[
          { value: 'positions', label: t('positions.positions'), count: positions?.length },
          { value: 'orders', label: t('orders.open'), count: orders?.length },
          { value: 'trades', label: t('trade.trades') },
          { value: 'assets', label: t('orders.assets') },
        ]}
      />
      <div role="tabpanel" aria-label={tab === 'positions' ? t('positions.positions') : t(`orders.tab.${tab}`)}>
        {tab === 'positions' && <OwnPositions market={market} />}
        {tab === 'orders' && <Orders market={market} />}
        {tab === 'trades' && (
          <Suspense fallback={<RowsSkeleton rows={4} />}>
            <TradeList market={market} fills={perp.fills} />
          </Suspense>
        )}
        {tab === 'assets' && <Account market={market} config={config} />}
      </div>
      <DeskTour desk="perp" />
      <DeskKeys />
    </section>
  )
}

function OwnPositions({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  if (useMe() === undefined) return <Visitor market={market} />
  return (
    <Positions
      top={
        <a href="#/entrust?product=perp&tab=closed" className="ms-auto flex min-h-8 items-center text-13 font-medium text-brand">
          {t('orders.history')}
        </a>
      }
    />
  )
}

function Orders({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const me = useMe()
  const { data, error } = usePerpOrders()
  if (me === undefined) return <Visitor market={market} />
  return (
    <DeskOrders
      market={market}
      orders={data}
      error={error}
      history="/entrust?product=perp&tab=history"
      none={t('orders.noneOpen')}
      cancelAll={perp.cancelAll}
      running={<RunningAlgos product="perp" />}
    >
      {(orders) => <PerpOrderList orders={orders} />}
    </DeskOrders>
  )
}

/** The perp account: available balance, margin and open positions, with a transfer button. */
export function Account({ market, config }: { readonly market: WireMarket; readonly config: WireConfig }) {
  const { t } = useTranslation()
  const me = useMe()
  const query = usePerpAccount()
  const [isMoving, setIsMoving] = useState(false)
  if (me === undefined) return <Visitor market={market} />
  if (query.data === undefined) return query.error === null ? <RowsSkeleton rows={2} /> : <Failure error={query.error} isSmall />
  const { available, held, transferable, positions } = query.data
  return (
    <div className="flex flex-col gap-3 px-4 pt-2">
      <dl>
        <SummaryRow label={t('trade.available')}>
          <Amount value={available} asset={market.quote} />
        </SummaryRow>
        <SummaryRow label={t('positions.bound')}>
          <Amount value={held} asset={market.quote} />
        </SummaryRow>
        <SummaryRow label={t('positions.unrealised')}>
          <TotalProfit positions={positions} config={config} />
        </SummaryRow>
        <SummaryRow label={t('positions.transferable')}>
          <Amount value={transferable} asset={market.quote} />
        </SummaryRow>
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button variant="soft" size="medium" className="flex-1" onClick={() => setIsMoving(true)}>
          {t('positions.transfer')}
        </Button>
        <ButtonLink to="/property" variant="soft" size="medium" className="flex-1">
          {t('orders.allAssets')}
        </ButtonLink>
      </div>
      {isMoving && (
        <Suspense fallback={null}>
          <TransferSheet
            start={{ from: 'spot', to: 'perp', asset: market.quote, symbol: market.symbol }}
            onClose={() => setIsMoving(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

function Visitor({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  return <LoginFirst text={t('positions.loginFirst')} next={`/contract?symbol=${market.symbol}`} />
}
