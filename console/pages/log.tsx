/** The audit log, newest first, with filters and a CSV file. */
import { SaveAll } from '../parts/save-table.tsx'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { timeOf } from '../app/format.ts'
import { type LogFilter, logQuery, membersQuery } from '../app/queries.ts'
import { t } from '../app/texts.ts'
import type { Entry } from '../app/wire.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Modal } from '../parts/dialog.tsx'
import { Choice } from '../parts/fields.tsx'
import { Button, Card, Empty, Failed, More, Skeleton } from '../parts/ui.tsx'

/** The actions of `server/staff/log.ts`. */
const actions = [
  ...['login', 'login-failed', 'logout', 'session-ended', 'other-sessions-ended', 'refused'],
  ...['created', 'enrolment-issued', 'enrolled', 'proposed', 'proposal-taken-over', 'approved', 'declined'],
  ...['authenticator-begun', 'authenticator-added', 'passkey-added', 'passkey-removed', 'password-changed'],
  ...['papers-opened', 'papers-claimed', 'papers-released', 'papers-seen', 'papers-certified', 'papers-rejected'],
  ...['revocation-proposed', 'revocation-approved', 'revocation-declined', 'log-exported', 'table-exported'],
  ...['operation-proposed', 'operation-approved', 'operation-declined', 'operation-closed'],
  ...['announcement-published', 'announcement-withdrawn'],
]
/** `papers-seen` is read as `Papers seen`. */
const nameOf = (action: string): string => action.charAt(0).toUpperCase() + action.slice(1).replaceAll('-', ' ')
/** The choice of a filter that lets everything through. */
const any = 'any'

export function LogPage(): ReactNode {
  const filter: LogFilter = useSearch({ strict: false })
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(logQuery(filter))
  const [shown, setShown] = useState<Entry>()
  const entries = data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.log.title}</h1>
        <span className="fg2">{t.log.text}</span>
      </div>
      <Card title={<Filters filter={filter} />} action={<SaveAll path="/log.csv" name="staff-log" filter={filter} />}>
        {error && data === undefined ? (
          <Failed cause={error} onRetry={() => void refetch()} />
        ) : isPending ? (
          <Skeleton rows={10} />
        ) : entries.length === 0 ? (
          <Empty title={t.log.empty} text={t.log.emptyText} />
        ) : (
          <DataTable label={t.log.title} columns={columnsOf(setShown)} rows={entries} keyOf={({ id }) => String(id)} />
        )}
        <More hasMore={hasNextPage} isBusy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
      </Card>
      {shown && <Details entry={shown} onClose={() => setShown(undefined)} />}
    </div>
  )
}

function Filters({ filter: { staff, action } }: { readonly filter: LogFilter }): ReactNode {
  const navigate = useNavigate()
  const { data: members } = useQuery(membersQuery)
  const choose = (next: LogFilter): void => {
    const search = { ...(next.staff && { staff: next.staff }), ...(next.action && { action: next.action }) }
    void navigate({ to: '/log', search, replace: true })
  }
  const valueOf = (chosen: string): string | undefined => (chosen === any ? undefined : chosen)
  return (
    <span className="line">
      <Choice
        isBare
        label={t.log.filterMember}
        value={staff ?? any}
        options={[{ value: any, label: t.log.allMembers }, ...(members ?? []).map(({ id, email }) => ({ value: id, label: email }))]}
        onChoose={(chosen) => choose({ staff: valueOf(chosen), action })}
      />
      <Choice
        isBare
        label={t.log.filterAction}
        value={action ?? any}
        options={[{ value: any, label: t.log.allActions }, ...actions.map((value) => ({ value, label: nameOf(value) }))]}
        onChoose={(chosen) => choose({ staff, action: valueOf(chosen) })}
      />
      {(staff !== undefined || action !== undefined) && (
        <Button look="quiet" size="small" onClick={() => choose({})}>
          {t.log.clear}
        </Button>
      )}
    </span>
  )
}

function columnsOf(onShow: (entry: Entry) => void): readonly Column<Entry>[] {
  return [
    { id: 'at', header: t.log.time, cell: ({ at }) => <span className="tn">{timeOf(at)}</span> },
    { id: 'who', header: t.log.who, cell: ({ email }) => email ?? t.common.commandLine },
    { id: 'action', header: t.log.action, cell: ({ action }) => <b>{nameOf(action)}</b> },
    { id: 'subject', header: t.log.subject, cell: ({ subject }) => (subject === null ? '' : <code>{subject.slice(0, 8)}</code>) },
    { id: 'why', header: t.log.why, cell: ({ why }) => why ?? '' },
    {
      id: 'from',
      header: t.log.from,
      cell: ({ ip, device }) => (
        <span className="fg2">
          <span className="tn">{ip}</span> · {device}
        </span>
      ),
    },
    {
      id: 'details',
      header: '',
      isEnd: true,
      cell: (entry) => (
        <Button size="small" look="quiet" aria-label={`${t.log.details} ${entry.id}`} onClick={() => onShow(entry)}>
          {t.log.details}
        </Button>
      ),
    },
  ]
}

function Details({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }): ReactNode {
  const lines: readonly (readonly [string, string | null])[] = [
    [t.log.time, timeOf(entry.at)],
    [t.log.who, entry.email ?? t.common.commandLine],
    [t.log.subject, entry.subject],
    [t.log.why, entry.why],
    [t.log.from, entry.ip],
    [t.log.device, entry.device],
    [t.log.session, entry.session],
    [t.log.before, textOf(entry.before)],
    [t.log.after, textOf(entry.after)],
  ]
  return (
    <Modal title={`${nameOf(entry.action)} · ${entry.id}`} isBroad onClose={onClose}>
      <dl className="facts">
        {lines
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <div className="dialog-foot">
        <Button onClick={onClose}>{t.common.close}</Button>
      </div>
    </Modal>
  )
}

const textOf = (value: Entry['before']): string | null => (value === null ? null : JSON.stringify(value, null, 1))
