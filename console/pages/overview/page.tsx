/** The first page: what waits, what is wrong, today, funds and exposure. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { todayOf } from '../../app/format.ts'
import { overviewQuery } from '../../app/queries.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { Failed, Skeleton } from '../../parts/ui.tsx'
import { Waits } from './waits.tsx'

export function OverviewPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data, error, refetch } = useQuery(overviewQuery)
  const mayDo = me?.mayDo ?? []
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.overview.title}</h1>
        <span className="fg2">{todayOf(Date.now())}</span>
      </div>
      {data !== undefined ? (
        <Waits overview={data} mayDo={mayDo} />
      ) : error ? (
        <Failed cause={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={2} height={110} />
      )}
    </div>
  )
}
