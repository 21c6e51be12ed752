/** Customers, newest first, and the exact search. */
import { SaveAll, SaveTable } from '../../parts/save-table.tsx'
import { countries } from '@candor/core/protocol/countries.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ageOf, regionOf, timeOf } from '../../app/format.ts'
import { useNow } from '../../app/now.ts'
import { t } from '../../app/texts.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Choice } from '../../parts/fields.tsx'
import { Badge, Button, Card, Empty, Failed, More, Skeleton } from '../../parts/ui.tsx'
import { findQuery, listQuery } from './queries.ts'
import type { Certification, Filter, Found, Group, Row, State } from '@candor/core/protocol/wire/console/customers.ts'

type Search = Filter & { readonly q?: string }
/** The choice of a filter that lets everything through. */
const any = 'any'

export function CustomersPage(): ReactNode {
  const { q, ...filter }: Search = useSearch({ strict: false })
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.customers.title}</h1>
      </div>
      <FindForm key={q ?? ''} text={q ?? ''} />
      {q === undefined ? <List filter={filter} /> : <FoundCard text={q} />}
    </div>
  )
}

function FindForm({ text }: { readonly text: string }): ReactNode {
  const navigate = useNavigate()
  const [typed, setTyped] = useState(text)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const q = typed.trim()
    void navigate({ to: '/customers', search: q === '' ? {} : { q } })
  }
  return (
    <form className="find" onSubmit={submit}>
      <input
        className="input"
        aria-label={t.customers.hint}
        aria-describedby="find-help"
        placeholder={t.customers.hint}
        maxLength={254}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" look="filled" disabled={typed.trim() === ''}>
        {t.customers.find}
      </Button>
      {text !== '' && (
        <Button look="quiet" onClick={() => void navigate({ to: '/customers' })}>
          {t.customers.clear}
        </Button>
      )}
      <span id="find-help" className="fg3 small">
        {t.customers.findHelp}
      </span>
    </form>
  )
}

function FoundCard({ text }: { readonly text: string }): ReactNode {
  const { data, error, refetch } = useQuery(findQuery(text))
  const now = useNow(30_000)
  return (
    <Card title={text} action={<SaveTable name="customers" rows={data} cells={cellsOf} />}>
      {error ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={2} />
      ) : data.length === 0 ? (
        <Empty title={t.customers.none} text={t.customers.noneText} />
      ) : (
        <DataTable
          label={t.customers.title}
          columns={[
            ...columnsOf(now),
            { id: 'by', header: '', isEnd: true, cell: (row) => <span className="fg2">{t.customers.by[(row as Found).by]}</span> },
          ]}
          rows={data}
          keyOf={(row) => `${row.uid} ${(row as Found).by}`}
        />
      )}
    </Card>
  )
}

function List({ filter }: { readonly filter: Filter }): ReactNode {
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(listQuery(filter))
  const now = useNow(30_000)
  const rows = data?.pages.flatMap(({ customers }) => customers) ?? []
  return (
    <Card title={<Filters filter={filter} />} action={<SaveAll path="/customers.csv" name="customers" filter={filter} />}>
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <Skeleton rows={10} />
      ) : rows.length === 0 ? (
        <Empty title={t.customers.empty} text={t.customers.emptyText} />
      ) : (
        <DataTable label={t.customers.title} columns={columnsOf(now)} rows={rows} keyOf={({ uid }) => uid} />
      )}
      <More hasMore={hasNextPage} isBusy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
    </Card>
  )
}

function Filters({ filter }: { readonly filter: Filter }): ReactNode {
  const navigate = useNavigate()
  const choose = (name: keyof Filter, value: string): void => {
    const { [name]: _, ...rest } = filter
    void navigate({ to: '/customers', search: value === any ? rest : ({ ...rest, [name]: value } as Filter), replace: true })
  }
  const optionsOf = (all: string, names: Readonly<Record<string, string>>) => [
    { value: any, label: all },
    ...Object.entries(names).map(([value, label]) => ({ value, label })),
  ]
  return (
    <span className="line">
      <Choice
        isBare
        label={t.customers.state}
        value={filter.state ?? any}
        options={optionsOf(t.customers.allStates, t.customers.states satisfies Record<State, string>)}
        onChoose={(value) => choose('state', value)}
      />
      <Choice
        isBare
        label={t.customers.certification}
        value={filter.certification ?? any}
        options={optionsOf(t.customers.allCertifications, t.customers.certifications satisfies Record<Certification, string>)}
        onChoose={(value) => choose('certification', value)}
      />
      <Choice
        isBare
        label={t.customers.group}
        value={filter.class ?? any}
        options={optionsOf(t.customers.allGroups, t.customers.groups satisfies Record<Group, string>)}
        onChoose={(value) => choose('class', value)}
      />
      <Choice
        isBare
        label={t.customers.region}
        value={filter.region ?? any}
        options={optionsOf(t.customers.allRegions, regionNames)}
        onChoose={(value) => choose('region', value)}
      />
      {Object.keys(filter).length > 0 && (
        <Button look="quiet" size="small" onClick={() => void navigate({ to: '/customers' })}>
          {t.customers.clear}
        </Button>
      )}
    </span>
  )
}

const cellsOf = ({ uid, by, email, phone, region, tier, createdAt }: Found): Readonly<Record<string, string>> => ({
  ...{ uid, foundBy: by, email: email ?? '', phone: phone ?? '', region: region ?? '', tier: String(tier) },
  registeredAt: new Date(createdAt).toISOString(),
})

const regionNames = Object.fromEntries(
  countries.map((code) => [code, regionOf(code)] as const).toSorted(([, a], [, b]) => a.localeCompare(b, 'en')),
)

const columnsOf = (now: number): readonly Column<Row>[] => [
  {
    id: 'uid',
    header: t.customers.uid,
    cell: ({ uid }) => (
      <Link to="/customers/$uid" params={{ uid }} preload={false} className="tn">
        {uid}
      </Link>
    ),
  },
  { id: 'state', header: t.customers.state, cell: (row) => <Badges row={row} /> },
  { id: 'region', header: t.customers.region, cell: ({ region }) => (region === null ? '' : regionOf(region)) },
  { id: 'email', header: t.customers.email, cell: ({ email }) => email ?? '' },
  { id: 'phone', header: t.customers.phone, cell: ({ phone }) => <span className="tn">{phone ?? ''}</span> },
  { id: 'tier', header: t.customers.tier, isEnd: true, cell: ({ tier }) => <span className="tn">{tier}</span> },
  {
    id: 'seen',
    header: t.customers.lastSeen,
    isEnd: true,
    cell: ({ lastSeenAt }) => <span className="tn">{lastSeenAt === null ? t.common.never : t.common.ago(ageOf(now - lastSeenAt))}</span>,
  },
  {
    id: 'registered',
    header: t.customers.registered,
    isEnd: true,
    cell: ({ createdAt }) => <span className="tn">{timeOf(createdAt)}</span>,
  },
]

type BadgesProps = { readonly row: Pick<Row, 'frozenAt' | 'certification' | 'class' | 'isStaff'> }

export function Badges({ row: { frozenAt, certification, class: group, isStaff } }: BadgesProps): ReactNode {
  return (
    <span className="line tight">
      {frozenAt !== null && <Badge tone="danger">{t.customers.states.frozen}</Badge>}
      <Badge tone={certification === 'certified' ? 'ok' : 'plain'}>{t.customers.certifications[certification]}</Badge>
      {group !== 'retail' && <Badge>{t.customers.groups[group]}</Badge>}
      {isStaff && <Badge tone="warn">{t.customers.states.staff}</Badge>}
    </span>
  )
}
