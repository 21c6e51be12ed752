import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from '../../app/translate.ts'

/** A step: how far everything is, the heading, the content, and the buttons at the end of the screen. */
export function StepPage({
  at,
  done,
  title,
  takesFocus,
  children,
  footer,
}: {
  /** The place of this step, from 0. */
  readonly at: number
  /** For each step, whether nothing is missing in it. */
  readonly done: readonly boolean[]
  readonly title: string
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
  return (
    <div className="flex flex-1 flex-col">
      <div className="flex flex-1 flex-col gap-5 px-4 pt-1 pb-4">
        <div className="flex flex-col gap-2">
          <div aria-hidden className="flex gap-1">
            {done.map((isDone, place) => (
              <span key={place} className={`h-1 flex-1 rounded-full ${place === at ? 'bg-brand' : isDone ? 'bg-ok' : 'bg-s3'}`} />
            ))}
          </div>
          <p className="tn text-12 text-fg2">{t('papers.step', { step: at + 1, steps: done.length })}</p>
          <h2 ref={heading} tabIndex={-1} className="text-22 font-semibold outline-none">
            {title}
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
