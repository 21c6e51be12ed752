/** The own sessions, each with a button that ends it. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { change } from '../../app/client.ts'
import { ageOf, timeOf } from '../../app/format.ts'
import { sessionsQuery } from '../../app/queries.ts'
import { leave, queryClient } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import type { Session } from '../../app/wire.ts'
import { say } from '../../parts/dialog.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, Button, Card, Failed, FaultNote, Skeleton, useWork } from '../../parts/ui.tsx'

export function Sessions(): ReactNode {
  const { data, error, refetch } = useQuery(sessionsQuery)
  const one = useWork(async ({ id, isCurrent }: Session) => {
    await change('DELETE', `/auth/sessions/${id}`)
    if (isCurrent) return leave('member')
    say(t.own.sessionEnded)
    return queryClient.invalidateQueries({ queryKey: ['own'] })
  })
  const others = useWork(async () => {
    await change('DELETE', '/auth/sessions')
    say(t.own.othersEnded)
    await queryClient.invalidateQueries({ queryKey: ['own'] })
  })
  const columns: readonly Column<Session>[] = [
    {
      id: 'device',
      header: t.own.device,
      by: ({ device }) => device,
      cell: ({ device, isCurrent }) => (
        <span className="line">
          <b>{device}</b>
          {isCurrent && <Badge tone="brand">{t.own.current}</Badge>}
        </span>
      ),
    },
    { id: 'ip', header: t.own.address, cell: ({ ip }) => <span className="tn">{ip}</span>, by: ({ ip }) => ip },
    {
      id: 'begun',
      header: t.own.begun,
      cell: ({ createdAt }) => <span className="tn">{timeOf(createdAt)}</span>,
      by: (row) => row.createdAt,
    },
    {
      id: 'seen',
      header: t.own.seen,
      by: ({ lastSeenAt }) => lastSeenAt,
      cell: ({ lastSeenAt, isCurrent }) => (isCurrent ? t.common.now : t.common.ago(ageOf(Date.now() - lastSeenAt))),
    },
    {
      id: 'end',
      header: '',
      isEnd: true,
      cell: (row) => (
        <Button size="small" look="quiet" isDanger aria-label={`${t.own.end} ${row.device}`} onClick={() => void one.run(row)}>
          {t.own.end}
        </Button>
      ),
    },
  ]
  return (
    <Card
      title={t.own.sessions}
      action={
        <span className="line">
          <SaveTable name="sessions" rows={data} cells={cellsOf} />
          <Button size="small" disabled={others.isBusy || (data?.length ?? 0) < 2} onClick={() => void others.run()}>
            {t.own.endOthers}
          </Button>
        </span>
      }
    >
      <FaultNote cause={one.fault ?? others.fault} />
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton />
      ) : (
        <DataTable label={t.own.sessions} columns={columns} rows={data} keyOf={({ id }) => id} />
      )}
    </Card>
  )
}

const cellsOf = ({ device, ip, createdAt, lastSeenAt }: Session): Readonly<Record<string, string>> => ({
  ...{ device, ip, login: new Date(createdAt).toISOString(), lastSeen: new Date(lastSeenAt).toISOString() },
})
