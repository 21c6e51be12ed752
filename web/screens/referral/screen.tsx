import { queries } from '../../app/client.ts'
import { usePlace } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { termsKey, useReferral, useTerms } from './data.ts'
import { Landing } from './landing.tsx'
import { Mine } from './mine.tsx'
import { codeIn } from './summary.ts'

/** Invitations: for users their own code and what it earns, for visitors the page of an invitation. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const me = useMe()
  if (me === undefined) return <Landing code={codeIn(query, location.search)} />
  const refresh = (): Promise<unknown> =>
    Promise.all([termsKey, ['own', 'referral']].map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })))
  return (
    <Pull onRefresh={refresh}>
      <PageHeader title={t('referral.title')} fallback="/me" />
      <Own />
    </Pull>
  )
}

function Own() {
  const [terms, own] = [useTerms(), useReferral()]
  const error = terms.error ?? own.error
  if (terms.data !== undefined && own.data !== undefined) return <Mine terms={terms.data} own={own.data} />
  return error === null ? <OwnSkeleton /> : <Failure error={error} />
}

function OwnSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-4 px-4 pt-2">
      <Skeleton className="h-52 rounded-card" />
      <Skeleton className="h-20 rounded-card" />
      <Skeleton className="h-40 rounded-card" />
    </div>
  )
}
