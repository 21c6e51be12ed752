import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { SlidersHorizontal } from 'lucide-react'
import { Suspense, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { usePlace } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { Endless } from '../../parts/lists/endless.tsx'
import { ExportButton } from '../../parts/lists/export-button.tsx'
import { option, useOpenOptions } from '../../parts/option/data.ts'
import { RunningList } from '../../parts/option/running-list.tsx'
import { SettledRow } from '../../parts/option/settled-row.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { Tabs } from '../../parts/ui/tabs.tsx'
import { laterSheet } from '../../parts/ui/later.tsx'
import { exportOptions } from './export.ts'
import { type Filter, isFiltered, noFilter, queryOf } from './filter.ts'
import { Summary } from './summary.tsx'

const OptionSheet = laterSheet(() => import('../../parts/option/order-sheet.tsx').then((module) => module.OptionSheet))
const FilterSheet = laterSheet(() => import('./filter-sheet.tsx').then((module) => module.FilterSheet))

const tabs = ['current', 'history'] as const
type Tab = (typeof tabs)[number]

/** The user's orders of Second: running ones, settled ones, and the total result. */
export function Screen() {
  const { t } = useTranslation()
  const format = useFormats()
  const me = useMe()
  const open = useOpenOptions()
  const { query } = usePlace()
  const [tab, setTab] = useState<Tab | undefined>(() => tabs.find((one) => one === query.get('tab')))
  const [filter, setFilter] = useState(noFilter)
  const [detail, setDetail] = useState<string>()
  // Without a running order the history opens first.
  const shown = tab ?? (open.data?.length === 0 ? 'history' : 'current')
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: ['own', 'orders', 'option'] })}>
      <PageHeader title={t('option.records')} fallback="/Second">
        {me !== undefined && shown === 'history' && (
          <ExportButton label={t('settled.export')} save={() => exportOptions(queryOf(filter), t, format)} />
        )}
      </PageHeader>
      {me === undefined ? (
        <LoginFirst text={t('settled.loginFirst')} next="/optionentrust" />
      ) : (
        <>
          <Summary />
          <Tabs
            label={t('option.records')}
            value={shown}
            onChange={setTab}
            choices={[
              { value: 'current', label: t('settled.tab.current'), count: open.data?.length },
              { value: 'history', label: t('settled.tab.history') },
            ]}
          />
          <div role="tabpanel" aria-label={t(`settled.tab.${shown}`)}>
            {shown === 'current' ? <Running onOpen={setDetail} /> : <Settled filter={filter} onFilter={setFilter} onOpen={setDetail} />}
          </div>
          <Suspense fallback={null}>{detail !== undefined && <OptionSheet id={detail} onClose={() => setDetail(undefined)} />}</Suspense>
        </>
      )}
    </Pull>
  )
}

function Running({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const { t } = useTranslation()
  const query = useOpenOptions()
  if (query.data === undefined)
    return query.error === null ? <RowsSkeleton rows={3} /> : <Failure error={query.error} onRetry={() => void query.refetch()} />
  return query.data.length === 0 ? <Nothing text={t('settled.noneRunning')} /> : <RunningList orders={query.data} onOpen={onOpen} />
}

function Settled({
  filter,
  onFilter,
  onOpen,
}: {
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
  readonly onOpen: (id: string) => void
}) {
  const { t } = useTranslation()
  const [isFiltering, setIsFiltering] = useState(false)
  return (
    <>
      <div className="flex min-h-12 items-center px-4">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setIsFiltering(true)}
          className={`flex min-h-8 items-center gap-1.5 rounded-chip px-2.5 text-12 font-medium ${isFiltered(filter) ? 'bg-brandtint text-brand' : 'bg-s2 text-fg2'}`}
        >
          <SlidersHorizontal size={14} strokeWidth={1.75} aria-hidden />
          {t('settled.filter')}
        </button>
      </div>
      <Suspense fallback={null}>
        {isFiltering && <FilterSheet filter={filter} onChange={onFilter} onClose={() => setIsFiltering(false)} />}
      </Suspense>
      <Endless<WireOption>
        key={JSON.stringify(filter)}
        queryKey={['own', 'orders', 'option', 'history', filter]}
        page={(before) => option.history({ ...queryOf(filter), ...(before === undefined ? {} : { before }), limit: 30 })}
        empty={<Nothing text={isFiltered(filter) ? t('settled.noneFound') : t('settled.noneSettled')} />}
      >
        {(orders) => (
          <ul>
            {orders.map((order) => (
              <li key={order.id} className="border-b border-line last:border-0">
                <SettledRow order={order} onOpen={() => onOpen(order.id)} />
              </li>
            ))}
          </ul>
        )}
      </Endless>
    </>
  )
}

function Nothing({ text }: { readonly text: string }) {
  const { t } = useTranslation()
  return (
    <Empty text={text}>
      <ButtonLink to="/Second" variant="soft" size="small">
        {t('option.toDesk')}
      </ButtonLink>
    </Empty>
  )
}
