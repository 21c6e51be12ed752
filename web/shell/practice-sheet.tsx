import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import { useFormats } from '../app/format.ts'
import { useTranslation } from '../app/translate.ts'
import { Sheet } from '../parts/ui/sheet.tsx'

/** Explains practice mode and the current source of prices. */
export function PracticeSheet({
  config,
  prices,
  onClose,
}: {
  readonly config: WireConfig
  readonly prices: string
  readonly onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormats()
  const { mode, feed } = config
  const hint =
    feed.mode === 'live'
      ? t('practice.pricesLiveHint')
      : feed.mode === 'replay'
        ? t('practice.pricesReplayHint')
        : t('practice.pricesSimulatedHint')
  return (
    <Sheet isOpen onClose={onClose} title={mode === 'sandbox' ? t('shell.practice') : prices}>
      <div className="flex flex-col gap-3 pb-2 text-15 text-fg2">
        {mode === 'sandbox' && <p>{t('practice.practiceHint')}</p>}
        <p>{hint}</p>
        {feed.isFallback && <p>{t('practice.pricesFallback')}</p>}
        {feed.mode === 'live' && (
          <ul className="flex flex-col gap-2">
            {feed.venues.map((venue) => (
              <li key={venue.name} className="flex items-center justify-between">
                <span className="text-fg">{venue.name}</span>
                <span className={venue.isUp ? 'text-ok' : 'text-fg3'}>
                  {venue.isUp
                    ? t('practice.sourceUp', { seconds: format.number(Math.round(venue.ageMs / 100) / 10, 1, 1) })
                    : t('practice.sourceDown')}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Sheet>
  )
}
