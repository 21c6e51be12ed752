import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Suspense, useState } from 'react'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { useBalances } from '../../app/account.ts'
import { client } from '../../app/client.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'
import { useMe } from '../../app/session.ts'
import { RunningAlgos } from '../../parts/algo/running.tsx'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { Coin } from '../../parts/funds/coin.tsx'
import { CostLine } from '../../parts/funds/cost-line.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { FaucetButton } from '../../parts/funds/faucet-button.tsx'
import { useKeptFocus } from '../../parts/order/kept-focus.ts'
import { DeskOrders } from '../../parts/order/desk-orders.tsx'
import { OrderList } from '../../parts/order/order-list.tsx'
import { TradeList } from '../../parts/order/trade-list.tsx'
import type { CancelAll } from '../../parts/order/use-cancel-all.ts'
import { later } from '../../parts/ui/later.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { Tabs } from '../../parts/ui/tabs.tsx'
import { useSpotOrders } from '../../parts/order/own-orders.ts'
import { DeskTour } from '../../parts/tour/later.tsx'
import { DeskKeys } from '../../parts/shortcuts/desk-keys.tsx'
import { usePanelKeys } from '../../parts/shortcuts/use-panel-keys.ts'

/** For wide windows. */
const Tables = later(async () => {
  const [panel] = await Promise.all([import('../../parts/terminal/tables/spot-panel.tsx'), loadArea('margin')])
  return panel.SpotPanel
})

type Tab = 'orders' | 'trades' | 'assets'

const cancelAll: CancelAll = (symbol) => client.spot.cancelAll(symbol, 'spot')

/** The panel below the ticket, or in a pane of a wide window. */
export function Panel(props: { readonly market: WireMarket; readonly config: WireConfig }) {
  const { market } = props
  const orders = useSpotOrders()
  usePanelKeys({ market, home: '/spot', count: orders.data?.length ?? 0, cancelAll })
  return useIsWide() ? (
    <Suspense fallback={<RowsSkeleton rows={2} />}>
      <Tables market={market} cancelAll={cancelAll} visitor={<Visitor market={market} />} />
    </Suspense>
  ) : (
    <PhonePanel {...props} />
  )
}

/** Open orders, trades and assets. */
function PhonePanel({ market, config }: { readonly market: WireMarket; readonly config: WireConfig }) {
  const { t } = useTranslation()
  const [tab, setTab] = useState<Tab>('orders')
  const orders = useSpotOrders()
  const section = useKeptFocus()
  return (
    <section ref={section} className="mt-5 flex min-h-80 flex-col">
      <Tabs
        label={t('orders.panel')}
        value={tab}
        onChange={setTab}
        choices={[
          { value: 'orders', label: t('orders.open'), count: orders.data?.length },
          { value: 'trades', label: t('trade.trades') },
          { value: 'assets', label: t('orders.assets') },
        ]}
      />
      <div role="tabpanel" aria-label={t(`orders.tab.${tab}`)}>
        {tab === 'orders' && <Orders market={market} />}
        {tab === 'trades' && <TradeList market={market} />}
        {tab === 'assets' && <Account market={market} config={config} />}
      </div>
      <DeskTour desk="spot" />
      <DeskKeys />
    </section>
  )
}

function Orders({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const me = useMe()
  const { data, error } = useSpotOrders()
  if (me === undefined) return <Visitor market={market} />
  return (
    <DeskOrders
      market={market}
      orders={data}
      error={error}
      history="/entrust?product=spot&tab=history"
      none={t('orders.noneOpen')}
      running={<RunningAlgos product="spot" />}
      cancelAll={cancelAll}
    >
      {(orders) => <OrderList orders={orders} />}
    </DeskOrders>
  )
}

/** The balances of the market's coins. */
export function Account({ market, config }: { readonly market: WireMarket; readonly config: WireConfig }) {
  const { t } = useTranslation()
  const me = useMe()
  const query = useBalances()
  if (me === undefined) return <Visitor market={market} />
  if (query.data === undefined) return query.error === null ? <RowsSkeleton rows={2} /> : <Failure error={query.error} isSmall />
  const balances = query.data.accounts.find((account) => account.kind === 'spot')?.balances ?? []
  return (
    <div className="flex flex-col pt-2">
      {[market.base, market.quote].map((asset) => {
        const balance = balances.find((one) => one.asset === asset)
        const coin = config.assets.find(({ symbol }) => symbol === asset)
        return (
          <div key={asset} className="flex min-h-14 items-center gap-3 px-4 py-1">
            <Coin asset={asset} size={28} />
            <span className="flex min-w-0 flex-1 flex-col">
              <span className="flex items-center justify-between gap-3">
                <span className="text-15 font-medium">{asset}</span>
                <span className="flex flex-col items-end">
                  <Amount value={balance?.available ?? '0'} asset={asset} isBare className="text-15" />
                  <span className="text-11 text-fg3">
                    {t('assets.held')} <Amount value={balance?.held ?? '0'} asset={asset} isBare />
                  </span>
                </span>
              </span>
              {coin !== undefined && <CostLine asset={coin} />}
            </span>
          </div>
        )
      })}
      <div className="flex gap-2 px-4 pt-2">
        {config.faucet.some((one) => one.asset === market.quote) && <FaucetButton asset={market.quote} />}
        <ButtonLink to="/property" variant="soft" size="medium" className="flex-1">
          {t('orders.allAssets')}
        </ButtonLink>
      </div>
    </div>
  )
}

function Visitor({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  return <LoginFirst text={t('orders.loginFirst')} next={`/spot?symbol=${market.symbol}`} />
}
