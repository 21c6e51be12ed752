import type { WirePresaleSubscriptions } from '@candor/core/protocol/wire/presale.ts'
import { Ticket } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { refreshPresales, useSubscriptions } from '../../parts/presale/api.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure, LoginFirst } from '../../parts/ui/state.tsx'
import { ReleasesSheet } from './releases-sheet.tsx'
import { SubscriptionCard } from './subscription-card.tsx'

/** The user's subscriptions to presales, with what is released and what is locked. */
export function Screen() {
  const { t } = useTranslation()
  const me = useMe()
  const own = useSubscriptions()
  return (
    <Pull onRefresh={() => refreshPresales()}>
      <PageHeader title={t('presale.mine')} fallback="/sellList" />
      {me === undefined ? (
        <LoginFirst text={t('presale.mineLogin')} next="/Sellrecord" />
      ) : own.data !== undefined ? (
        <List subscriptions={own.data} />
      ) : own.error === null ? (
        <div aria-hidden className="flex flex-col gap-3 px-4 pt-1">
          <Skeleton className="h-56 rounded-card" />
          <Skeleton className="h-56 rounded-card" />
        </div>
      ) : (
        <Failure error={own.error} onRetry={() => void own.refetch()} />
      )}
    </Pull>
  )
}

function List({ subscriptions }: WirePresaleSubscriptions) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<number>()
  const shown = subscriptions.find(({ presale }) => presale === opened)
  if (subscriptions.length === 0)
    return (
      <Empty text={t('presale.noneMine')} icon={<Ticket size={22} strokeWidth={1.75} />}>
        <ButtonLink to="/sellList" variant="soft" size="medium">
          {t('presale.all')}
        </ButtonLink>
      </Empty>
    )
  return (
    <div className="flex flex-col gap-3 px-4 pt-1 pb-8">
      {subscriptions.map((one) => (
        <SubscriptionCard key={one.presale} subscription={one} onReleases={() => setOpened(one.presale)} />
      ))}
      <a
        href="#/propertyRecord?type=presale-release"
        className="flex min-h-11 items-center justify-center text-13 font-semibold text-brand"
      >
        {t('presale.records')}
      </a>
      {shown !== undefined && <ReleasesSheet number={shown.presale} symbol={shown.symbol} onClose={() => setOpened(undefined)} />}
    </div>
  )
}
