/** Open proposals, which somebody other than their proposer decides. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { ageOf } from '../../app/format.ts'
import { proposalsQuery } from '../../app/queries.ts'
import { queryClient } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import type { Proposal } from '../../app/wire.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Ask, say } from '../../parts/dialog.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, Button, Card, Empty, Failed, Skeleton } from '../../parts/ui.tsx'

type Decision = { readonly proposal: Proposal; readonly isApproved: boolean }

const sentence = ({ kind, email, name, role }: Proposal): string => t.staff.what[kind]({ email, name, role: t.roles[role] })

const cellsOf = ({
  id,
  kind,
  email,
  name,
  role,
  reason,
  proposedBy,
  proposedAt,
  expiresAt,
}: Proposal): Readonly<Record<string, string>> => ({
  ...{ id: String(id), kind, email, name, role, reason, proposedBy: proposedBy ?? t.common.commandLine },
  ...{ proposedAt: new Date(proposedAt).toISOString(), expiresAt: new Date(expiresAt).toISOString() },
})

export function Proposals({ mayDecide, myEmail }: { readonly mayDecide: boolean; readonly myEmail: string }): ReactNode {
  const { data, error, refetch } = useQuery(proposalsQuery)
  const [decision, setDecision] = useState<Decision>()
  return (
    <Card
      title={t.staff.proposals}
      action={
        <span className="line">
          {data !== undefined && data.length > 0 && <Badge tone="brand">{data.length}</Badge>}
          <SaveTable name="proposals" rows={data} cells={cellsOf} />
        </span>
      }
    >
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={2} />
      ) : data.length === 0 ? (
        <Empty title={t.staff.empty} text={t.staff.emptyText} />
      ) : (
        <DataTable
          label={t.staff.proposals}
          columns={columnsOf(mayDecide ? { myEmail, onDecide: setDecision } : undefined)}
          rows={data}
          keyOf={({ id }) => String(id)}
        />
      )}
      {decision && <Decide {...decision} onClose={() => setDecision(undefined)} />}
    </Card>
  )
}

type Deciding = { readonly myEmail: string; readonly onDecide: (decision: Decision) => void }

function columnsOf(deciding: Deciding | undefined): readonly Column<Proposal>[] {
  const now = Date.now()
  const columns: readonly Column<Proposal>[] = [
    {
      id: 'what',
      header: t.staff.proposals,
      by: (row) => row.kind,
      cell: (row) => (
        <>
          <b>{sentence(row)}</b>
          <div className="fg2">“{row.reason}”</div>
        </>
      ),
    },
    {
      id: 'by',
      header: t.staff.by,
      by: ({ proposedBy }) => proposedBy ?? '',
      cell: ({ proposedBy, proposedAt }) => (
        <>
          {proposedBy ?? t.common.commandLine}
          <div className="fg3 tn">{t.common.ago(ageOf(now - proposedAt))}</div>
        </>
      ),
    },
    { id: 'expires', header: t.staff.expires, by: (row) => row.expiresAt, cell: (row) => ageOf(row.expiresAt - now) },
  ]
  if (deciding === undefined) return columns
  const { myEmail, onDecide } = deciding
  const actions: Column<Proposal> = {
    id: 'decide',
    header: '',
    isEnd: true,
    cell: (proposal) => (
      <span className="line" style={{ justifyContent: 'flex-end' }}>
        {proposal.proposedBy === myEmail && <span className="fg3">{t.staff.own}</span>}
        <Button
          size="small"
          aria-label={`${t.staff.decline}: ${sentence(proposal)}`}
          onClick={() => onDecide({ proposal, isApproved: false })}
        >
          {t.staff.decline}
        </Button>
        {proposal.proposedBy !== myEmail && (
          <Button
            size="small"
            aria-label={`${t.staff.approve}: ${sentence(proposal)}`}
            onClick={() => onDecide({ proposal, isApproved: true })}
          >
            {t.staff.approve}
          </Button>
        )}
      </span>
    ),
  }
  return [...columns, actions]
}

function Decide({ proposal, isApproved, onClose }: Decision & { readonly onClose: () => void }): ReactNode {
  const decide = async (reason: string): Promise<void> => {
    try {
      if (isApproved) {
        const { state } = await change<{ readonly state: 'approved' | 'waits' }>('POST', `/staff/proposals/${proposal.id}/approve`)
        say(state === 'waits' ? t.staff.waits : t.staff.approved)
      } else {
        await change('POST', `/staff/proposals/${proposal.id}/decline`, { reason })
        say(t.staff.declined)
      }
    } finally {
      await queryClient.invalidateQueries({ queryKey: ['staff'] })
      await queryClient.invalidateQueries({ queryKey: ['overview'] })
    }
  }
  return (
    <Ask
      title={isApproved ? t.staff.approveTitle : t.staff.declineTitle}
      text={isApproved ? t.staff.effects[proposal.kind] : ''}
      action={isApproved ? t.staff.approve : t.staff.decline}
      isDanger={!isApproved}
      hasReason={!isApproved}
      onDo={decide}
      onClose={onClose}
    >
      <p>
        <b>{sentence(proposal)}</b>
        <br />
        <span className="fg2">
          {proposal.proposedBy ?? t.common.commandLine}: “{proposal.reason}”
        </span>
      </p>
    </Ask>
  )
}
