/** Frozen accounts: a banner with the oldest opening that this member can sign, and a table of all. */
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { change } from '../../app/client.ts'
import { ageOf } from '../../app/format.ts'
import { useNow } from '../../app/now.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import type { Me } from '../../app/wire.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Ask, say } from '../../parts/dialog.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Button, buttonClass, Card, Empty, Failed, More, Skeleton } from '../../parts/ui.tsx'
import { freezesQuery, readAgain } from '../customers/queries.ts'
import type { Freeze } from '@candor/core/protocol/wire/console/customers.ts'

type Deed = 'propose' | 'sign' | 'decline'
type Doing = { readonly deed: Deed; readonly freeze: Freeze }

export function FreezesPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(freezesQuery)
  const [doing, setDoing] = useState<Doing>()
  const now = useNow(30_000)
  const rows = data?.pages.flat() ?? []
  if (me === null) return null
  return (
    <>
      <Banner freezes={rows} me={me} now={now} onDo={setDoing} />
      <div className="page">
        <div className="page-head">
          <h1>{t.customers.freezes.title}</h1>
          <span className="fg2">{t.customers.freezes.text}</span>
        </div>
        <Card title={t.customers.freezes.title} action={<SaveTable name="frozen-accounts" rows={rows} cells={cellsOf} />}>
          {error && data === undefined ? (
            <Failed cause={error} onRetry={() => void refetch()} />
          ) : isPending ? (
            <Skeleton />
          ) : rows.length === 0 ? (
            <Empty title={t.customers.freezes.empty} text={t.customers.freezes.emptyText} />
          ) : (
            <DataTable
              label={t.customers.freezes.title}
              columns={columnsOf(me, now, setDoing)}
              rows={rows}
              keyOf={({ id }) => String(id)}
            />
          )}
          <More hasMore={hasNextPage} isBusy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
        </Card>
      </div>
      {doing && <Do {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

type BannerProps = { readonly freezes: readonly Freeze[]; readonly me: Me; readonly now: number; readonly onDo: (doing: Doing) => void }

function Banner({ freezes, me, now, onDo }: BannerProps): ReactNode {
  const waiting = me.mayDo.includes('customers.unfreeze')
    ? freezes.findLast(({ lift }) => lift !== null && lift.proposedBy !== me.email)
    : undefined
  if (!waiting?.lift) return null
  const { proposedBy, proposedAt, reason } = waiting.lift
  return (
    <div className="banner" role="region" aria-label={t.customers.freezes.opening}>
      <Users size={16} aria-hidden="true" />
      <p>
        <b>{t.customers.freezes.banner(waiting.uid)}</b> {t.customers.freezes.bannerText(proposedBy, ageOf(now - proposedAt), reason)}
      </p>
      <span className="line push">
        <Link to="/customers/$uid" params={{ uid: waiting.uid }} preload={false} className={buttonClass({ size: 'small' })}>
          {t.customers.freezes.look}
        </Link>
        <Deciding freeze={waiting} me={me} onDo={onDo} />
      </span>
    </div>
  )
}

type DecidingProps = { readonly freeze: Freeze; readonly me: Me; readonly onDo: (doing: Doing) => void }

function Deciding({ freeze, me, onDo }: DecidingProps): ReactNode {
  const { uid, lift } = freeze
  const button = (deed: Deed, label: string): ReactNode => (
    <Button size="small" isDanger={deed === 'sign'} aria-label={`${label} ${uid}`} onClick={() => onDo({ deed, freeze })}>
      {label}
    </Button>
  )
  if (lift === null) return button('propose', t.customers.freezes.propose)
  return (
    <>
      {button('decline', lift.proposedBy === me.email ? t.customers.freezes.takeBack : t.customers.freezes.decline)}
      {lift.proposedBy === me.email ? <span className="fg3">{t.customers.freezes.own}</span> : button('sign', t.customers.freezes.sign)}
    </>
  )
}

function columnsOf(me: Me, now: number, onDo: (doing: Doing) => void): readonly Column<Freeze>[] {
  const f = t.customers.freezes
  return [
    {
      id: 'uid',
      header: f.customer,
      by: ({ uid }) => uid,
      cell: ({ uid }) =>
        me.mayDo.includes('customers.read') ? (
          <Link to="/customers/$uid" params={{ uid }} preload={false} className="tn">
            {uid}
          </Link>
        ) : (
          <span className="tn">{uid}</span>
        ),
    },
    {
      id: 'since',
      header: f.since,
      by: ({ frozenAt }) => frozenAt,
      cell: ({ frozenAt }) => <span className="tn">{t.common.ago(ageOf(now - frozenAt))}</span>,
    },
    { id: 'by', header: f.by, by: ({ by }) => by, cell: ({ by, officer }) => officer ?? f.who[by] },
    { id: 'reason', header: f.reason, cell: ({ reason }) => reason ?? '' },
    {
      id: 'opening',
      header: f.opening,
      cell: ({ lift }) => (lift === null ? '' : f.proposedBy(lift.proposedBy, ageOf(lift.expiresAt - now))),
    },
    {
      id: 'decide',
      header: '',
      isEnd: true,
      cell: (freeze) =>
        me.mayDo.includes('customers.unfreeze') && (
          <span className="line ends">
            <Deciding freeze={freeze} me={me} onDo={onDo} />
          </span>
        ),
    },
  ]
}

function cellsOf({ uid, frozenAt, by, officer, reason, lift }: Freeze): Readonly<Record<string, string>> {
  return {
    ...{ uid, frozenAt: new Date(frozenAt).toISOString(), by, officer: officer ?? '', reason: reason ?? '' },
    ...{ proposedBy: lift?.proposedBy ?? '', proposedReason: lift?.reason ?? '' },
  }
}

function Do({ deed, freeze: { id, uid, lift }, onClose }: Doing & { readonly onClose: () => void }): ReactNode {
  const f = t.customers.freezes
  const texts = {
    propose: { title: f.proposeTitle(uid), text: f.proposeText, action: f.propose, done: f.proposed },
    sign: { title: f.signTitle(uid), text: f.signText, action: f.sign, done: f.signed(uid) },
    decline: { title: f.declineTitle, text: '', action: f.decline, done: f.declined },
  }[deed]
  const path = deed === 'propose' ? `/freezes/${id}/lift` : `/freezes/lifts/${lift?.id}/${deed === 'sign' ? 'approve' : 'decline'}`
  const act = async (reason: string): Promise<void> => {
    try {
      await change('POST', path, deed === 'sign' ? undefined : { reason })
      say(texts.done)
    } finally {
      await readAgain(uid)
    }
  }
  return (
    <Ask
      title={texts.title}
      {...(texts.text === '' ? {} : { text: texts.text })}
      action={texts.action}
      isDanger={deed === 'sign'}
      hasReason={deed !== 'sign'}
      onDo={act}
      onClose={onClose}
    >
      {lift !== null && (
        <p className="fg2">
          {lift.proposedBy}: “{lift.reason}”
        </p>
      )}
    </Ask>
  )
}
