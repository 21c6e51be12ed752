import { Suspense } from 'react'
import { usePlace } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { ProofGate } from '../../parts/account/proof-gate.tsx'
import { refreshFirms } from '../../parts/firm/data.ts'
import { later } from '../../parts/ui/later.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { LoginFirst } from '../../parts/ui/state.tsx'
import { FirmList } from './firms.tsx'

/** One firm, which most people open from the list. */
const FirmPage = later(async () => (await import('./firm.tsx')).FirmPage)

/** Firms that the person is a member of, or one of them. `?firm`: its id. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const isVisitor = useMe() === undefined
  const firm = query.get('firm')
  return (
    <Pull onRefresh={refreshFirms}>
      {isVisitor ? (
        <>
          <PageHeader title={t('firm.title')} fallback="/me" />
          <p className="px-4 pb-3 text-13 text-fg2">{t('firm.lead')}</p>
          <LoginFirst text={t('firm.loginFirst')} next="/organization" />
        </>
      ) : firm === null ? (
        <FirmList />
      ) : (
        <Suspense fallback={<RowsSkeleton rows={6} />}>
          <FirmPage key={firm} id={firm} />
        </Suspense>
      )}
      <ProofGate />
    </Pull>
  )
}
