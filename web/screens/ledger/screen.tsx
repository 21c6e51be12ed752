import type { RecordType, WireRecord } from '@candor/core/protocol/wire/funds.ts'
import { SlidersHorizontal } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'
import { client, queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { usePlace } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { Endless } from '../../parts/lists/endless.tsx'
import { ExportButton } from '../../parts/lists/export-button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, LoginFirst } from '../../parts/ui/state.tsx'
import { Chip } from '../../parts/ui/tabs.tsx'
import { type ChainKind, isChainKind } from './chain-kind.ts'
import { exportRecords } from './export.ts'
import { type Filter, filterOf, hiddenLimits, queryOf } from './filter.ts'
import { MonthList } from './month-list.tsx'
import { RecordRow, RecordSheet } from './record.tsx'
import { RecordTable } from './record-table.tsx'
import { useChosen } from '../../parts/wide/use-chosen.ts'
import { later, laterSheet } from '../../parts/ui/later.tsx'

const FilterSheet = laterSheet(() => import('./filter-sheet.tsx').then((module) => module.FilterSheet))

// Most people look at all records first.
const ChainRecords = later(async () => (await import('./chain-records.tsx')).ChainRecords)

/** Types with a chip of their own. The filter has all of them. */
const usual: readonly RecordType[] = ['deposit', 'withdrawal', 'transfer', 'convert', 'trade', 'fee', 'interest', 'referral', 'faucet']

/** All movements of the user's money by month, newest first. */
export function Screen() {
  const { t } = useTranslation()
  const me = useMe()
  const { query } = usePlace()
  if (me === undefined) {
    return (
      <>
        <PageHeader title={t('records.title')} fallback="/property" />
        <LoginFirst text={t('records.loginFirst')} next="/propertyRecord" />
      </>
    )
  }
  // Another link to this screen sets its filter anew.
  const filter = new URLSearchParams(query)
  filter.delete('record')
  return <Records key={filter.toString()} start={filterOf(query)} />
}

function Records({ start }: { readonly start: Filter }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [filter, setFilter] = useState(start)
  const [detail, setDetail] = useChosen('record')
  const isWide = useIsWide()
  const { type } = filter
  const wanted = queryOf(filter)
  const exportChain = async (kind: ChainKind): Promise<void> =>
    (await import('./chain-records.tsx')).exportChainRecords(kind, wanted, t, format)
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: ['own', 'balances'] })}>
      <PageHeader title={t('records.title')} fallback="/property">
        <ExportButton label={t('orders.export')} save={() => (isChainKind(type) ? exportChain(type) : exportRecords(wanted, t, format))} />
      </PageHeader>
      <FilterRow filter={filter} onChange={setFilter} />
      {isChainKind(type) ? (
        <Suspense fallback={<RowsSkeleton rows={6} />}>
          <ChainRecords key={type} kind={type} query={wanted} />
        </Suspense>
      ) : (
        <Endless<WireRecord>
          key={JSON.stringify(filter)}
          queryKey={['own', 'balances', 'records', wanted]}
          page={(before) => client.funds.records({ ...wanted, ...(before === undefined ? {} : { before }), limit: 50 })}
          empty={
            <Empty text={Object.keys(wanted).length === 0 ? t('records.none') : t('chains.noneFound')}>
              <ButtonLink to="/property" variant="soft" size="small">
                {t('records.toAssets')}
              </ButtonLink>
            </Empty>
          }
        >
          {(records) => (
            <>
              <MonthList items={records} timeOf={({ time }) => time} query={wanted}>
                {(ofMonth, title) =>
                  isWide ? (
                    <RecordTable records={ofMonth} title={title} current={detail} onOpen={({ id }) => setDetail(id)} />
                  ) : (
                    <ul>
                      {ofMonth.map((record) => (
                        <li key={record.id} className="border-b border-line last:border-0">
                          <RecordRow record={record} onOpen={() => setDetail(record.id)} />
                        </li>
                      ))}
                    </ul>
                  )
                }
              </MonthList>
              <RecordSheet
                record={records.find(({ id }) => id === detail)}
                onList={(kind) => {
                  setFilter(chosen(filter, kind))
                  setDetail(undefined)
                }}
                onClose={() => setDetail(undefined)}
              />
            </>
          )}
        </Endless>
      )}
    </Pull>
  )
}

/** The filter, and chips for the usual types and the one that is chosen. */
function FilterRow({ filter, onChange }: { readonly filter: Filter; readonly onChange: (filter: Filter) => void }) {
  const { t } = useTranslation()
  const [isFiltering, setIsFiltering] = useState(false)
  const { type, asset } = filter
  const isLimited = asset !== '' || hiddenLimits(filter) > 0
  const chips = type === '' || usual.includes(type) ? usual : [type, ...usual]
  return (
    <div className="no-scrollbar flex items-center gap-2 overflow-x-auto px-4 py-2">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setIsFiltering(true)}
        className={`flex min-h-8 shrink-0 items-center gap-1.5 rounded-chip px-2.5 text-12 font-medium ${isLimited ? 'bg-brandtint text-brand' : 'bg-s2 text-fg2'}`}
      >
        <SlidersHorizontal size={14} strokeWidth={1.75} aria-hidden />
        {t('records.filter')}
        {asset !== '' && <span>{asset}</span>}
      </button>
      <Chip isOn={type === ''} onClick={() => onChange({ ...filter, type: '' })}>
        {t('records.all')}
      </Chip>
      {chips.map((one) => (
        <Chip key={one} isOn={type === one} onClick={() => onChange(chosen(filter, type === one ? '' : one))}>
          {t(`records.type.${one}`)}
        </Chip>
      ))}
      <Suspense fallback={null}>
        {isFiltering && <FilterSheet filter={filter} onChange={onChange} onClose={() => setIsFiltering(false)} />}
      </Suspense>
    </div>
  )
}

/** Deposits and withdrawals are of the spot account, so they have no filter for accounts. */
function chosen(filter: Filter, type: Filter['type']): Filter {
  return { ...filter, type, ...(isChainKind(type) ? { account: '' } : {}) }
}
