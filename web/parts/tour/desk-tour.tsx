import type { DeskName } from '@candor/core/protocol/wire/own/preferences.ts'
import { BookA, Route, X } from 'lucide-react'
import { Suspense, useCallback, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { later } from '../ui/later.tsx'
import { useGuide } from './guide.ts'

const Tour = later(() => import('./tour.tsx').then((module) => module.Tour))

/**
 * At the end of a desk: its tour and the terms, at any time. On the first visit a small chip offers the tour, until it is taken or
 * closed; nothing waits for it.
 */
export function DeskTour({ desk }: { readonly desk: DeskName }) {
  const { t } = useTranslation()
  const { guide, sawTour } = useGuide()
  const [isRunning, setIsRunning] = useState(false)
  const end = useCallback(() => setIsRunning(false), [])
  const start = (): void => {
    sawTour(desk)
    setIsRunning(true)
  }
  return (
    <>
      <nav aria-label={t('tour.menu')} className="flex flex-wrap justify-center gap-x-2 px-4 py-4">
        <Button variant="ghost" size="small" className="whitespace-normal!" onClick={start}>
          <Route size={16} strokeWidth={1.75} aria-hidden />
          {t('tour.again')}
        </Button>
        <a href="#/help" className="press inline-flex min-h-8 max-w-full items-center gap-2 px-3 text-13 font-semibold text-brand">
          <BookA size={16} strokeWidth={1.75} aria-hidden />
          {t('tour.terms')}
        </a>
      </nav>
      {!guide.tours.includes(desk) && <Offer desk={desk} onStart={start} onClose={() => sawTour(desk)} />}
      <Suspense fallback={null}>{isRunning && <Tour desk={desk} onEnd={end} />}</Suspense>
    </>
  )
}

/** The chip: over the book, or over the chart of a desk that has none; never over what the ticket says. */
function Offer({ desk, onStart, onClose }: { readonly desk: DeskName; readonly onStart: () => void; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const side = 'max(0.75rem, calc(50vw - 19rem))'
  const place =
    desk === 'option'
      ? { insetInlineStart: side, top: 'calc(12.5rem + env(safe-area-inset-top))' }
      : { insetInlineEnd: side, bottom: 'calc(4.75rem + env(safe-area-inset-bottom))', maxWidth: 'min(37vw, 14rem)' }
  return (
    <aside aria-label={t('tour.offer')} className="fixed z-10 flex items-center rounded-card border border-line bg-s2 ps-1" style={place}>
      <Button variant="ghost" size="small" className="whitespace-normal! px-2! text-start" onClick={onStart}>
        {t('tour.offer')}
      </Button>
      <button
        type="button"
        aria-label={t('tour.decline')}
        onClick={onClose}
        className="press flex size-8 shrink-0 items-center justify-center text-fg2"
      >
        <X size={16} strokeWidth={1.75} aria-hidden />
      </button>
    </aside>
  )
}
