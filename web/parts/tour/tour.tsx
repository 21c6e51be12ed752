import type { DeskName } from '@candor/core/protocol/wire/own/preferences.ts'
import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Key } from '../../app/translate.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../ui/button.tsx'
import { type Box, cardPlace, lightOf } from './place.ts'
import { lit, selectorOf, type TourStep, tourSteps } from './steps.ts'

/**
 * Walks through the parts of a desk: each is lit, with a card beside it. A native dialog, so that the focus stays on the card and Escape
 * ends the walk. Nothing moves by itself and nothing is animated. Steps whose part is not on the screen are left out.
 */
export function Tour({ desk, onEnd }: { readonly desk: DeskName; readonly onEnd: () => void }) {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [steps] = useState(() => tourSteps[desk].filter((step) => partOf(selectorOf(desk, step, t)) !== undefined) as readonly TourStep[])
  const [at, setAt] = useState(0)
  const step = steps[at]
  const light = useLight(step === undefined ? undefined : selectorOf(desk, step, t))
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  useEffect(() => {
    if (step === undefined) onEnd()
  }, [step, onEnd])
  if (step === undefined || light === undefined) return <dialog ref={dialog} onClose={onEnd} />
  const isLast = at === steps.length - 1
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={onEnd}
      style={{ position: 'fixed', inset: 0, width: '100%', height: '100%', maxWidth: 'none', maxHeight: 'none', padding: 0, border: 0 }}
      className="overflow-hidden bg-transparent text-fg"
    >
      <div
        aria-hidden
        className="fixed rounded-card border-2 border-brand"
        style={{ ...light, boxShadow: '0 0 0 200vmax rgb(0 0 0 / 0.62)' }}
      />
      <div className="fixed inset-x-0 mx-auto px-4" style={{ ...cardPlace(light, innerHeight), maxWidth: 480 }}>
        <div className="flex flex-col gap-3 rounded-card bg-s1 p-3">
          <div aria-live="polite" className="flex flex-col gap-1">
            <p className="tn text-12 text-fg3">{t('tour.step', { number: at + 1, count: steps.length })}</p>
            <h2 id={`${id}-title`} className="text-17 font-semibold">
              {t(`tour.${desk}.${step}.title` as Key)}
            </h2>
            <p id={`${id}-text`} className="text-13 text-pretty text-fg2">
              {t(`tour.${desk}.${step}.text` as Key)}
            </p>
          </div>
          <div className="flex flex-wrap items-center justify-end gap-1.5">
            {!isLast && (
              <Button variant="ghost" size="small" className="me-auto" onClick={onEnd}>
                {t('tour.skip')}
              </Button>
            )}
            {at > 0 && (
              <Button variant="soft" size="small" onClick={() => setAt(at - 1)}>
                {t('tour.back')}
              </Button>
            )}
            <Button autoFocus size="small" onClick={() => (isLast ? onEnd() : setAt(at + 1))}>
              {isLast ? t('tour.done') : t('tour.next')}
            </Button>
          </div>
        </div>
      </div>
    </dialog>
  )
}

/** The light around the part of a step, which is scrolled into sight. */
function useLight(selector: string | undefined): Box | undefined {
  const [light, setLight] = useState<Box>()
  const measure = useCallback(() => {
    const part = selector === undefined ? undefined : partOf(selector)
    if (part !== undefined) setLight(lightOf(part.getBoundingClientRect(), { width: innerWidth, height: innerHeight }))
  }, [selector])
  useLayoutEffect(() => {
    if (selector === undefined) return
    partOf(selector)?.scrollIntoView({ block: 'center', behavior: 'instant' })
    measure()
  }, [selector, measure])
  useEffect(() => {
    addEventListener('resize', measure)
    addEventListener('scroll', measure, true)
    return () => {
      removeEventListener('resize', measure)
      removeEventListener('scroll', measure, true)
    }
  }, [measure])
  return light
}

function partOf(selector: string): Element | undefined {
  const found = document.querySelector(selector)
  return found === null ? undefined : lit(found)
}
