/** Processes, feeds, queues and space as they are now. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ageOf, countOf, sizeOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import type { Column } from '../../parts/data-table.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { Badge, Card } from '../../parts/ui.tsx'
import { Watching } from '../../parts/watching.tsx'
import { healthQuery } from './queries.ts'
import type { FeedRow, Health, ProcessRow, QueueRow, TableRow } from './wire.ts'

const words = t.watch.health
/** A process reports every two seconds; timers later than this are felt by customers. */
const silentMs = 6_000
const lagMaxMs = 200

export function HealthPage(): ReactNode {
  const query = useQuery(healthQuery)
  return (
    <Watching title={words.title} query={query} tablesOf={({ follower }) => follower}>
      {(health) => (
        <>
          <Facts health={health} />
          <Sheet
            {...{ title: words.processes, columns: processes, rows: health.processes, file: '/health/files/processes', empty: words.none }}
            keyOf={({ name }) => name}
          />
          <div className="two wide">
            <Sheet
              {...{ title: words.feeds, columns: feeds, rows: health.feeds.venues, file: '/health/files/feeds', empty: words.noFeeds }}
              text={health.feeds.isFallback ? words.fallback : health.feeds.mode}
              keyOf={({ name }) => name}
            />
            <Sheet
              {...{ title: words.queues, columns: queues, rows: health.queues, file: '/health/files/queues', empty: words.none }}
              keyOf={({ name }) => name}
            />
          </div>
          <Sheet
            {...{ title: words.tables, columns: tables, rows: health.database.tables, file: '/health/files/tables', empty: words.none }}
            text={words.database(sizeOf(health.database.bytes))}
            keyOf={({ name }) => name}
          />
        </>
      )}
    </Watching>
  )
}

function Facts({ health: { version, commit, isEngineUp, isClockSynced, follower, disk } }: { readonly health: Health }): ReactNode {
  const facts: readonly (readonly [string, string, boolean])[] = [
    [words.engine, isEngineUp ? words.takes : words.takesNone, isEngineUp],
    [words.clock, isClockSynced ? words.synced : words.apart, isClockSynced],
    [words.follower, follower.problem ?? words.behind(countOf(follower.commands), follower.ms), follower.problem === null],
    [words.disk, disk === null ? words.unknown : words.free(sizeOf(disk.free), sizeOf(disk.total)), disk === null || !disk.isFull],
    [words.version, `${version} ${commit.slice(0, 8)}`, true],
  ]
  return (
    <Card title={words.state}>
      <dl className="card-body facts">
        {facts.map(([name, value, isRight]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{isRight ? value : <Badge tone="danger">{value}</Badge>}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

const processes: readonly Column<ProcessRow>[] = [
  { id: 'name', header: words.process, by: ({ name }) => name, cell: ({ name }) => <b>{name}</b> },
  {
    id: 'state',
    header: words.state,
    cell: ({ ageMs }) =>
      ageMs > silentMs ? <Badge tone="danger">{words.silent(ageOf(ageMs))}</Badge> : <Badge tone="ok">{words.up}</Badge>,
  },
  { id: 'pid', header: words.pid, isEnd: true, cell: ({ pid }) => <span className="tn">{pid}</span> },
  { id: 'node', header: words.node, cell: ({ node }) => node },
  {
    id: 'uptime',
    header: words.uptime,
    isEnd: true,
    by: ({ uptimeMs }) => uptimeMs,
    cell: ({ uptimeMs }) => <span className="tn">{ageOf(uptimeMs)}</span>,
  },
  {
    id: 'memory',
    header: words.memory,
    isEnd: true,
    by: ({ bytes }) => bytes,
    cell: ({ bytes }) => <span className="tn">{sizeOf(bytes)}</span>,
  },
  {
    id: 'lag',
    header: words.lag,
    isEnd: true,
    by: ({ lagMs }) => lagMs,
    cell: ({ lagMs }) => <span className={lagMs > lagMaxMs ? 'tn warn-text' : 'tn'}>{`${lagMs} ms`}</span>,
  },
]

const feeds: readonly Column<FeedRow>[] = [
  { id: 'name', header: words.venue, by: ({ name }) => name, cell: ({ name }) => <b>{name}</b> },
  { id: 'up', header: words.state, cell: ({ isUp }) => <Badge tone={isUp ? 'ok' : 'danger'}>{isUp ? words.up : words.down}</Badge> },
  {
    id: 'age',
    header: words.age,
    isEnd: true,
    by: ({ ageMs }) => ageMs,
    cell: ({ ageMs }) => <span className="tn">{`${countOf(ageMs)} ms`}</span>,
  },
]

const queues: readonly Column<QueueRow>[] = [
  { id: 'name', header: words.queue, cell: ({ name }) => words.queueNames[name] ?? name },
  {
    id: 'waiting',
    header: words.waiting,
    isEnd: true,
    by: ({ waiting }) => waiting,
    cell: ({ waiting }) => <span className="tn">{countOf(waiting)}</span>,
  },
  {
    id: 'oldest',
    header: words.oldest,
    isEnd: true,
    cell: ({ oldestAt }) => <span className="tn">{oldestAt === null ? '' : ageOf(Date.now() - oldestAt)}</span>,
  },
]

const tables: readonly Column<TableRow>[] = [
  { id: 'name', header: words.table, by: ({ name }) => name, cell: ({ name }) => <code>{name}</code> },
  { id: 'rows', header: words.rows, isEnd: true, by: ({ rows }) => rows, cell: ({ rows }) => <span className="tn">{countOf(rows)}</span> },
  {
    id: 'bytes',
    header: words.size,
    isEnd: true,
    by: ({ bytes }) => bytes,
    cell: ({ bytes }) => <span className="tn">{sizeOf(bytes)}</span>,
  },
]
