/** Firms: open applications first, and the decisions about what they have by contract. */
import type { ConsoleFirmRow } from '@candor/core/protocol/wire/console/firms.ts'
import type { FirmState } from '@candor/core/protocol/wire/firm/firm.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dateOf, regionOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, Card, Empty, Failed, Skeleton, type Tone } from '../../parts/ui.tsx'
import { OpenDecisions } from '../terms/decisions.tsx'
import { Decide } from './decide.tsx'
import { firmsQuery } from './queries.ts'

export function FirmsPage(): ReactNode {
  const { data, error, refetch } = useQuery(firmsQuery)
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.firms.title}</h1>
        <span className="fg2">{t.firms.text}</span>
      </div>
      <OpenDecisions area="firms" />
      <Card title={t.firms.all} action={<SaveTable name="firms" rows={data} cells={cellsOf} />}>
        {error && data === undefined ? (
          <Failed cause={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton />
        ) : data.length === 0 ? (
          <Empty title={t.firms.empty} text={t.firms.emptyText} />
        ) : (
          <DataTable label={t.firms.all} columns={columns} rows={data} keyOf={({ number }) => String(number)} />
        )}
      </Card>
    </div>
  )
}

const tones: Readonly<Record<FirmState, Tone>> = { applied: 'warn', active: 'ok', refused: 'plain' }

export function State({ state }: Pick<ConsoleFirmRow, 'state'>): ReactNode {
  return <Badge tone={tones[state]}>{t.firms.states[state]}</Badge>
}

const isoOf = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())

const cellsOf = ({ number, name, registration, country, state, applicant, appliedAt, decidedAt }: ConsoleFirmRow) => ({
  ...{ firm: String(number), name, registration, country, state, applicant, appliedAt: isoOf(appliedAt), decidedAt: isoOf(decidedAt) },
})

const columns: readonly Column<ConsoleFirmRow>[] = [
  {
    id: 'firm',
    header: t.firms.firm,
    by: ({ name }) => name,
    cell: ({ number, name, registration }) => (
      <>
        <Link to="/firms/$number" params={{ number: String(number) }} className="strong">
          {name}
        </Link>
        <div className="fg3">{registration}</div>
      </>
    ),
  },
  { id: 'country', header: t.firms.country, by: ({ country }) => country, cell: ({ country }) => regionOf(country) },
  { id: 'state', header: t.firms.state, by: ({ state }) => state, cell: (firm) => <State {...firm} /> },
  {
    id: 'applicant',
    header: t.firms.applicant,
    by: ({ applicant }) => applicant,
    cell: ({ applicant }) => (
      <Link to="/customers/$uid" params={{ uid: applicant }} preload={false} className="tn">
        {applicant}
      </Link>
    ),
  },
  {
    id: 'applied',
    header: t.firms.applied,
    by: ({ appliedAt }) => appliedAt,
    cell: ({ appliedAt }) => <span className="tn">{dateOf(appliedAt)}</span>,
  },
  {
    id: 'decided',
    header: t.firms.decided,
    by: ({ decidedAt }) => decidedAt ?? 0,
    cell: ({ decidedAt }) => <span className="tn">{decidedAt === null ? '' : dateOf(decidedAt)}</span>,
  },
  { id: 'decide', header: '', isEnd: true, cell: (firm) => <Decide firm={firm} /> },
]
