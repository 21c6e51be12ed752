import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from '../app/translate.ts'
import { useConfig } from '../app/config.ts'
import { useFormats } from '../app/format.ts'
import { useFeed } from '../app/quotes.ts'
import { loadArea } from '../app/texts.ts'
import { laterSheet } from '../parts/ui/later.tsx'

const PracticeSheet = laterSheet(async () => {
  const [sheet] = await Promise.all([import('./practice-sheet.tsx'), loadArea('practice')])
  return sheet.PracticeSheet
})

/** Shown at the top while the exchange can't be reached, with the time of the shown prices. */
export function OfflineStrip() {
  const { t } = useTranslation()
  const format = useFormats()
  const { state, since } = useFeed()
  if (state !== 'offline') return null
  return (
    <p role="status" className="sticky top-0 z-30 bg-warn px-4 py-1 text-center text-12 font-medium text-bg">
      {since === 0 ? t('shell.offline') : t('shell.offlineSince', { time: format.time(since) })}
    </p>
  )
}

/** Shown while the exchange can be reached but has no new data because its database is down, with the age of the data. */
export function BehindStrip() {
  const { isBehind, since } = useFeed()
  return isBehind ? <Behind since={since} /> : null
}

function Behind({ since }: { readonly since: number }) {
  const { t } = useTranslation()
  const format = useFormats()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <p role="status" className="bg-warntint px-4 py-1 text-center text-11 text-fg2">
      {t('shell.behind', { time: format.clock(since), span: format.span(Math.max(0, now - since)) })}
    </p>
  )
}

/** Shown on every screen of a sandbox and wherever prices are not real, so that nobody confuses practice with money. */
export function PracticeStrip() {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const config = useConfig().data
  // Keeps the space while the answer is on its way, because most exchanges that run from a clone are sandboxes.
  if (config === undefined) return <div className="h-6" />
  const { mode, feed } = config
  if (mode === 'production' && feed.mode === 'live') return null
  const prices =
    feed.mode === 'live' ? t('shell.pricesLive') : feed.mode === 'replay' ? t('shell.pricesReplay') : t('shell.pricesSimulated')
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className="flex h-6 w-full items-center justify-center gap-1.5 bg-warntint px-4 text-11 font-medium text-fg2"
      >
        <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-warn" />
        <span className="truncate">{mode === 'sandbox' ? `${t('shell.practice')} · ${prices}` : prices}</span>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <PracticeSheet config={config} prices={prices} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
