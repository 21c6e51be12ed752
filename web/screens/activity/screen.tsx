import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/activity.ts'
import { type ActivityKind, activityKinds, type WireActivity } from '@candor/core/protocol/wire/activity.ts'
import { ArrowLeftRight, Download, ListOrdered, type LucideIcon, LogIn, SlidersHorizontal, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { http, queries } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { isWarning } from '../../parts/lists/action-words.ts'
import { Endless } from '../../parts/lists/endless.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { Sheet, SummaryRow } from '../../parts/ui/sheet.tsx'
import { Empty, LoginFirst } from '../../parts/ui/state.tsx'
import { Tabs } from '../../parts/ui/tabs.tsx'
import { boundsOf, localStart } from '../../parts/lists/days.ts'
import { useDeedWords } from './words.ts'

const activity = bind(column, http)
const key = ['own', 'activity'] as const
const icons: Readonly<Record<ActivityKind, LucideIcon>> = {
  access: LogIn,
  change: SlidersHorizontal,
  order: ListOrdered,
  funds: ArrowLeftRight,
}

/** The account's activity, with the session or key, network and device of each entry. */
export function Screen() {
  const { t } = useTranslation()
  const isCustomer = useMe() !== undefined
  return (
    <Pull onRefresh={() => queries.invalidateQueries({ queryKey: key })}>
      <PageHeader title={t('activity.title')} fallback="/safety" />
      {isCustomer ? <Deeds /> : <LoginFirst text={t('activity.loginFirst')} next="/activity" />}
    </Pull>
  )
}

function Deeds() {
  const { t } = useTranslation()
  const [kind, setKind] = useState<ActivityKind | 'all'>('all')
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  const [shown, setShown] = useState<WireActivity>()
  const bounds = boundsOf(first, last, localStart)
  const filter = { ...(kind === 'all' ? {} : { kind }), ...bounds }
  const names = {
    all: t('activity.all'),
    access: t('activity.access'),
    change: t('activity.change'),
    order: t('activity.order'),
    funds: t('activity.funds'),
  }
  return (
    <div className="flex flex-col gap-3 pb-8">
      <p className="px-4 text-13 text-fg2">{t('activity.lead')}</p>
      <Tabs
        label={t('activity.title')}
        choices={(['all', ...activityKinds] as const).map((value) => ({ value, label: names[value] }))}
        value={kind}
        onChange={setKind}
      />
      <div className="flex flex-wrap gap-2 px-4">
        <Day label={t('activity.since')} value={first} onChange={setFirst} />
        <Day label={t('activity.until')} value={last} onChange={setLast} />
      </div>
      <div className="flex flex-wrap gap-2 px-4">
        <FileLink format="csv" filter={filter}>
          {t('activity.csv')}
        </FileLink>
        <FileLink format="json" filter={filter}>
          {t('activity.json')}
        </FileLink>
        <p className="text-12 text-pretty text-fg3">{t('activity.fileMax')}</p>
      </div>
      <div role="tabpanel" aria-label={names[kind]}>
        <Endless
          queryKey={[...key, filter]}
          page={(before) => activity.list({ ...filter, ...(before === undefined ? {} : { before }) })}
          empty={<Empty text={t('activity.empty')} icon={<ListOrdered size={22} strokeWidth={1.75} />} />}
        >
          {(items) => (
            <ul className="mx-4 overflow-hidden rounded-card bg-s1 [&>*+*]:border-t [&>*+*]:border-line">
              {items.map((entry, n) => (
                // The log and the commands have numbers of their own, which may be the same.
                <Entry key={`${entry.at}-${entry.seq ?? 'log'}-${n}`} entry={entry} onOpen={() => setShown(entry)} />
              ))}
            </ul>
          )}
        </Endless>
      </div>
      <DetailSheet entry={shown} onClose={() => setShown(undefined)} />
    </div>
  )
}

function Day({ label, value, onChange }: { readonly label: string; readonly value: string; readonly onChange: (day: string) => void }) {
  const id = useId()
  return (
    <div className="flex min-w-32 flex-1 flex-col gap-1">
      <label htmlFor={id} className="text-12 text-fg2">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="tn min-h-11 rounded-control bg-s2 px-3 text-15"
      />
    </div>
  )
}

function FileLink({
  format,
  filter,
  children,
}: {
  readonly format: 'csv' | 'json'
  readonly filter: column.ActivityQuery
  readonly children: ReactNode
}) {
  const query = new URLSearchParams({ format })
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value))
  return (
    <a
      href={`/app/v1/activity/file?${query}`}
      download={`activity.${format}`}
      className="press flex min-h-11 flex-1 items-center justify-center gap-2 rounded-control bg-s2 px-3 text-13 font-medium"
    >
      <Download size={16} strokeWidth={1.75} aria-hidden />
      {children}
    </a>
  )
}

function useOrigin(): (entry: WireActivity) => string {
  const { t } = useTranslation()
  return ({ key: name, device }) => (name === null ? device : t('activity.key', { name }))
}

function Entry({ entry, onOpen }: { readonly entry: WireActivity; readonly onOpen: () => void }) {
  const format = useFormats()
  const words = useDeedWords()
  const originOf = useOrigin()
  const { at, kind, action, symbol, ip } = entry
  const isFailed = isWarning(action)
  const Icon = isFailed ? TriangleAlert : icons[kind]
  return (
    <li>
      <button type="button" onClick={onOpen} className="flex w-full gap-3 px-4 py-3 text-start active:bg-s2">
        <Icon size={20} strokeWidth={1.75} aria-hidden className={`mt-0.5 shrink-0 ${isFailed ? 'text-warn' : 'text-fg3'}`} />
        <span className="min-w-0 flex-1">
          <span className={`block text-15 text-pretty ${isFailed ? 'font-medium text-warn' : ''}`}>
            {words(action)}
            {symbol !== null && <span className="tn">{` ·\u00a0${symbol}`}</span>}
          </span>
          <span className="block text-12 break-words text-fg2">
            {originOf(entry)} · <span className="tn">{ip}</span>
          </span>
          <time dateTime={new Date(at).toISOString()} title={format.utc(at)} className="tn block text-12 text-fg3">
            {format.dateTime(at)}
          </time>
        </span>
      </button>
    </li>
  )
}

function DetailSheet({ entry, onClose }: { readonly entry: WireActivity | undefined; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormats()
  const words = useDeedWords()
  return (
    <Sheet isOpen={entry !== undefined} onClose={onClose} title={entry === undefined ? '' : words(entry.action)}>
      {entry !== undefined && (
        <dl className="pb-2">
          <SummaryRow label={t('activity.time')}>{format.dateTime(entry.at)}</SummaryRow>
          {entry.device !== '' && <SummaryRow label={t('activity.device')}>{entry.device}</SummaryRow>}
          <SummaryRow label={t('activity.network')}>{entry.ip}</SummaryRow>
          {entry.session !== null && (
            <SummaryRow label={entry.isCurrent ? t('activity.here') : t('activity.session')}>{entry.session.slice(0, 8)}</SummaryRow>
          )}
          {entry.key !== null && <SummaryRow label="API">{entry.key}</SummaryRow>}
          {entry.order !== null && <SummaryRow label={t('activity.orderNumber')}>{entry.order}</SummaryRow>}
          {entry.seq !== null && <SummaryRow label={t('activity.seq')}>{String(entry.seq)}</SummaryRow>}
        </dl>
      )}
    </Sheet>
  )
}
