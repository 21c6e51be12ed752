import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { navigate } from '../../app/location.ts'
import { problemOf } from '../../app/problem.ts'
import { supportLink } from './support-link.ts'
import { type Translate, useTranslation } from '../../app/translate.ts'
import { create } from 'zustand'

export type Toast = {
  readonly text: string
  readonly detail?: string
  readonly tone?: 'plain' | 'good' | 'bad'
  /** A tap on the action also closes the toast. */
  readonly action?: { readonly text: string; readonly run: () => void }
  /** Whether the toast stays until it is closed. Otherwise it stays 4 s, or 7 s with an action or an error. */
  readonly stays?: boolean
}

type Shown = Toast & { readonly id: number }

const useToasts = create<{ readonly list: readonly Shown[] }>(() => ({ list: [] }))
let nextId = 1

/** Shows a message for a moment, above everything and without taking the focus. Returns a function that closes it. */
export function toast(next: Toast): () => void {
  const id = nextId++
  useToasts.setState(({ list }) => ({ list: [...list.slice(-2), { ...next, id }] }))
  const close = (): void => useToasts.setState(({ list }) => ({ list: list.filter((shown) => shown.id !== id) }))
  if (next.stays !== true) setTimeout(close, next.action !== undefined || next.tone === 'bad' ? 7_000 : 4_000)
  return close
}

/** Shows why a request failed, with the way out or the code for support. */
export function toastProblem(error: unknown, t: Translate): void {
  const { text, code, way } = problemOf(error, t)
  // A way out replaces the code: nobody needs support for it, and there is time to read.
  if (way !== undefined) toast({ text, tone: 'bad', stays: true, action: { text: t(way.text), run: () => navigate(way.to) } })
  else if (code === undefined) toast({ text, tone: 'bad' })
  else {
    const action = { text: t('common.askSupport'), run: () => navigate(supportLink('code', code)) }
    toast({ text, tone: 'bad', detail: t('common.supportCode', { code }), action })
  }
}

/** Renders the toasts; used once, in the shell. A popover, so that they are above open sheets too. */
export function Toasts() {
  const { t } = useTranslation()
  const list = useToasts((state) => state.list)
  const ref = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = ref.current
    if (element === null || typeof element.showPopover !== 'function') return
    if (element.matches(':popover-open')) element.hidePopover()
    if (list.length > 0) element.showPopover()
  }, [list])

  const close = (id: number): void => useToasts.setState((state) => ({ list: state.list.filter((shown) => shown.id !== id) }))
  return (
    <div ref={ref} popover="manual" role="status" aria-live="polite" className="toasts">
      <div className="flex flex-col gap-2">
        {list.map(({ id, text, detail, tone = 'plain', action }) => (
          <div key={id} className="toast flex items-center gap-3 rounded-control bg-s3 px-3.5 py-2.5 text-fg">
            {tone === 'good' ? (
              <CircleCheck size={20} strokeWidth={1.75} aria-hidden className="shrink-0 text-ok" />
            ) : tone === 'bad' ? (
              <CircleAlert size={20} strokeWidth={1.75} aria-hidden className="shrink-0 text-danger" />
            ) : (
              <Info size={20} strokeWidth={1.75} aria-hidden className="shrink-0 text-brand" />
            )}
            <div className="min-w-0 flex-1">
              <p className="text-13 font-medium">{text}</p>
              {detail !== undefined && <p className="tn text-12 text-fg2">{detail}</p>}
            </div>
            {action !== undefined && (
              <button
                type="button"
                className="min-h-8 shrink-0 px-1 text-13 font-semibold text-brand"
                onClick={() => {
                  close(id)
                  action.run()
                }}
              >
                {action.text}
              </button>
            )}
            <button
              type="button"
              aria-label={t('common.close')}
              className="-me-2 flex size-8 shrink-0 items-center justify-center text-fg2"
              onClick={() => close(id)}
            >
              <X size={16} strokeWidth={1.75} aria-hidden />
            </button>
          </div>
        ))}
      </div>
    </div>
  )
}
