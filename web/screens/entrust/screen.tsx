import type { WireFill, WireOrder } from '@candor/core/protocol/wire/spot.ts'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { client, queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useMe } from '../../app/session.ts'
import { ButtonLink, IconButton } from '../../parts/button.tsx'
import { Endless } from '../../parts/endless.tsx'
import { CancelAllButton, OrderList } from '../../parts/order/order-list.tsx'
import { PairFilter } from '../../parts/order/pair-filter.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Pull } from '../../parts/pull.tsx'
import { RowsSkeleton } from '../../parts/skeleton.tsx'
import { Empty, Failure } from '../../parts/state.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { toast } from '../../parts/toast.tsx'
import { problemOf } from '../../app/problem.ts'
import { useOpenOrders } from '../spot/own-orders.ts'
import { exportFills, exportOrders } from './export.ts'
import { FillRow, HistoryRow } from './rows.tsx'
import { OrderSheet } from './order-sheet.tsx'

type Tab = 'open' | 'history' | 'fills'

/** The person's spot orders: open ones, closed ones, and every fill. */
export function Screen() {
  const { t } = useTranslation()
  const me = useMe()
  const [tab, setTab] = useState<Tab>('open')
  const [symbol, setSymbol] = useState('')
  const [detail, setDetail] = useState<string>()
  const open = useOpenOrders()
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: ['own', 'orders'] })}>
      <PageHeader title={t('orders.title')} fallback="/spot">
        {me !== undefined && tab !== 'open' && <ExportButton tab={tab} symbol={symbol} />}
      </PageHeader>
      {me === undefined ? (
        <Empty text={t('orders.loginFirst')}>
          <ButtonLink to="/login?next=/entrust" variant="soft" size="small">
            {t('trade.login')}
          </ButtonLink>
        </Empty>
      ) : (
        <>
          <Tabs
            label={t('orders.title')}
            value={tab}
            onChange={setTab}
            choices={[
              { value: 'open', label: t('orders.open'), count: open.data?.length },
              { value: 'history', label: t('orders.history') },
              { value: 'fills', label: t('orders.fills') },
            ]}
          />
          <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-2 px-4">
            <PairFilter value={symbol} onChange={setSymbol} />
            {tab === 'open' && (open.data?.length ?? 0) > 0 && <CancelAll symbol={symbol} />}
          </div>
          <div role="tabpanel" aria-label={t(`orders.${tab}`)}>
            {tab === 'open' && <Open symbol={symbol} />}
            {tab === 'history' && <History key={symbol} symbol={symbol} onOpen={setDetail} />}
            {tab === 'fills' && <Fills key={symbol} symbol={symbol} onOpen={setDetail} />}
          </div>
          {detail !== undefined && <OrderSheet id={detail} onClose={() => setDetail(undefined)} />}
        </>
      )}
    </Pull>
  )
}

function CancelAll({ symbol }: { readonly symbol: string }) {
  const orders = (useOpenOrders().data ?? []).filter((order) => symbol === '' || order.symbol === symbol)
  return orders.length === 0 ? null : <CancelAllButton {...(symbol === '' ? {} : { symbol })} count={orders.length} />
}

function Open({ symbol }: { readonly symbol: string }) {
  const { t } = useTranslation()
  const query = useOpenOrders()
  if (query.data === undefined)
    return query.error === null ? <RowsSkeleton /> : <Failure error={query.error} onRetry={() => void query.refetch()} />
  const orders = query.data.filter((order) => symbol === '' || order.symbol === symbol)
  return orders.length === 0 ? <NothingYet text={t('orders.noneOpen')} /> : <OrderList orders={orders} />
}

type ListProps = { readonly symbol: string; readonly onOpen: (id: string) => void }

function History({ symbol, onOpen }: ListProps) {
  const { t } = useTranslation()
  return (
    <Endless<WireOrder>
      queryKey={['own', 'orders', 'history', symbol]}
      page={(before) =>
        client.spot.history({ ...(symbol === '' ? {} : { symbol }), ...(before === undefined ? {} : { before }), limit: 30 })
      }
      empty={<NothingYet text={t('orders.noneClosed')} />}
    >
      {(orders) => (
        <ul>
          {orders.map((order) => (
            <li key={order.id} className="border-b border-line last:border-0">
              <HistoryRow order={order} onOpen={() => onOpen(order.id)} />
            </li>
          ))}
        </ul>
      )}
    </Endless>
  )
}

function Fills({ symbol, onOpen }: ListProps) {
  const { t } = useTranslation()
  return (
    <Endless<WireFill>
      queryKey={['own', 'orders', 'fills', symbol, 'all']}
      page={(before) => client.spot.fills({ ...(symbol === '' ? {} : { symbol }), ...(before === undefined ? {} : { before }), limit: 50 })}
      empty={<NothingYet text={t('orders.noFills')} />}
    >
      {(fills) => (
        <ul>
          {fills.map((fill) => (
            <li key={`${fill.symbol}-${fill.tradeId}-${fill.role}`} className="border-b border-line last:border-0">
              <FillRow fill={fill} onOpen={() => onOpen(fill.orderId)} />
            </li>
          ))}
        </ul>
      )}
    </Endless>
  )
}

function NothingYet({ text }: { readonly text: string }) {
  const { t } = useTranslation()
  return (
    <Empty text={text}>
      <ButtonLink to="/spot" variant="soft" size="small">
        {t('orders.toTrade')}
      </ButtonLink>
    </Empty>
  )
}

function ExportButton({ tab, symbol }: { readonly tab: 'history' | 'fills'; readonly symbol: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [isBusy, setIsBusy] = useState(false)
  const run = async (): Promise<void> => {
    setIsBusy(true)
    try {
      await (tab === 'history' ? exportOrders(symbol, t, format) : exportFills(symbol, t, format))
    } catch (error) {
      toast({ text: problemOf(error, t).text, tone: 'bad' })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <IconButton label={t('orders.export')} disabled={isBusy} onClick={() => void run()}>
      <Download size={20} strokeWidth={1.75} aria-hidden className={isBusy ? 'animate-pulse' : ''} />
    </IconButton>
  )
}
