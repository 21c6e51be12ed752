/** Findings of surveillance, and the reports of the days that have them. */
import type { Finding, FindingKind, ReportDay, Surveillance } from '@candor/core/protocol/wire/console/surveillance.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { countOf, timeOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Choice } from '../../parts/fields.tsx'
import { SaveAll } from '../../parts/save-table.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { Badge, Button, Card, Empty, Failed, More, Skeleton } from '../../parts/ui.tsx'
import { Parties, StateBadge } from './finding.tsx'
import { askedOf, type Filter, findingsQuery, reportsQuery } from './queries.ts'

const words = t.surveillance
const any = 'all'

export function SurveillancePage(): ReactNode {
  const filter: Filter = useSearch({ strict: false })
  const { data, error, refetch } = useQuery(reportsQuery)
  return (
    <div className="page">
      <div className="page-head">
        <h1>{words.title}</h1>
        <span className="fg2">{words.text}</span>
      </div>
      {data !== undefined && data.due.length > 0 && <Due days={data.due} />}
      <Findings filter={filter} reports={data?.days ?? []} />
      {data !== undefined ? <Days {...data} /> : error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Skeleton />}
    </div>
  )
}

function Due({ days }: { readonly days: readonly string[] }): ReactNode {
  return (
    <p className="fg2" role="status">
      <Badge tone="warn">{words.due(days)}</Badge> {words.dueText}
    </p>
  )
}

function Findings({ filter, reports }: { readonly filter: Filter; readonly reports: readonly ReportDay[] }): ReactNode {
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(findingsQuery(filter))
  const rows = data?.pages.flatMap(({ findings }) => findings) ?? []
  const hasNone = rows.length === 0
  return (
    <Card
      title={<Filters filter={filter} reports={reports} />}
      action={<SaveAll path="/surveillance/files/findings" name="surveillance-findings" title={words.findings} filter={askedOf(filter)} />}
    >
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <Skeleton rows={6} />
      ) : hasNone ? (
        <Empty title={words.findingsNone} text={words.findingsNoneText} />
      ) : (
        <DataTable label={words.findings} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      <More hasMore={hasNextPage} isBusy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
    </Card>
  )
}

function Filters({ filter, reports }: { readonly filter: Filter; readonly reports: readonly ReportDay[] }): ReactNode {
  const navigate = useNavigate()
  const choose = (name: keyof Filter, value: string): void => {
    const { [name]: _, ...rest } = filter
    const isAll = value === any && name !== 'state'
    void navigate({ to: '/surveillance', search: isAll ? rest : ({ ...rest, [name]: value } as Filter), replace: true })
  }
  const optionsOf = (all: string, names: Readonly<Record<string, string>>) => [
    { value: any, label: all },
    ...Object.entries(names).map(([value, label]) => ({ value, label })),
  ]
  return (
    <span className="line wrap">
      <Choice
        isBare
        label={words.state}
        value={filter.state ?? 'open'}
        options={optionsOf(words.all, words.states)}
        onChoose={(value) => choose('state', value)}
      />
      <Choice
        isBare
        label={words.kind}
        value={filter.kind ?? any}
        options={optionsOf(words.allKinds, words.kinds)}
        onChoose={(value) => choose('kind', value)}
      />
      <Choice
        isBare
        label={words.day}
        value={filter.day ?? any}
        options={optionsOf(words.allDays, Object.fromEntries(daysOf(filter, reports).map((day) => [day, day])))}
        onChoose={(value) => choose('day', value)}
      />
      {filter.uid !== undefined && <Badge tone="brand">{words.onlyOf(filter.uid)}</Badge>}
      {Object.keys(filter).length > 0 && (
        <Button look="quiet" size="small" onClick={() => void navigate({ to: '/surveillance' })}>
          {words.clear}
        </Button>
      )}
    </span>
  )
}

/** The days of the reports, and the chosen one even if its report is older. */
const daysOf = ({ day }: Filter, reports: readonly ReportDay[]): readonly string[] => [
  ...new Set([...(day === undefined ? [] : [day]), ...reports.map((report) => report.day)]),
]

const columns: readonly Column<Finding>[] = [
  {
    id: 'kind',
    header: words.kind,
    by: ({ kind }) => kind,
    cell: ({ id, kind }) => (
      <Link to="/surveillance/$id" params={{ id }} preload={false}>
        <b>{words.kinds[kind]}</b>
      </Link>
    ),
  },
  { id: 'day', header: words.day, by: ({ day }) => day, cell: ({ day }) => <span className="tn">{day}</span> },
  { id: 'market', header: words.market, by: ({ market }) => market ?? '', cell: ({ market }) => market ?? '' },
  { id: 'accounts', header: words.accounts, cell: ({ parties }) => <Parties parties={parties} max={2} /> },
  { id: 'seen', header: words.seen, cell: ({ text }) => <span className="seen fg2">{text}</span> },
  {
    id: 'state',
    header: words.state,
    isEnd: true,
    by: (finding) => finding.settled?.verdict ?? '',
    cell: (finding) => <StateBadge of={finding} />,
  },
]

function Days({ days }: Surveillance): ReactNode {
  if (days.length === 0)
    return (
      <Card title={words.reports}>
        <Empty title={words.noReports} text={words.noReportsText} />
      </Card>
    )
  return (
    <Sheet
      {...{ title: words.reports, text: words.reportsText, columns: dayColumns, rows: days, file: '/surveillance/files/days' }}
      keyOf={({ day }) => day}
      empty={words.noReports}
    />
  )
}

const kinds = Object.keys(words.kinds) as readonly FindingKind[]

const numbers = (id: string, header: string, of: (row: ReportDay) => number): Column<ReportDay> => ({
  ...{ id, header, isEnd: true, by: of },
  cell: (row) => (of(row) === 0 ? <span className="fg3">{words.none}</span> : <span className="tn">{countOf(of(row))}</span>),
})

const dayColumns: readonly Column<ReportDay>[] = [
  {
    id: 'day',
    header: words.day,
    by: ({ day }) => day,
    cell: ({ day }) => (
      <Link to="/surveillance" search={{ day, state: 'all' }} className="tn unbroken">
        {day}
      </Link>
    ),
  },
  ...kinds.map((kind) => numbers(kind, words.kinds[kind], ({ counts }) => counts[kind] ?? 0)),
  numbers('open', words.stillOpen, ({ open }) => open),
  {
    id: 'examined',
    header: words.examined,
    cell: ({ examined: { trades, orders, contracts, atLimit = [] }, madeAt }) => (
      <>
        <span className="tn fg2" title={timeOf(madeAt)}>
          {words.examinedOf(countOf(trades), countOf(orders), countOf(contracts))}
        </span>
        {atLimit.length > 0 && (
          <div className="fg2" title={words.atLimitText}>
            <Badge tone="warn">{words.atLimit}</Badge> {words.atLimitOf(atLimit)}
          </div>
        )}
      </>
    ),
  },
]
