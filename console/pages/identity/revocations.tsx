/** Proposals to revoke a certificate: a page with all of them, and a banner with the oldest that this reviewer can sign. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { ageOf } from '../../app/format.ts'
import { revocationsQuery } from '../../app/queries.ts'
import { meQuery, queryClient } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import type { Revocation } from '../../app/wire.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Ask, say } from '../../parts/dialog.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Button, buttonClass, Card, Empty, Failed, Skeleton } from '../../parts/ui.tsx'

type Signing = { readonly revocation: Revocation; readonly isApproved: boolean }

export function RevocationBanner(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data } = useQuery(revocationsQuery)
  const [signing, setSigning] = useState<Signing>()
  const first = me?.mayDo.includes('papers.revoke') ? data?.find(({ proposedBy }) => proposedBy !== me.email) : undefined
  return (
    <>
      {first && (
        <div className="banner" role="region" aria-label={t.identity.revocationsTitle}>
          <Users size={16} aria-hidden="true" />
          <p>
            <b>{t.identity.banner(first.uid)}</b>{' '}
            {t.identity.bannerText(first.proposedBy, ageOf(Date.now() - first.proposedAt), first.reason)}
          </p>
          <span className="line push">
            <Link to="/identity/$id" params={{ id: first.papers }} preload={false} className={buttonClass({ size: 'small' })}>
              {t.identity.look}
            </Link>
            <Actions revocation={first} onSign={setSigning} />
          </span>
        </div>
      )}
      {signing && <Sign {...signing} onClose={() => setSigning(undefined)} />}
    </>
  )
}

type ActionsProps = { readonly revocation: Revocation; readonly isOwn?: boolean; readonly onSign: (signing: Signing) => void }

function Actions({ revocation, isOwn = false, onSign }: ActionsProps): ReactNode {
  return (
    <>
      <Button size="small" aria-label={`${t.identity.decline} ${revocation.uid}`} onClick={() => onSign({ revocation, isApproved: false })}>
        {t.identity.decline}
      </Button>
      {!isOwn && (
        <Button
          size="small"
          isDanger
          aria-label={`${t.identity.sign} ${revocation.uid}`}
          onClick={() => onSign({ revocation, isApproved: true })}
        >
          {t.identity.sign}
        </Button>
      )}
    </>
  )
}

function Sign({ revocation, isApproved, onClose }: Signing & { readonly onClose: () => void }): ReactNode {
  const { id, uid, reason, proposedBy } = revocation
  const sign = async (why: string): Promise<void> => {
    try {
      await change('POST', `/revocations/${id}/${isApproved ? 'approve' : 'decline'}`, isApproved ? undefined : { reason: why })
      say(isApproved ? t.identity.signed(uid) : t.identity.declined)
    } finally {
      await queryClient.invalidateQueries({ queryKey: ['papers', 'revocations'] })
      await queryClient.invalidateQueries({ queryKey: ['papers', 'review', revocation.papers] })
    }
  }
  return (
    <Ask
      title={isApproved ? t.identity.signTitle(uid) : t.staff.declineTitle}
      {...(isApproved ? { text: t.identity.revokeText } : {})}
      action={isApproved ? t.identity.sign : t.identity.decline}
      isDanger={isApproved}
      hasReason={!isApproved}
      onDo={sign}
      onClose={onClose}
    >
      <p className="fg2">
        {proposedBy}: “{reason}”
      </p>
    </Ask>
  )
}

const cellsOf = ({ id, uid, reason, proposedBy, proposedAt, expiresAt }: Revocation): Readonly<Record<string, string>> => ({
  ...{ id: String(id), customer: uid, reason, proposedBy },
  ...{ proposedAt: new Date(proposedAt).toISOString(), expiresAt: new Date(expiresAt).toISOString() },
})

export function RevocationsPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data, error, refetch } = useQuery(revocationsQuery)
  const [signing, setSigning] = useState<Signing>()
  const now = Date.now()
  const columns: readonly Column<Revocation>[] = [
    {
      id: 'customer',
      header: t.nav.customers,
      by: ({ uid }) => uid,
      cell: ({ uid, papers }) => (
        <Link to="/identity/$id" params={{ id: papers }} preload={false} className="tn">
          {uid}
        </Link>
      ),
    },
    { id: 'reason', header: t.common.reason, cell: ({ reason }) => reason },
    {
      id: 'by',
      header: t.staff.by,
      by: (row) => row.proposedBy,
      cell: (row) => `${row.proposedBy}, ${t.common.ago(ageOf(now - row.proposedAt))}`,
    },
    { id: 'expires', header: t.staff.expires, by: (row) => row.expiresAt, cell: (row) => ageOf(row.expiresAt - now) },
    {
      id: 'sign',
      header: '',
      isEnd: true,
      cell: (revocation) =>
        me?.mayDo.includes('papers.revoke') && (
          <span className="line" style={{ justifyContent: 'flex-end' }}>
            {revocation.proposedBy === me.email && <span className="fg3">{t.identity.ownRevocation}</span>}
            <Actions revocation={revocation} isOwn={revocation.proposedBy === me.email} onSign={setSigning} />
          </span>
        ),
    },
  ]
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.identity.revocationsTitle}</h1>
      </div>
      <Card title={t.identity.revocations} action={<SaveTable name="revocations" rows={data} cells={cellsOf} />}>
        {error && data === undefined ? (
          <Failed cause={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton />
        ) : data.length === 0 ? (
          <Empty title={t.identity.revocationsEmpty} text={t.identity.revocationsEmptyText} />
        ) : (
          <DataTable label={t.identity.revocationsTitle} columns={columns} rows={data} keyOf={({ id }) => String(id)} />
        )}
      </Card>
      {signing && <Sign {...signing} onClose={() => setSigning(undefined)} />}
    </div>
  )
}
