import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useBalances } from '../../app/account.ts'
import { useMe } from '../../app/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Coin } from '../../parts/coin.tsx'
import { Amount } from '../../parts/figure.tsx'
import { FaucetButton } from '../../parts/order/faucet-button.tsx'
import { CancelAllButton, OrderList } from '../../parts/order/order-list.tsx'
import { TradeList } from '../../parts/order/trade-list.tsx'
import { RowsSkeleton } from '../../parts/skeleton.tsx'
import { Empty, Failure } from '../../parts/state.tsx'
import { Chip, Tabs } from '../../parts/tabs.tsx'
import { useOpenOrders } from './own-orders.ts'

type Tab = 'orders' | 'trades' | 'assets'

/** Below the ticket: what is open, what trades, what is there. */
export function Panel({ market, config }: { readonly market: WireMarket; readonly config: WireConfig }) {
  const { t } = useTranslation()
  const [tab, setTab] = useState<Tab>('orders')
  const orders = useOpenOrders()
  return (
    <section className="mt-5 flex min-h-80 flex-col">
      <Tabs
        label={t('trade.panel')}
        value={tab}
        onChange={setTab}
        choices={[
          { value: 'orders', label: t('orders.open'), count: orders.data?.length },
          { value: 'trades', label: t('trade.trades') },
          { value: 'assets', label: t('trade.assets') },
        ]}
      />
      <div role="tabpanel" aria-label={t(`trade.tab.${tab}`)}>
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
  const query = useOpenOrders()
  const [isHere, setIsHere] = useState(false)
  if (me === undefined) return <LoginFirst market={market} />
  if (query.data === undefined) return query.error === null ? <RowsSkeleton rows={2} /> : <Failure error={query.error} isSmall />
  const shown = isHere ? query.data.filter((order) => order.symbol === market.symbol) : query.data
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-2 px-4 pt-2">
        <Chip isOn={isHere} onClick={() => setIsHere(!isHere)}>
          {t('orders.onlyPair', { pair: `${market.base}/${market.quote}` })}
        </Chip>
        <span className="ms-auto flex flex-wrap items-center justify-end gap-x-3">
          <a href="#/entrust" className="flex min-h-8 items-center text-13 font-medium text-brand">
            {t('orders.history')}
          </a>
          {shown.length > 0 && <CancelAllButton {...(isHere ? { symbol: market.symbol } : {})} count={shown.length} />}
        </span>
      </div>
      {shown.length === 0 ? <Empty text={t('orders.noneOpen')} /> : <OrderList orders={shown} />}
    </>
  )
}

function Holdings({ market, config }: { readonly market: WireMarket; readonly config: WireConfig }) {
  const { t } = useTranslation()
  const me = useMe()
  const query = useBalances()
  if (me === undefined) return <LoginFirst market={market} />
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
          {t('trade.allAssets')}
        </ButtonLink>
      </div>
    </div>
  )
}

function LoginFirst({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  return (
    <Empty text={t('orders.loginFirst')}>
      <ButtonLink to={`/login?next=/spot?symbol=${market.symbol}`} variant="soft" size="small">
        {t('trade.login')}
      </ButtonLink>
    </Empty>
  )
}
