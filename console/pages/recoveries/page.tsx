/** Requests of customers who have lost their second factors, and the one that is open beside the list. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ageOf, countOf } from '../../app/format.ts'
import { useKeys } from '../../app/keys.ts'
import { useNow } from '../../app/now.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { Badge, Empty, Failed, Skeleton } from '../../parts/ui.tsx'
import { recoveriesQuery } from './queries.ts'
import { RecoveryPane } from './review.tsx'
import type { Recovery } from '@candor/core/protocol/wire/console/recoveries.ts'

export function RecoveriesPage(): ReactNode {
  const { id } = useParams({ strict: false })
  const { data: me } = useSuspenseQuery(meQuery)
  const navigate = useNavigate()
  const list = useQuery(recoveriesQuery)
  const rows = list.data ?? []
  const open = (step: number): void => {
    const at = rows.findIndex((row) => row.id === id)
    const next = rows[at < 0 ? 0 : at + step]
    if (next) void navigate({ to: '/recoveries/$id', params: { id: next.id } })
  }
  useKeys({
    j: { what: t.keys.next, run: () => open(1) },
    k: { what: t.keys.previous, run: () => open(-1) },
  })
  return (
    <div className="desk recoveries">
      <section className="queue" aria-label={t.recoveries.waiting}>
        <div className="queue-head">
          <h1>{t.recoveries.waiting}</h1>
          {list.data && <Badge>{countOf(rows.filter(({ state }) => state === 'sent').length)}</Badge>}
          <span className="push fg3 small">{t.recoveries.oldestFirst}</span>
        </div>
        {list.error && list.data === undefined ? (
          <Failed cause={list.error} onRetry={() => void list.refetch()} />
        ) : list.isPending ? (
          <Skeleton rows={6} height={34} />
        ) : rows.length === 0 ? (
          <Empty title={t.recoveries.empty} text={t.recoveries.emptyText} />
        ) : (
          <Rows rows={rows} chosen={id} />
        )}
      </section>
      {id === undefined || me === null ? (
        <div className="review-none">
          <Empty title={t.recoveries.title} text={t.recoveries.choose} />
        </div>
      ) : (
        <RecoveryPane key={id} id={id} me={me} />
      )}
    </div>
  )
}

function Rows({ rows, chosen }: { readonly rows: readonly Recovery[]; readonly chosen: string | undefined }): ReactNode {
  const now = useNow(30_000)
  return (
    <ul className="queue-rows">
      {rows.map(({ id, uid, state, sentAt, isFrozen, proposal }) => (
        <li key={id}>
          <Link to="/recoveries/$id" params={{ id }} preload={false} aria-current={id === chosen ? 'true' : undefined}>
            <span className="tn">{uid}</span>
            <span className="push fg2 tn">{ageOf(now - sentAt)}</span>
            <span className="fg2">{t.recoveries.states[state] ?? state}</span>
            <span className="push">
              {isFrozen ? (
                <Badge tone="danger">{t.recoveries.frozen}</Badge>
              ) : state === 'sent' && proposal !== null ? (
                <Badge tone="warn">{t.recoveries.proposed}</Badge>
              ) : null}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
