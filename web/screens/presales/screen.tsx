import { Rocket, Ticket } from 'lucide-react'
import { useTranslation } from '../../app/translate.ts'
import { useNow } from '../../parts/live/clock.ts'
import { type OwnPresale, refreshPresales, usePresales } from '../../parts/presale/api.ts'
import { groups, inGroup } from '../../parts/presale/standing.ts'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { Card } from './card.tsx'

/** Presales that are open, that will open, and that are over. */
export function Screen() {
  const { t } = useTranslation()
  const presales = usePresales()
  return (
    <Pull onRefresh={() => refreshPresales()}>
      <PageHeader title={t('presale.title')} />
      <div className="flex flex-col px-4">
        <p className="text-13 text-pretty text-fg2">{t('presale.lead')}</p>
        <a href="#/Sellrecord" className="flex min-h-11 items-center gap-1.5 self-start text-13 font-semibold text-brand">
          <Ticket size={18} strokeWidth={1.75} aria-hidden />
          {t('presale.mine')}
        </a>
      </div>
      {presales.data !== undefined ? (
        <Groups presales={presales.data} />
      ) : presales.error === null ? (
        <CardsSkeleton />
      ) : (
        <Failure error={presales.error} />
      )}
    </Pull>
  )
}

function Groups({ presales }: { readonly presales: readonly OwnPresale[] }) {
  const { t } = useTranslation()
  const now = useNow(60_000)
  if (presales.length === 0) return <Empty text={t('presale.none')} icon={<Rocket size={22} strokeWidth={1.75} />} />
  return (
    <div className="flex flex-col gap-6 pt-3 pb-8">
      {groups.map((group) => {
        const shown = inGroup(group, presales)
        if (shown.length === 0) return null
        return (
          <section key={group} className="flex flex-col gap-3 px-4">
            <h2 className="text-17 font-semibold">{t(`presale.group.${group}`)}</h2>
            {shown.map((presale) => (
              <Card key={presale.number} presale={presale} group={group} now={now} />
            ))}
          </section>
        )
      })}
    </div>
  )
}

function CardsSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-3 px-4 pt-3">
      <Skeleton className="h-6 w-24" />
      <Skeleton className="h-72 rounded-card" />
      <Skeleton className="h-72 rounded-card" />
    </div>
  )
}
