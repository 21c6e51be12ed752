/** The first page: what waits, what is wrong, figures, funds and exposure, each for the roles that may read it. */
import type { FigurePeriod } from '@candor/core/protocol/wire/console/overview.ts'
import { useQuery, useSuspenseQuery, type UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { clockOf, todayOf } from '../../app/format.ts'
import { useNow } from '../../app/now.ts'
import { overviewQuery } from '../../app/queries.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { SaveAll } from '../../parts/save-table.tsx'
import { Failed, FaultNote, Skeleton } from '../../parts/ui.tsx'
import { Checks } from './checks.tsx'
import { Exposed, Funds } from './exposure.tsx'
import { Numbers, Periods } from './numbers.tsx'
import { exposureQuery, figuresQuery, stateQuery } from './queries.ts'
import { Waits } from './waits.tsx'
import { Wrong } from './wrong.tsx'

export function OverviewPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const [period, setPeriod] = useState<FigurePeriod>('day')
  const now = useNow(60_000)
  const overview = useQuery(overviewQuery)
  const mayDo = me?.mayDo ?? []
  const may = (action: string): boolean => mayDo.includes(action)
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.overview.title}</h1>
        <span className="fg2">{todayOf(now)}</span>
        {may('figures.read') && (
          <span className="line push">
            <Periods period={period} onPeriod={setPeriod} />
            <SaveAll path="/overview/files/figures" name="overview-figures" filter={{ period }} />
          </span>
        )}
      </div>
      <Part query={overview} rows={1} height={110}>
        {(data) => <Waits overview={data} mayDo={mayDo} />}
      </Part>
      {may('health.read') && <State mayDo={mayDo} />}
      {may('figures.read') && <Figures period={period} />}
      {may('risk.read') && <Exposure />}
    </div>
  )
}

function State({ mayDo }: { readonly mayDo: readonly string[] }): ReactNode {
  const query = useQuery(stateQuery)
  return (
    <Part query={query} rows={4} height={28}>
      {(state) => (
        <div className="wrong-checks">
          <Wrong state={state} mayDo={mayDo} />
          <Checks state={state} readAt={query.dataUpdatedAt} />
        </div>
      )}
    </Part>
  )
}

function Figures({ period }: { readonly period: FigurePeriod }): ReactNode {
  const query = useQuery(figuresQuery(period))
  return (
    <Part query={query} rows={1} height={120}>
      {(data) => <Numbers data={data} isOld={query.isPlaceholderData} />}
    </Part>
  )
}

function Exposure(): ReactNode {
  return (
    <Part query={useQuery(exposureQuery)} rows={4} height={28}>
      {(data) => (
        <div className="two funds-exposure">
          <Funds exposure={data} />
          <Exposed exposure={data} />
        </div>
      )}
    </Part>
  )
}

type PartProps<T> = {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'dataUpdatedAt'> & { readonly refetch: () => Promise<unknown> }
  readonly rows: number
  readonly height: number
  readonly children: (data: T) => ReactNode
}

/** A part of the page that loads and fails by itself. Data that can’t be read again stays and says from when it is. */
function Part<T>({ query: { data, error, dataUpdatedAt, refetch }, rows, height, children }: PartProps<T>): ReactNode {
  if (data === undefined)
    return (
      <section className="card">
        {error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Skeleton rows={rows} height={height} />}
      </section>
    )
  return (
    <>
      {error !== null && (
        <div className="line">
          <FaultNote cause={error} />
          <span className="fg2">{t.watch.shownFrom(clockOf(dataUpdatedAt))}</span>
        </div>
      )}
      {children(data)}
    </>
  )
}
