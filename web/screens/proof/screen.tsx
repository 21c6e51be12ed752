import { Suspense } from 'react'
import { queries } from '../../app/client.ts'
import { painted } from '../../app/painted.ts'
import { useTranslation } from '../../app/translate.ts'
import { later } from '../../parts/ui/later.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Bounds, Worth } from './bounds.tsx'
import { Findings } from './findings.tsx'
import { Journal } from './journal.tsx'
import { Own } from './own.tsx'
import { Receipts } from './receipts.tsx'
import { Totals } from './totals.tsx'

/** Below the fold, with the checks of every kind of file. */
const CheckFile = later(async () => {
  await painted()
  return (await import('./check-file.tsx')).CheckFile
})

/** What this device can check of the exchange: its journal, what it owes, its receipts, and any file that it gave. */
export function Screen() {
  const { t } = useTranslation()
  return (
    <Pull onRefresh={() => queries.refetchQueries({ type: 'active' })}>
      <PageHeader title={t('verify.title')} fallback="/me" />
      <p className="px-4 pt-1 text-15 text-pretty text-fg2">{t('verify.lead')}</p>
      <div className="wide-flow flex flex-col gap-6 pt-5 pb-10">
        <Findings />
        <Journal />
        <Own />
        <Totals />
        <Receipts />
        <Suspense fallback={<Skeleton className="mx-4 h-40" />}>
          <CheckFile />
        </Suspense>
        <Bounds />
        <Worth />
      </div>
    </Pull>
  )
}
