/** Open work, with the age of the oldest item beside its target. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight, IdCard, ShieldAlert, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { ageOf, countOf, hours, todayOf } from '../app/format.ts'
import { overviewQuery, proposalsQuery, revocationsQuery } from '../app/queries.ts'
import { meQuery } from '../app/session.ts'
import { t } from '../app/texts.ts'
import { buttonClass, Failed, Kbd, Skeleton } from '../parts/ui.tsx'

/** Decisions are wanted within these times. */
const identityTargetMs = hours(24)
const signatureTargetMs = hours(4)

export function OverviewPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const may = (action: string): boolean => me?.mayDo.includes(action) ?? false
  const { data, error, refetch } = useQuery(overviewQuery)
  const proposals = useQuery({ ...proposalsQuery, enabled: may('staff.read') })
  const revocations = useQuery({ ...revocationsQuery, enabled: may('papers.read') })
  const now = Date.now()
  const oldest = (times: readonly number[] | undefined): number | null => (times?.length ? now - Math.min(...times) : null)
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.overview.title}</h1>
        <span className="fg2">{todayOf(now)}</span>
      </div>
      {error && data === undefined ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton rows={2} height={110} />
      ) : (
        <div className="grid">
          <Waits
            {...{ title: t.nav.identity, text: t.overview.identityText, icon: <IdCard size={15} aria-hidden="true" /> }}
            {...{ count: data.papers.waiting, oldestMs: data.papers.oldestAgeMs, targetMs: identityTargetMs, hotkey: 'I' }}
            {...{ to: may('papers.read') ? '/identity' : undefined, isFilled: may('papers.decide') }}
            action={may('papers.decide') ? t.overview.reviewNext : t.overview.open}
          />
          <Waits
            {...{ title: t.overview.proposals, text: t.overview.proposalsText, icon: <Users size={15} aria-hidden="true" /> }}
            {...{ count: data.proposals.waiting, oldestMs: oldest(proposals.data?.map(({ proposedAt }) => proposedAt)) }}
            {...{ targetMs: signatureTargetMs, to: may('staff.read') ? '/staff' : undefined, hotkey: 'S' }}
            action={may('staff.decide') ? t.overview.decide : t.overview.open}
          />
          {may('papers.read') && (
            <Waits
              {...{ title: t.overview.revocations, text: t.overview.revocationsText, icon: <ShieldAlert size={15} aria-hidden="true" /> }}
              {...{ count: revocations.data?.length ?? 0, oldestMs: oldest(revocations.data?.map(({ proposedAt }) => proposedAt)) }}
              {...{ targetMs: signatureTargetMs, to: '/identity/revocations', hotkey: 'R' }}
              action={may('papers.revoke') ? t.overview.decide : t.overview.open}
            />
          )}
        </div>
      )}
    </div>
  )
}

type WaitsProps = {
  readonly title: string
  readonly text: string
  readonly icon: ReactNode
  readonly count: number
  readonly oldestMs: number | null
  readonly targetMs: number
  readonly to: string | undefined
  readonly hotkey: string
  readonly action: string
  readonly isFilled?: boolean
}

function Waits({ title, text, icon, count, oldestMs, targetMs, to, hotkey, action, isFilled = false }: WaitsProps): ReactNode {
  const share = count === 0 ? 0 : Math.min(1, (oldestMs ?? 0) / targetMs)
  const tone = share >= 1 ? ' danger' : share >= 0.6 ? ' warn' : ''
  return (
    <section className="card card-body first stack" aria-label={title}>
      <div className="line">
        {icon}
        <h2>{title}</h2>
        {to !== undefined && (
          <span className="line push fg3">
            <Kbd>G</Kbd>
            <Kbd>{hotkey}</Kbd>
          </span>
        )}
      </div>
      <div className="line">
        <span className="big tn" data-count="">
          {countOf(count)}
        </span>
        <div className="stack" style={{ flex: 1, gap: 5 }}>
          <div className="line small fg2">
            <span>{count === 0 ? t.overview.none : oldestMs === null ? '' : t.overview.oldest(ageOf(oldestMs))}</span>
            <span className="push">{t.overview.target(ageOf(targetMs))}</span>
          </div>
          <div className={`bar${tone}`} aria-hidden="true">
            <i style={{ '--share': share } as object} />
          </div>
        </div>
      </div>
      <p className="fg2">{text}</p>
      {to !== undefined && (
        <div className="line">
          <Link to={to} className={buttonClass(isFilled && count > 0 ? { look: 'filled' } : {})}>
            {action}
            <ArrowRight size={14} aria-hidden="true" />
          </Link>
        </div>
      )}
    </section>
  )
}
