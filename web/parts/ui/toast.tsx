import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
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

/**
 * The toasts, each from the second frame after it was sent. A sheet that closes with its answer hides the region of the toasts until then,
 * and what comes back together with its region is not announced.
 */
function useTold(): readonly Shown[] {
  const list = useToasts((state) => state.list)
  const [told, setTold] = useState(list)
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setTold(list))
    })
    return () => cancelAnimationFrame(frame)
  }, [list])
  return useMemo(() => told.filter((one) => list.includes(one)), [told, list])
}

/**
 * Renders the toasts; used once, in the shell. A popover, so that they are above open sheets too. It is shown even while it is empty,
 * because screen readers announce what comes into a region that is already there.
 */
export function Toasts() {
  const list = useTold()
  const ref = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = ref.current
    if (element === null || typeof element.showPopover !== 'function') return
    const isOpen = element.matches(':popover-open')
    // Shown again, it is above a sheet that was opened later.
    if (isOpen && list.length > 0 && document.querySelector('dialog:modal') !== null) element.hidePopover()
    else if (isOpen) return
    element.showPopover()
  }, [list])

  const close = (id: number): void => useToasts.setState((state) => ({ list: state.list.filter((shown) => shown.id !== id) }))
  return (
    <div ref={ref} popover="manual" role="status" aria-live="polite" className="toasts">
      <div className="flex flex-col gap-2">
        {list.map(({ id, ...told }) => (
          <div key={id} className="toast flex items-center gap-3 rounded-control bg-s3 px-3.5 py-2.5 text-fg">
            <ToastContent told={told} onClose={() => close(id)} />
          </div>
        ))}
      </div>
    </div>
  )
}

/** What a message says, its action, and the button that closes it. */
export function ToastContent({ told, onClose }: { readonly told: Toast; readonly onClose: () => void }) {
  const { t } = useTranslation()
  const { text, detail, tone = 'plain', action } = told
  const Icon = tone === 'good' ? CircleCheck : tone === 'bad' ? CircleAlert : Info
  const colour = tone === 'good' ? 'text-ok' : tone === 'bad' ? 'text-danger' : 'text-brand'
  return (
    <>
      <Icon size={20} strokeWidth={1.75} aria-hidden className={`shrink-0 ${colour}`} />
      <div className="min-w-0 flex-1">
        <p className="text-13 font-medium break-words">{text}</p>
        {detail !== undefined && detail !== '' && <p className="tn text-12 break-words text-fg2">{detail}</p>}
      </div>
      {action !== undefined && (
        <button
          type="button"
          className="min-h-8 shrink-0 px-1 text-13 font-semibold text-brand"
          onClick={() => {
            onClose()
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
        onClick={onClose}
      >
        <X size={16} strokeWidth={1.75} aria-hidden />
      </button>
    </>
  )
}
