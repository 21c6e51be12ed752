/** Tickets of customers: who waits, longest first, and the texts for answers. */
import type { TicketRow } from '@candor/core/protocol/wire/console/support.ts'
import { langs } from '@candor/core/protocol/locales.ts'
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ageOf, languageOf } from '../../app/format.ts'
import { useNow } from '../../app/now.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Choice } from '../../parts/fields.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, Card, Empty, Failed, More, Skeleton } from '../../parts/ui.tsx'
import { Answers } from './answers.tsx'
import { countsQuery, type TicketFilter, ticketsQuery, usePresence } from './queries.ts'

const words = t.support
const tones = { open: 'warn', waiting: 'brand', closed: 'plain' } as const
const any = 'any'

export function SupportPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const mayAnswer = me?.mayDo.includes('support.answer') ?? false
  usePresence(mayAnswer)
  const [filter, setFilter] = useState<TicketFilter>({ state: 'open' })
  const counts = useQuery(countsQuery).data
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(ticketsQuery(filter))
  const rows = data?.pages.flatMap(({ tickets }) => tickets) ?? []
  const now = useNow(10_000)
  return (
    <div className="page">
      <div className="page-head">
        <h1>{words.title}</h1>
        <span className="fg2">{mayAnswer ? words.text : words.readOnly}</span>
        {counts !== undefined && <span className="fg2 push">{words.atWork(counts.atWork)}</span>}
      </div>
      <Card title={<Filters filter={filter} onFilter={setFilter} />} action={<SaveTable name="tickets" rows={rows} cells={cellsOf} />}>
        {error && data === undefined ? (
          <Failed cause={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton rows={6} />
        ) : rows.length === 0 ? (
          <Empty title={words.none} text={words.noneText} />
        ) : (
          <DataTable label={words.list} columns={columnsOf(now)} rows={rows} keyOf={({ id }) => id} />
        )}
        <More hasMore={hasNextPage} isBusy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
      </Card>
      <Answers mayChange={mayAnswer} />
    </div>
  )
}

function Filters({ filter, onFilter }: { readonly filter: TicketFilter; readonly onFilter: (filter: TicketFilter) => void }): ReactNode {
  const { filters } = words
  const choose = (name: keyof TicketFilter, value: string): void => {
    const { [name]: _, ...rest } = filter
    onFilter(value === any ? rest : { ...rest, [name]: value })
  }
  const choices = (all: string, names: Readonly<Record<string, string>>) => [
    { value: any, label: all },
    ...Object.entries(names).map(([value, label]) => ({ value, label })),
  ]
  const ages = Object.fromEntries([1, 4, 24].map((count) => [String(count), filters.hours(count)]))
  const languages = Object.fromEntries(langs.map((lang) => [lang, languageOf(lang)]))
  const all = [
    ['state', filters.state, choices(filters.allStates, words.states)],
    ['topic', filters.topic, choices(filters.allTopics, words.topics)],
    ['lang', filters.lang, choices(filters.allLangs, languages)],
    ['hours', filters.age, choices(filters.anyAge, ages)],
    ['role', filters.role, choices(filters.allRoles, words.roles)],
    ['mine', filters.mine, choices(filters.everybody, { '1': filters.me })],
  ] as const
  return (
    <span className="line wrap">
      {all.map(([name, label, options]) => (
        <Choice key={name} isBare label={label} value={filter[name] ?? any} options={options} onChoose={(value) => choose(name, value)} />
      ))}
    </span>
  )
}

const timeText = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())

const cellsOf = ({ id, subject, topic, uid, lang, state, openedAt, waitingSince, assignee, role }: TicketRow) => ({
  ...{ ticket: id, subject, topic, customer: uid, language: lang, state },
  ...{ opened: timeText(openedAt), waitsSince: timeText(waitingSince), assignee: assignee ?? '', role },
})

function columnsOf(now: number): readonly Column<TicketRow>[] {
  return [
    {
      id: 'ticket',
      header: words.columns.ticket,
      cell: ({ id, subject, unread }) => (
        <>
          <Link to="/support/$id" params={{ id }} className="clipped">
            <bdi>{subject === '' ? id : subject}</bdi>
          </Link>{' '}
          {unread > 0 && <Badge tone="brand">{words.unread(unread)}</Badge>}
          <div className="fg3 tn">{id}</div>
        </>
      ),
    },
    { id: 'topic', header: words.columns.topic, cell: ({ topic }) => words.topics[topic] },
    {
      id: 'customer',
      header: words.columns.customer,
      cell: ({ uid, lang }) => (
        <span className="tn">
          {uid}
          <div className="fg3">{languageOf(lang)}</div>
        </span>
      ),
    },
    { id: 'state', header: words.columns.state, cell: ({ state }) => <Badge tone={tones[state]}>{words.states[state]}</Badge> },
    {
      id: 'waits',
      header: words.columns.waits,
      cell: ({ waitingSince }) => <span className="tn">{waitingSince === null ? '' : ageOf(now - waitingSince)}</span>,
    },
    {
      id: 'assignee',
      header: words.columns.assignee,
      cell: ({ assignee, role }) => (
        <>
          {assignee ?? <span className="fg3">{words.nobody}</span>}
          {role !== 'support' && <div className="fg3">{words.roles[role]}</div>}
        </>
      ),
    },
  ]
}
