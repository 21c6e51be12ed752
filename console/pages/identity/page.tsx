/** The queue of identity checks, and the check that is open beside it. */
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { ageOf, countOf } from '../../app/format.ts'
import { useKeys } from '../../app/keys.ts'
import { useNow } from '../../app/now.ts'
import { queueQuery } from '../../app/queries.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import type { Waiting } from '../../app/wire.ts'
import { Badge, Button, Empty, Failed, Skeleton } from '../../parts/ui.tsx'
import { RevocationBanner } from './revocations.tsx'
import { ReviewPane } from './review.tsx'

export function IdentityPage(): ReactNode {
  const { id } = useParams({ strict: false })
  const { data: me } = useSuspenseQuery(meQuery)
  const navigate = useNavigate()
  const queue = useInfiniteQuery(queueQuery)
  const rows = queue.data?.pages.flatMap(({ waiting }) => waiting) ?? []
  const open = (step: number): void => {
    const at = rows.findIndex((row) => row.id === id)
    const next = rows[at < 0 ? 0 : at + step]
    if (next) void navigate({ to: '/identity/$id', params: { id: next.id } })
  }
  useKeys({
    j: { what: t.keys.next, run: () => open(1) },
    k: { what: t.keys.previous, run: () => open(-1) },
  })
  return (
    <div className="desk">
      <RevocationBanner />
      <section className="queue" aria-label={t.identity.waiting}>
        <div className="queue-head">
          <h1>{t.identity.waiting}</h1>
          {queue.data && <Badge>{countOf(queue.data.pages.at(-1)?.count ?? 0)}</Badge>}
          <span className="push fg3 small">{t.identity.oldestFirst}</span>
        </div>
        {queue.error && queue.data === undefined ? (
          <Failed cause={queue.error} onRetry={() => void queue.refetch()} />
        ) : queue.isPending ? (
          <Skeleton rows={6} height={34} />
        ) : rows.length === 0 ? (
          <Empty title={t.identity.empty} text={t.identity.emptyText} />
        ) : (
          <Rows rows={rows} chosen={id} myName={me?.email ?? ''} />
        )}
        {queue.hasNextPage && (
          <Button look="quiet" disabled={queue.isFetchingNextPage} onClick={() => void queue.fetchNextPage()}>
            {t.common.more}
          </Button>
        )}
      </section>
      {id === undefined ? (
        <div className="review-none">
          <Empty title={t.identity.title} text={t.identity.choose} />
        </div>
      ) : (
        me && <ReviewPane key={id} id={id} me={me} onNext={() => open(1)} />
      )}
    </div>
  )
}

type RowsProps = { readonly rows: readonly Waiting[]; readonly chosen: string | undefined; readonly myName: string }

function Rows({ rows, chosen, myName }: RowsProps): ReactNode {
  const now = useNow(30_000)
  const current = useRef<HTMLAnchorElement>(null)
  useEffect(() => void current.current?.scrollIntoView({ block: 'nearest' }), [chosen])
  return (
    <ul className="queue-rows">
      {rows.map(({ id, uid, kind, sentAt, claimedBy, earlier }) => (
        <li key={id}>
          <Link
            to="/identity/$id"
            params={{ id }}
            preload={false}
            ref={id === chosen ? current : undefined}
            aria-current={id === chosen ? 'true' : undefined}
          >
            <span className="tn">{uid}</span>
            <span className="push fg2 tn">{ageOf(now - sentAt)}</span>
            <span className="fg2">{kind === null ? t.identity.unreadable : t.identity.kinds[kind]}</span>
            <span className="push">
              {claimedBy === myName ? (
                <Badge tone="brand">{t.identity.yours}</Badge>
              ) : claimedBy !== null ? (
                <Badge>{claimedBy.split('@', 1)[0]}</Badge>
              ) : earlier > 0 ? (
                <Badge tone="warn">{t.identity.again}</Badge>
              ) : null}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
