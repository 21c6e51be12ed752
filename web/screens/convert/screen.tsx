import type { WireConvertTerms } from '@candor/core/protocol/wire/convert.ts'
import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import { queries } from '../../app/client.ts'
import { useConfig } from '../../app/config.ts'
import { usePlace } from '../../app/location.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { termsKey, useConvertTerms } from './data.ts'
import { startOf } from './form.ts'
import { History } from './history.tsx'
import { Ticket } from './ticket.tsx'

/** Converts one coin into another at a firm quote. `?from&to` choose the coins at first. */
export function Screen() {
  const { t } = useTranslation()
  const me = useMe()
  const config = useConfig()
  const terms = useConvertTerms()
  const error = config.error ?? terms.error
  const refresh = (): Promise<unknown> =>
    Promise.all([termsKey, ['own']].map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })))
  return (
    <Pull onRefresh={refresh}>
      <PageHeader title={t('convert.title')} fallback="/property" />
      <div className="flex flex-col gap-6 pt-1">
        {config.data !== undefined && terms.data !== undefined ? (
          <Desk config={config.data} terms={terms.data} />
        ) : error === null ? (
          <TicketSkeleton />
        ) : (
          <Failure error={error} />
        )}
        {me !== undefined && <History />}
      </div>
    </Pull>
  )
}

function Desk({ config, terms }: { readonly config: WireConfig; readonly terms: WireConvertTerms }) {
  const { t } = useTranslation()
  const { query } = usePlace()
  const start = startOf(query, terms.assets)
  if (!terms.isOpen || start === undefined)
    return (
      <Empty text={t('convert.closed')}>
        <ButtonLink to="/spot" variant="soft" size="medium">
          {t('convert.toSpot')}
        </ButtonLink>
      </Empty>
    )
  return <Ticket key={query.toString()} start={start} terms={terms} assets={config.assets} />
}

function TicketSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-2 px-4">
      <Skeleton className="h-28 rounded-card" />
      <Skeleton className="h-28 rounded-card" />
      <Skeleton className="mt-3 h-28" />
      <Skeleton className="h-12" />
    </div>
  )
}
