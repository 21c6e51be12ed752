import { Suspense } from 'react'
import { Navigate } from './navigate.tsx'
import { usePlace } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { usePapers } from '../../parts/account/papers.ts'
import { useRegain } from '../../parts/access/regain.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { later } from '../../parts/ui/later.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { ScreenSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { Intro } from './intro.tsx'

// A person sees one of these, so each has its own file.
const Begin = later(async () => (await import('./begin.tsx')).Begin)
const Finish = later(async () => (await import('./finish.tsx')).Finish)
const Request = later(async () => (await import('./request.tsx')).Request)

/**
 * Proves again who a customer is. After a login that waits for a second factor: the request for access without one. By the link in a
 * message: its end. With a session, it leads to a document that was sent back.
 */
export function Screen() {
  const { t } = useTranslation()
  const isCustomer = useMe() !== undefined
  const { query } = usePlace()
  const token = query.get('token')
  return (
    <>
      <PageHeader title={t('reverify.title')} fallback={isCustomer ? '/me' : '/login'} />
      <Suspense fallback={<ScreenSkeleton />}>
        {token !== null ? <Finish key={token} token={token} /> : isCustomer ? <Own /> : query.has('begin') ? <Begin /> : <Standing />}
      </Suspense>
    </>
  )
}

function Standing() {
  const own = useRegain(true)
  if (own.data === undefined) return own.error === null ? <ScreenSkeleton /> : <Failure error={own.error} />
  return own.data === null ? <Intro /> : <Request regain={own.data} />
}

/** Of a customer who is logged in. */
function Own() {
  const { t } = useTranslation()
  const papers = usePapers()
  if (papers.data === undefined) return papers.error === null ? <ScreenSkeleton /> : <Failure error={papers.error} />
  // The reasons are shown there, part by part.
  if (papers.data.state === 'rejected') return <Navigate to="/kyc" />
  return (
    <div className="flex flex-1 flex-col gap-4 px-4 pt-2 pb-6">
      <p className="text-15 text-fg2">{t('reverify.own')}</p>
      <ButtonLink to="/safety" isWide>
        {t('reverify.ownSafety')}
      </ButtonLink>
      <ButtonLink to="/kyc" variant="soft" isWide>
        {t('reverify.ownPapers')}
      </ButtonLink>
    </div>
  )
}
