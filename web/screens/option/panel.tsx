import { useQuery } from '@tanstack/react-query'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { type ComponentType, useState } from 'react'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { option, useOpenOptions } from '../../parts/option/data.ts'
import { RunningList } from '../../parts/option/running-list.tsx'
import { SettledRow } from '../../parts/option/settled-row.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { Tabs } from '../../parts/ui/tabs.tsx'
import { DeskTour } from '../../parts/tour/later.tsx'

type Tab = 'current' | 'history'

export type ListProps = { readonly orders: readonly WireOption[]; readonly onOpen: (id: string) => void }

/** How orders are shown. */
export type Lists = { readonly Running: ComponentType<ListProps>; readonly Settled: ComponentType<ListProps> }

const rows: Lists = { Running: RunningList, Settled: SettledRows }

type PanelProps = { readonly onOpen: (id: string) => void; readonly lists?: Lists }

/** The panel below the ticket: running orders, and the last settled ones. */
export function Panel({ onOpen, lists = rows }: PanelProps) {
  const { t } = useTranslation()
  const me = useMe()
  const [tab, setTab] = useState<Tab>('current')
  const open = useOpenOptions()
  return (
    <section className="mt-5 flex min-h-64 flex-col">
      <Tabs
        label={t('settled.panel')}
        value={tab}
        onChange={setTab}
        choices={[
          { value: 'current', label: t('settled.tab.current'), count: open.data?.length },
          { value: 'history', label: t('settled.tab.history') },
        ]}
      />
      <div role="tabpanel" aria-label={t(`settled.tab.${tab}`)}>
        {me === undefined ? (
          <LoginFirst text={t('settled.loginFirst')} next="/Second" />
        ) : tab === 'current' ? (
          <Running onOpen={onOpen} lists={lists} />
        ) : (
          <Settled onOpen={onOpen} lists={lists} />
        )}
      </div>
      <DeskTour desk="option" />
    </section>
  )
}

function Running({ onOpen, lists: { Running: List } }: Required<PanelProps>) {
  const { t } = useTranslation()
  const query = useOpenOptions()
  if (query.data === undefined)
    return query.error === null ? <RowsSkeleton rows={2} /> : <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
  return query.data.length === 0 ? <Empty text={t('settled.noneRunning')} /> : <List orders={query.data} onOpen={onOpen} />
}

function Settled({ onOpen, lists: { Settled: List } }: Required<PanelProps>) {
  const { t } = useTranslation()
  const query = useQuery({ queryKey: ['own', 'orders', 'option', 'history', 'last'], queryFn: () => option.history({ limit: 10 }) })
  if (query.data === undefined)
    return query.error === null ? <RowsSkeleton rows={3} /> : <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
  if (query.data.items.length === 0) return <Empty text={t('settled.noneSettled')} />
  return (
    <>
      <List orders={query.data.items} onOpen={onOpen} />
      <a href="#/optionentrust?tab=history" className="flex min-h-11 items-center justify-center text-13 font-medium text-brand">
        {t('settled.all')}
      </a>
    </>
  )
}

function SettledRows({ orders, onOpen }: ListProps) {
  return (
    <ul className="flex flex-col">
      {orders.map((order) => (
        <li key={order.id} className="border-b border-line last:border-0">
          <SettledRow order={order} onOpen={() => onOpen(order.id)} />
        </li>
      ))}
    </ul>
  )
}
