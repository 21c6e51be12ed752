import type { WirePresaleSchedule } from '@candor/core/protocol/wire/presale.ts'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Lock } from 'lucide-react'
import { useState } from 'react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { ownPresaleKey, presale } from '../../parts/presale/api.ts'
import { Button } from '../../parts/ui/button.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { Sheet } from '../../parts/ui/sheet.tsx'
import { RowsSkeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'

/** A lock-up of years has a release each day. */
const pageSize = 60

/** All releases of a subscription, those that happened and those to come. */
export function ReleasesSheet({
  number,
  symbol,
  onClose,
}: {
  readonly number: number
  readonly symbol: string
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const query = useQuery({ queryKey: [...ownPresaleKey, 'schedule', number], queryFn: () => presale.schedule(number) })
  return (
    <Sheet isOpen onClose={onClose} title={t('presale.releases')}>
      <p className="pb-2 text-13 text-pretty text-fg2">{t('presale.byItself')}</p>
      {query.data !== undefined ? (
        <Releases releases={query.data.releases} symbol={symbol} />
      ) : query.error === null ? (
        <RowsSkeleton rows={4} />
      ) : (
        <Failure error={query.error} onRetry={() => void query.refetch()} isSmall />
      )}
    </Sheet>
  )
}

function Releases({ releases, symbol }: { readonly releases: WirePresaleSchedule['releases']; readonly symbol: string }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [count, setCount] = useState(pageSize)
  return (
    <>
      <ul tabIndex={0} aria-label={t('presale.releases')}>
        {releases.slice(0, count).map(({ day, at, amount, isFree }) => (
          <li key={day} className="flex min-h-12 items-center gap-3 border-b border-line py-1.5 last:border-0">
            {isFree ? (
              <CircleCheck size={18} strokeWidth={1.75} aria-hidden className="shrink-0 text-ok" />
            ) : (
              <Lock size={18} strokeWidth={1.75} aria-hidden className="shrink-0 text-fg3" />
            )}
            <span className="flex min-w-0 flex-1 flex-col">
              <time className="tn text-13" dateTime={new Date(at).toISOString()} title={format.utc(at)}>
                {format.dateTime(at)}
              </time>
              <span className={`text-12 ${isFree ? 'text-ok' : 'text-fg3'}`}>{t(isFree ? 'presale.released' : 'presale.locked')}</span>
            </span>
            <Amount value={amount} asset={symbol} className="text-13 font-medium" />
          </li>
        ))}
      </ul>
      {count < releases.length && (
        <Button variant="ghost" size="medium" isWide onClick={() => setCount(count + pageSize)}>
          {t('presale.moreReleases')}
        </Button>
      )}
    </>
  )
}
