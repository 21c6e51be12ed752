import { Suspense } from 'react'
import { queries } from '../../app/client.ts'
import { painted } from '../../app/painted.ts'
import { loadArea } from '../../app/texts.ts'
import { useTranslation } from '../../app/translate.ts'
import { later } from '../../parts/ui/later.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Bounds, Worth } from './bounds.tsx'
import { Findings } from './findings.tsx'
import { Journal } from './journal.tsx'
import { Own } from './own.tsx'
import { Totals } from './totals.tsx'

/** All are below the fold; receipts and files have the names of all that receipts can be about. */
const Receipts = later(async () => {
  await painted()
  const [part] = await Promise.all([import('./receipts.tsx'), loadArea('receipts'), loadArea('activity')])
  return part.Receipts
})
const Reserves = later(async () => {
  await painted()
  const [part] = await Promise.all([import('./reserves.tsx'), loadArea('reserves')])
  return part.Reserves
})
const CheckFile = later(async () => {
  await painted()
  const [part] = await Promise.all([import('./check-file.tsx'), loadArea('receipts'), loadArea('reserves'), loadArea('activity')])
  return part.CheckFile
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
        <Suspense fallback={<Skeleton className="mx-4 h-40" />}>
          <Reserves />
        </Suspense>
        <Suspense fallback={<Skeleton className="mx-4 h-40" />}>
          <Receipts />
        </Suspense>
        <Suspense fallback={<Skeleton className="mx-4 h-40" />}>
          <CheckFile />
        </Suspense>
        <Bounds />
        <Worth />
      </div>
    </Pull>
  )
}
