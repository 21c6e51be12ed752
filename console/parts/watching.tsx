/** A page that only reads: its title, the age of what it shows, and its states. */
import type { TablesAt } from '@candor/core/protocol/wire/console/tables.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ageOf, clockOf, countOf } from '../app/format.ts'
import { useNow } from '../app/now.ts'
import { t } from '../app/texts.ts'
import { Failed, FaultNote, Skeleton } from './ui.tsx'

/** How often such a page reads again. */
export const againMs = 5_000
/** Data of that age is called old. */
const staleMs = 15_000

type WatchingProps<T> = {
  readonly title: string
  readonly text?: string
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'dataUpdatedAt'> & { readonly refetch: () => Promise<unknown> }
  readonly tablesOf?: (data: T) => TablesAt
  readonly action?: ReactNode
  readonly children: (data: T) => ReactNode
}

export function Watching<T>({ title, text, query, tablesOf, action, children }: WatchingProps<T>): ReactNode {
  const { data, error, refetch, dataUpdatedAt } = query
  return (
    <div className="page">
      <div className="page-head">
        <h1>{title}</h1>
        {text !== undefined && <span className="fg2">{text}</span>}
        <span className="line push">
          {data !== undefined && <Age readAt={dataUpdatedAt} tables={tablesOf?.(data)} />}
          {action}
        </span>
      </div>
      {data !== undefined && error !== null && (
        <div className="line">
          <FaultNote cause={error} />
          <span className="fg2">{t.watch.shownFrom(clockOf(dataUpdatedAt))}</span>
        </div>
      )}
      {data !== undefined ? children(data) : error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Skeleton rows={10} />}
    </div>
  )
}

/** How old the data is; in amber once it is older than a reader would think. */
function Age({ readAt, tables }: { readonly readAt: number; readonly tables: TablesAt | undefined }): ReactNode {
  const now = useNow(1_000)
  const age = now - readAt
  return (
    <span className={age > staleMs ? 'small warn-text tn' : 'small fg3 tn'} data-age="">
      {tables !== undefined && `${t.watch.upTo(countOf(tables.seq))} · `}
      {age > staleMs ? t.watch.old(ageOf(age)) : t.watch.read(ageOf(age))}
    </span>
  )
}
