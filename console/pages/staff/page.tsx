/** Members of the staff, and proposals about them. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ageOf, dateOf } from '../../app/format.ts'
import { membersQuery } from '../../app/queries.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import type { Member, ProposalKind } from '../../app/wire.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Menu } from '../../parts/menu.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, Button, Card, Failed, Skeleton } from '../../parts/ui.tsx'
import { Proposals } from './proposals.tsx'
import { ProposeDialog } from './propose.tsx'

type Draft = { readonly kind: ProposalKind; readonly member?: Member }
const tones = { invited: 'warn', active: 'ok', deactivated: 'plain' } as const

export function StaffPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const mayPropose = me?.mayDo.includes('staff.propose') ?? false
  const { data, error, refetch } = useQuery(membersQuery)
  const [draft, setDraft] = useState<Draft>()
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.staff.title}</h1>
        {mayPropose && (
          <Button look="filled" className="button filled push" onClick={() => setDraft({ kind: 'invitation' })}>
            {t.staff.propose}
          </Button>
        )}
      </div>
      <Proposals mayDecide={me?.mayDo.includes('staff.decide') ?? false} myEmail={me?.email ?? ''} />
      <Card title={t.staff.members} action={<SaveTable name="members" rows={data} cells={cellsOf} />}>
        {error && data === undefined ? (
          <Failed cause={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton />
        ) : (
          <DataTable label={t.staff.members} columns={columnsOf(mayPropose ? setDraft : undefined)} rows={data} keyOf={({ id }) => id} />
        )}
      </Card>
      {draft && <ProposeDialog {...draft} onClose={() => setDraft(undefined)} />}
    </div>
  )
}

const cellsOf = ({ name, email, role, state, lastSeenAt, createdAt }: Member): Readonly<Record<string, string>> => ({
  ...{ name, email, role, state },
  lastSeen: lastSeenAt === null ? '' : new Date(lastSeenAt).toISOString(),
  since: new Date(createdAt).toISOString(),
})

function columnsOf(onPropose: ((draft: Draft) => void) | undefined): readonly Column<Member>[] {
  const columns: readonly Column<Member>[] = [
    {
      id: 'member',
      header: t.staff.member,
      by: ({ name }) => name,
      cell: ({ name, email }) => (
        <>
          <b>{name}</b> <span className="fg2">{email}</span>
        </>
      ),
    },
    { id: 'role', header: t.staff.role, by: ({ role }) => role, cell: ({ role }) => t.roles[role] },
    {
      id: 'state',
      header: t.staff.state,
      by: ({ state }) => state,
      cell: ({ state }) => <Badge tone={tones[state]}>{t.staff.states[state]}</Badge>,
    },
    {
      id: 'seen',
      header: t.staff.seen,
      by: ({ lastSeenAt }) => lastSeenAt ?? 0,
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? t.common.never : t.common.ago(ageOf(Date.now() - lastSeenAt))),
    },
    { id: 'since', header: t.staff.since, by: ({ createdAt }) => createdAt, cell: ({ createdAt }) => dateOf(createdAt) },
  ]
  if (onPropose === undefined) return columns
  return [...columns, { id: 'actions', header: '', isEnd: true, cell: (member) => <MemberMenu {...{ member, onPropose }} /> }]
}

type MemberMenuProps = { readonly member: Member; readonly onPropose: (draft: Draft) => void }

function MemberMenu({ member, onPropose }: MemberMenuProps): ReactNode {
  if (member.state === 'deactivated') return null
  const kinds: readonly ProposalKind[] = ['role', 'address', 'enrolment', 'deactivation']
  return (
    <Menu
      label={`${t.staff.change} ${member.email}`}
      className="button small"
      trigger={t.staff.change}
      items={kinds.map((kind) => ({ label: t.staff.kinds[kind], onChoose: () => onPropose({ kind, member }) }))}
    />
  )
}
