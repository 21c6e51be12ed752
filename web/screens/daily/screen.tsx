import { Suspense } from 'react'
import { queries } from '../../app/client.ts'
import { usePlace, navigate } from '../../app/location.ts'
import { painted } from '../../app/painted.ts'
import { loadTickers } from '../../app/quotes.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { Movers } from '../../parts/market/movers.tsx'
import { SiteVolume } from '../../parts/market/site-volume.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { later } from '../../parts/ui/later.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { LoginFirst } from '../../parts/ui/state.tsx'
import { Tabs } from '../../parts/ui/tabs.tsx'
import { askedDay } from './days.ts'
import { Profits } from './profits.tsx'
import { Statement } from './statement.tsx'

/** Below the fold, and it needs code of the perp desk, so it is loaded after the rest. */
const Funding = later(async () => {
  await painted()
  return (await import('./funding.tsx')).Funding
})

/** The day of the markets, and of the user. `?view=mine` opens the user's, `?day=2026-11-27` the statement of a day. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const isCustomer = useMe() !== undefined
  const day = askedDay(query.get('day'), Date.now())
  const view = query.get('view') === 'mine' ? 'mine' : 'markets'
  const refresh = (): Promise<unknown> =>
    Promise.all([loadTickers(), queries.invalidateQueries({ queryKey: ['own'] }), queries.invalidateQueries({ queryKey: ['volume'] })])
  if (day !== undefined && isCustomer)
    return (
      <Pull onRefresh={refresh}>
        <Statement key={day} day={day} />
      </Pull>
    )
  return (
    <Pull onRefresh={refresh}>
      <PageHeader title={t('daily.title')} />
      <Tabs
        label={t('daily.views')}
        choices={[
          { value: 'markets', label: t('daily.markets') },
          { value: 'mine', label: t('daily.mine') },
        ]}
        value={day === undefined ? view : 'mine'}
        onChange={(next) => navigate(next === 'mine' ? '/daily?view=mine' : '/daily', { replace: true })}
      />
      {day !== undefined || view === 'mine' ? (
        <div role="tabpanel" aria-label={t('daily.mine')}>
          {isCustomer ? <Profits /> : <LoginFirst text={t('daily.loginFirst')} next="/daily?view=mine" />}
        </div>
      ) : (
        <div role="tabpanel" aria-label={t('daily.markets')} className="wide-columns flex flex-col gap-6 pt-4 pb-8">
          <SiteVolume />
          <Movers kinds={['gainers', 'losers', 'volume']} />
          <Suspense fallback={<Skeleton className="mx-4 h-40" />}>
            <Funding />
          </Suspense>
        </div>
      )}
    </Pull>
  )
}
