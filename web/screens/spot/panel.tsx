import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useBalances } from '../../app/account.ts'
import { client } from '../../app/client.ts'
import { useMe } from '../../app/session.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { Coin } from '../../parts/funds/coin.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { FaucetButton } from '../../parts/funds/faucet-button.tsx'
import { DeskOrders } from '../../parts/order/desk-orders.tsx'
import { OrderList } from '../../parts/order/order-list.tsx'
import { TradeList } from '../../parts/order/trade-list.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { Tabs } from '../../parts/ui/tabs.tsx'
import { useSpotOrders } from '../../parts/order/own-orders.ts'

type Tab = 'orders' | 'trades' | 'assets'

/** The panel below the ticket: open orders, trades and assets. */
export function Panel({ market, config }: { readonly market: WireMarket; readonly config: WireConfig }) {
  const { t } = useTranslation()
  const [tab, setTab] = useState<Tab>('orders')
  const orders = useSpotOrders()
  return (
    <section className="mt-5 flex min-h-80 flex-col">
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
        {tab === 'assets' && <Holdings market={market} config={config} />}
      </div>
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
      cancelAll={(symbol) => client.spot.cancelAll(symbol, 'spot')}
    >
      {(orders) => <OrderList orders={orders} />}
    </DeskOrders>
  )
}

function Holdings({ market, config }: { readonly market: WireMarket; readonly config: WireConfig }) {
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
        return (
          <div key={asset} className="flex min-h-14 items-center gap-3 px-4">
            <Coin asset={asset} size={28} />
            <span className="flex-1 text-15 font-medium">{asset}</span>
            <span className="flex flex-col items-end">
              <Amount value={balance?.available ?? '0'} className="text-15" />
              <span className="text-11 text-fg3">
                {t('assets.held')} <Amount value={balance?.held ?? '0'} />
              </span>
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
