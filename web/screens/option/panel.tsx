import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { option, useOpenOptions } from '../../parts/option/data.ts'
import { RunningList } from '../../parts/option/running-list.tsx'
import { SettledRow } from '../../parts/option/settled-row.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { Tabs } from '../../parts/ui/tabs.tsx'

type Tab = 'current' | 'history'

/** The panel below the ticket: running orders, and the last settled ones. */
export function Panel({ onOpen }: { readonly onOpen: (id: string) => void }) {
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
          <Running onOpen={onOpen} />
        ) : (
          <Settled onOpen={onOpen} />
        )}
      </div>
    </section>
  )
}

type ListProps = { readonly onOpen: (id: string) => void }

function Running({ onOpen }: ListProps) {
  const { t } = useTranslation()
  const query = useOpenOptions()
  if (query.data === undefined)
    return query.error === null ? <RowsSkeleton rows={2} /> : <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
  return query.data.length === 0 ? <Empty text={t('settled.noneRunning')} /> : <RunningList orders={query.data} onOpen={onOpen} />
}

function Settled({ onOpen }: ListProps) {
  const { t } = useTranslation()
  const query = useQuery({ queryKey: ['own', 'orders', 'option', 'history', 'last'], queryFn: () => option.history({ limit: 10 }) })
  if (query.data === undefined)
    return query.error === null ? <RowsSkeleton rows={3} /> : <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
  if (query.data.items.length === 0) return <Empty text={t('settled.noneSettled')} />
  return (
    <>
      <ul className="flex flex-col">
        {query.data.items.map((order) => (
          <li key={order.id} className="border-b border-line last:border-0">
            <SettledRow order={order} onOpen={() => onOpen(order.id)} />
          </li>
        ))}
      </ul>
      <a href="#/optionentrust?tab=history" className="flex min-h-11 items-center justify-center text-13 font-medium text-brand">
        {t('settled.all')}
      </a>
    </>
  )
}
