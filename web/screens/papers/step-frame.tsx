import type { WirePapers } from '@candor/core/protocol/wire/papers.ts'
import { CircleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { isDone, type Step, stepsOf } from './steps.ts'
import { stepText } from './words.ts'

/** A step: how far the check is, the heading, the content, and the buttons at the end of the screen. */
export function StepFrame({
  papers,
  step,
  takesFocus,
  children,
  footer,
}: {
  readonly papers: WirePapers
  readonly step: Step
  /** Whether the customer came here from another step, so that screen readers begin at the heading. */
  readonly takesFocus: boolean
  readonly children: ReactNode
  readonly footer: ReactNode
}) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!takesFocus) return
    scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  const steps = stepsOf(papers.kind)
  const at = steps.indexOf(step)
  return (
    <div className="flex flex-1 flex-col">
      <div className="flex flex-1 flex-col gap-5 px-4 pt-1 pb-4">
        <div className="flex flex-col gap-2">
          <div aria-hidden className="flex gap-1">
            {steps.map((one, place) => (
              <span
                key={one}
                className={`h-1 flex-1 rounded-full ${place === at ? 'bg-brand' : isDone(papers, one) ? 'bg-ok' : 'bg-s3'}`}
              />
            ))}
          </div>
          <p className="tn text-12 text-fg2">{t('papers.step', { step: at + 1, steps: steps.length })}</p>
          <h2 ref={heading} tabIndex={-1} className="text-22 font-semibold outline-none">
            {stepText(step, papers.kind, t)}
          </h2>
        </div>
        {children}
      </div>
      <Footer>{footer}</Footer>
    </div>
  )
}

/** Buttons that stay in view while the content scrolls. */
export function Footer({ children }: { readonly children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-10 flex flex-col gap-2 bg-bg px-4 pt-2 pb-[calc(16px+env(safe-area-inset-bottom))]">{children}</div>
  )
}

/** Why a part was turned down, at that part. */
export function FaultNote({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <p id={id} className="flex gap-2 rounded-control bg-dangertint px-3 py-2.5 text-13 text-danger">
      <CircleAlert size={18} strokeWidth={1.75} aria-hidden className="shrink-0" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}
