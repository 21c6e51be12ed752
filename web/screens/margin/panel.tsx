import type { WireMarginAccount } from '@candor/core/protocol/wire/margin.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Suspense, useEffect, useState } from 'react'
import { client } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { usePlace } from '../../app/location.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { Coin } from '../../parts/funds/coin.tsx'
import { Endless } from '../../parts/lists/endless.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { margin } from '../../parts/margin/api.ts'
import type { MarginMode } from '../../parts/margin/data.ts'
import { useKeptFocus } from '../../parts/order/kept-focus.ts'
import { DeskOrders } from '../../parts/order/desk-orders.tsx'
import { OrderList } from '../../parts/order/order-list.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { Tabs } from '../../parts/ui/tabs.tsx'
import { later } from '../../parts/ui/later.tsx'
import { useOpenOrders } from '../../parts/order/own-orders.ts'
import { DeskTour } from '../../parts/tour/later.tsx'
import type { CancelAll } from '../../parts/order/use-cancel-all.ts'
import { marginQuote } from '../../parts/margin/quote.ts'
import { DeskKeys } from '../../parts/shortcuts/desk-keys.tsx'
import { usePanelKeys } from '../../parts/shortcuts/use-panel-keys.ts'

const Liquidations = later(() => import('../../parts/margin/liquidations.tsx').then((module) => module.Liquidations))

/** For wide windows. */
const Tables = later(() => import('../../parts/terminal/tables/margin-panel.tsx').then((module) => module.MarginPanel))

const tabs = ['account', 'orders', 'loans', 'liquidations'] as const
type Tab = (typeof tabs)[number]

const cancelAll: CancelAll = (symbol) => client.spot.cancelAll(symbol, 'margin')

type PanelProps = {
  readonly market: WireMarket
  readonly mode: MarginMode
  readonly account: WireMarginAccount | undefined
  readonly error: unknown
}

/** The panel below the ticket, or in a pane of a wide window. */
export function Panel(props: PanelProps) {
  const { market, mode, account, error } = props
  const { t } = useTranslation()
  const { query } = usePlace()
  const asked = tabs.find((one) => one === query.get('tab'))
  const orders = useOpenOrders().data?.filter((order) => order.margin !== undefined)
  usePanelKeys({ market, home: '/lever', quote: marginQuote, count: orders?.length ?? 0, cancelAll })
  if (!useIsWide()) return <PhonePanel {...props} asked={asked} />
  return (
    <Suspense fallback={<RowsSkeleton rows={2} />}>
      <Tables
        {...{ market, account, error, cancelAll, asked }}
        links={<Links market={market} mode={mode} />}
        visitor={<LoginFirst text={t('loans.loginFirst')} next={`/lever?symbol=${market.symbol}`} />}
        more={[
          { value: 'loans', label: t('loans.title'), content: <Loans market={market} mode={mode} /> },
          {
            value: 'liquidations',
            label: t('loans.liquidations.title'),
            content: (
              <Suspense fallback={<RowsSkeleton rows={2} />}>
                <Liquidations />
              </Suspense>
            ),
          },
        ]}
      />
    </Suspense>
  )
}

/** The account's assets and debts, open orders, and history of loans. */
function PhonePanel({ market, mode, account, error, asked }: PanelProps & { readonly asked: Tab | undefined }) {
  const { t } = useTranslation()
  const me = useMe()
  const section = useKeptFocus()
  const [tab, setTab] = useState<Tab>(asked ?? 'account')
  useEffect(() => {
    if (asked === undefined) return
    setTab(asked)
    section.current?.scrollIntoView()
  }, [asked])
  const orders = useOpenOrders().data?.filter((order) => order.margin !== undefined)
  const names: Readonly<Record<Tab, string>> = {
    account: t('margin.accountTab'),
    orders: t('orders.open'),
    loans: t('loans.title'),
    liquidations: t('loans.liquidations.title'),
  }
  return (
    <section ref={section} className="mt-5 flex min-h-80 flex-col">
      <Tabs
        label={t('orders.panel')}
        value={tab}
        onChange={setTab}
        choices={[
          { value: 'account', label: names.account },
          { value: 'orders', label: names.orders, count: orders?.length },
          { value: 'loans', label: names.loans },
          { value: 'liquidations', label: names.liquidations },
        ]}
      />
      <div role="tabpanel" aria-label={names[tab]}>
        {me === undefined ? (
          <LoginFirst text={t('loans.loginFirst')} next={`/lever?symbol=${market.symbol}`} />
        ) : (
          <>
            {tab === 'account' && <Holdings market={market} mode={mode} account={account} error={error} />}
            {tab === 'orders' && <Orders market={market} />}
            {tab === 'loans' && <Loans market={market} mode={mode} />}
            {tab === 'liquidations' && (
              <Suspense fallback={<RowsSkeleton rows={2} />}>
                <Liquidations />
              </Suspense>
            )}
          </>
        )}
      </div>
      <DeskTour desk="margin" />
      <DeskKeys />
    </section>
  )
}

/** The pair's coins; for a cross account also its other assets and debts. */
function Holdings({ market, mode, account, error }: PanelProps) {
  const { t } = useTranslation()
  const format = useFormats()
  if (account === undefined) return error === null ? <RowsSkeleton rows={2} /> : <Failure error={error} isSmall />
  const isUsed = (one: WireMarginAccount['balances'][number]): boolean =>
    Number(one.available) + Number(one.held) + Number(one.borrowed) + Number(one.interest) > 0
  const shown = account.balances
    .filter((one) => one.asset === market.base || one.asset === market.quote || isUsed(one))
    .sort((a, b) => Number(isUsed(b)) - Number(isUsed(a)))
  return (
    <div className="flex flex-col">
      {shown.map((one) => (
        <article key={one.asset} aria-label={one.asset} className="flex flex-col gap-2 border-b border-line px-4 py-3">
          <div className="flex flex-wrap items-center gap-x-2">
            <Coin asset={one.asset} size={24} />
            <h2 className="flex-1 text-15 font-semibold">{one.asset}</h2>
            <span className="text-12 text-fg2">
              {t('loans.hourlyRate')} <span className="tn text-fg">{format.percent(one.hourlyRate, 4)}</span>
            </span>
          </div>
          <dl className="grid grid-cols-3 gap-x-3 gap-y-2 text-12 [&_dd]:truncate [&_dt]:text-11 [&_dt]:text-fg3">
            {(['available', 'held', 'borrowed', 'interest', 'borrowable'] as const).map((name) => (
              <div key={name} className="min-w-0">
                <dt>{t(`margin.${name}`)}</dt>
                <dd>
                  <Amount value={one[name]} asset={one.asset} isBare />
                </dd>
              </div>
            ))}
          </dl>
        </article>
      ))}
      <div className="flex flex-wrap gap-2 px-4 pt-3">
        <Links market={market} mode={mode} />
      </div>
    </div>
  )
}

/** Ways to move coins into the account, and to lend them. */
function Links({ market, mode }: { readonly market: WireMarket; readonly mode: MarginMode }) {
  const { t } = useTranslation()
  return (
    <>
      <ButtonLink
        to={`/transfer?from=${mode === 'cross' ? 'margin-cross' : 'margin-isolated'}&to=spot&symbol=${market.symbol}`}
        variant="soft"
        size="medium"
        className="flex-1"
      >
        {t('margin.transfer')}
      </ButtonLink>
      <ButtonLink to="/lend" variant="soft" size="medium" className="flex-1">
        {t('margin.lending')}
      </ButtonLink>
    </>
  )
}

function Orders({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const { data, error } = useOpenOrders()
  return (
    <DeskOrders
      market={market}
      orders={data?.filter((order) => order.margin !== undefined)}
      error={error}
      history="/entrust?product=spot&tab=history"
      none={t('loans.noAccountOrders')}
      cancelAll={cancelAll}
      endsTwaps={false}
    >
      {(orders) => <OrderList orders={orders} />}
    </DeskOrders>
  )
}

/** All changes of the account's debts, newest first. */
function Loans({ market, mode }: { readonly market: WireMarket; readonly mode: MarginMode }) {
  const { t } = useTranslation()
  const format = useFormats()
  return (
    <Endless
      key={mode}
      queryKey={['own', 'margin', 'loans', mode, market.symbol]}
      page={(before) =>
        margin.loans({ limit: 50, ...(before === undefined ? {} : { before }), ...(mode === 'isolated' ? { symbol: market.symbol } : {}) })
      }
      empty={<Empty text={t('loans.none')} />}
    >
      {(items) => (
        <ul>
          {items.map((one) => (
            <li key={one.id} className="flex min-h-15 items-center gap-3 px-4 py-2">
              <Coin asset={one.asset} size={28} />
              <span className="flex min-w-0 flex-1 flex-col">
                <span className="text-13 font-medium">{t(`loans.cause.${one.cause}`)}</span>
                <span className="tn text-11 text-fg3">
                  <time dateTime={new Date(one.time).toISOString()}>{format.dateTime(one.time)}</time>
                  {one.symbol !== undefined && ` · ${one.symbol}`}
                </span>
              </span>
              <span className="flex flex-col items-end">
                <Amount value={one.amount} asset={one.asset} className="text-13 font-medium" />
                <span className="text-11 text-fg3">
                  {t('loans.owed')} <Amount value={(Number(one.principal) + Number(one.interest)).toFixed(8)} asset={one.asset} isBare />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Endless>
  )
}
