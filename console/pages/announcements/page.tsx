/** Announcements: those that are published, and a form with all languages. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { timeOf } from '../../app/format.ts'
import { meQuery, queryClient } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Ask, say } from '../../parts/dialog.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, Button, Card, Empty, Failed, Skeleton } from '../../parts/ui.tsx'
import { announcementsQuery } from './queries.ts'
import type { Announcement } from '@candor/core/protocol/wire/console/announcements.ts'
import { WriteForm } from './write.tsx'

export function AnnouncementsPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const mayPublish = me?.mayDo.includes('announcements.publish') ?? false
  const { data, error, refetch } = useQuery(announcementsQuery)
  const [isWriting, setWriting] = useState(false)
  const [leaving, setLeaving] = useState<Announcement>()
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.announcements.title}</h1>
        <span className="fg2">{t.announcements.text}</span>
        {mayPublish && !isWriting && (
          <Button look="filled" className="button filled push" onClick={() => setWriting(true)}>
            {t.announcements.write}
          </Button>
        )}
      </div>
      {isWriting && <WriteForm onDone={() => setWriting(false)} />}
      <Card title={t.announcements.list} action={<SaveTable name="announcements" rows={data} cells={cellsOf} />}>
        {error && data === undefined ? (
          <Failed cause={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton />
        ) : data.length === 0 ? (
          <Empty title={t.announcements.empty} text={t.announcements.emptyText} />
        ) : (
          <DataTable
            label={t.announcements.list}
            columns={columnsOf(mayPublish ? setLeaving : undefined)}
            rows={data}
            keyOf={({ id }) => String(id)}
          />
        )}
      </Card>
      {leaving && (
        <Ask
          title={t.announcements.withdrawTitle(leaving.texts.en.title)}
          text={t.announcements.withdrawText}
          action={t.announcements.withdraw}
          isDanger
          onDo={async () => {
            await change('POST', `/announcements/${leaving.id}/withdraw`)
            await queryClient.invalidateQueries({ queryKey: ['announcements'] })
            say(t.announcements.withdrawn)
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </div>
  )
}

type State = keyof typeof t.announcements.states
const tones = { coming: 'brand', shown: 'ok', ended: 'plain', withdrawn: 'warn' } as const

function stateOf({ from, until, withdrawnAt }: Announcement): State {
  const now = Date.now()
  if (withdrawnAt !== null) return 'withdrawn'
  return from > now ? 'coming' : until > now ? 'shown' : 'ended'
}

function cellsOf(row: Announcement): Readonly<Record<string, string>> {
  const { id, texts, from, until, publishedBy, withdrawnBy } = row
  const times = { from: new Date(from).toISOString(), until: new Date(until).toISOString() }
  return { id: String(id), state: stateOf(row), ...times, publishedBy, withdrawnBy: withdrawnBy ?? '', ...texts.en }
}

function columnsOf(onWithdraw: ((announcement: Announcement) => void) | undefined): readonly Column<Announcement>[] {
  const columns: readonly Column<Announcement>[] = [
    {
      id: 'title',
      header: t.announcements.heading,
      by: ({ texts }) => texts.en.title,
      cell: ({ texts }) => (
        <>
          <b>{texts.en.title}</b>
          <div className="fg2 clipped">{texts.en.text}</div>
        </>
      ),
    },
    {
      id: 'when',
      header: t.announcements.when,
      by: ({ from }) => from,
      cell: ({ from, until }) => (
        <span className="tn">
          {timeOf(from)}
          <div className="fg3">{timeOf(until)}</div>
        </span>
      ),
    },
    {
      id: 'by',
      header: t.announcements.by,
      by: ({ publishedBy }) => publishedBy,
      cell: ({ publishedBy, withdrawnBy }) => (
        <>
          {publishedBy}
          {withdrawnBy !== null && <div className="fg3">{withdrawnBy}</div>}
        </>
      ),
    },
    {
      id: 'state',
      header: t.announcements.state,
      by: stateOf,
      cell: (row) => <Badge tone={tones[stateOf(row)]}>{t.announcements.states[stateOf(row)]}</Badge>,
    },
  ]
  if (onWithdraw === undefined) return columns
  const actions: Column<Announcement> = {
    id: 'actions',
    header: '',
    isEnd: true,
    cell: (row) =>
      row.withdrawnAt === null && (
        <Button size="small" isDanger aria-label={`${t.announcements.withdraw}: ${row.texts.en.title}`} onClick={() => onWithdraw(row)}>
          {t.announcements.withdraw}
        </Button>
      ),
  }
  return [...columns, actions]
}
