import { useEffect, useId, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { Button } from './button.tsx'
import { FormError } from './state.tsx'

/**
 * A sheet from below. It is a native dialog: focus stays inside, Escape and the back gesture close it, and the page behind is inert.
 * `footer` stays in view while the content scrolls. A held sheet is closed by its own button only.
 */
export function Sheet({
  isOpen,
  onClose,
  title,
  children,
  footer,
  isHeld = false,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
  readonly footer?: ReactNode
  readonly isHeld?: boolean
}) {
  const ref = useDialog(isOpen)
  const heading = useId()
  const drag = useRef({ from: 0, by: 0 })
  /** Where the finger went down: a long press that opens the sheet ends beside it, and a selection may end there, too. */
  const down = useRef<EventTarget>(undefined)

  const settle = (): void => {
    const dialog = ref.current
    if (dialog !== null) dialog.style.transform = ''
    if (drag.current.by > 90 && !isHeld) onClose()
    drag.current = { from: 0, by: 0 }
  }

  return (
    <dialog
      ref={ref}
      className="sheet"
      aria-labelledby={heading}
      // The event comes after the closing, so a sheet that was opened again meanwhile stays open.
      onClose={() => {
        if (!isOpen || ref.current?.open !== false) return
        // Browsers let the second back gesture in a row close every dialog.
        if (isHeld) ref.current.showModal()
        else onClose()
      }}
      onCancel={(event) => isHeld && event.preventDefault()}
      onKeyDown={(event) => isHeld && event.key === 'Escape' && event.preventDefault()}
      onPointerDownCapture={({ target }) => {
        down.current = target
      }}
      onClick={({ target }) => target === ref.current && down.current === target && !isHeld && onClose()}
    >
      {isOpen && (
        <>
          <div
            className="shrink-0 touch-none px-4 pt-2.5 pb-3"
            onPointerDown={(event) => {
              drag.current = { from: event.clientY, by: 0 }
              event.currentTarget.setPointerCapture(event.pointerId)
            }}
            onPointerMove={(event) => {
              if (drag.current.from === 0 || ref.current === null) return
              drag.current.by = Math.max(0, event.clientY - drag.current.from)
              ref.current.style.transform = `translateY(${drag.current.by}px)`
            }}
            onPointerUp={settle}
            onPointerCancel={settle}
          >
            {!isHeld && <div aria-hidden className="mx-auto mb-4 h-1 w-9 rounded-full bg-s3" />}
            <h2 id={heading} tabIndex={-1} className="text-17 font-semibold outline-none">
              {title}
            </h2>
          </div>
          {/* Of its own height: WebKit gives one with a basis of zero no room in a dialog that is as high as what it holds. */}
          <div className="min-h-0 grow overflow-y-auto overscroll-contain px-4 pb-4">{children}</div>
          {footer !== undefined && <div className="shrink-0 px-4 pt-2 pb-[calc(16px+env(safe-area-inset-bottom))]">{footer}</div>}
          {footer === undefined && <div className="h-[env(safe-area-inset-bottom)] shrink-0" />}
        </>
      )}
    </dialog>
  )
}

/** Opens and closes a dialog. */
function useDialog(isOpen: boolean): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    if (dialog === null) return
    if (isOpen && !dialog.open) dialog.showModal()
    if (!isOpen && dialog.open) dialog.close()
  }, [isOpen])
  // Closed while it is still in the page, a sheet that is taken away gives the focus back, too.
  useLayoutEffect(() => {
    const dialog = ref.current
    return () => dialog?.close()
  }, [])
  return ref
}

/** One line of a summary: a label and a value. */
export function SummaryRow({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 border-b border-line py-2 text-15 last:border-0">
      <dt className="text-13 text-fg2">{label}</dt>
      <dd className="tn min-w-0 text-end font-medium break-words">{children}</dd>
    </div>
  )
}

/** Asks for confirmation: rows with the details, then one button that names the action. */
export function ConfirmSheet({
  isOpen,
  onClose,
  onConfirm,
  title,
  confirm,
  tone = 'primary',
  isBusy = false,
  isDisabled = false,
  children,
  note,
  error,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
  readonly title: string
  /** The button's action, e.g. "Buy BTC". */
  readonly confirm: string
  readonly tone?: 'primary' | 'up' | 'down' | 'danger'
  readonly isBusy?: boolean
  readonly isDisabled?: boolean
  /** `SummaryRow`s; a sentence goes into `note`. */
  readonly children?: ReactNode
  readonly note?: ReactNode
  /** A sentence, or the error of a request. */
  readonly error?: unknown
}) {
  const { t } = useTranslation()
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      footer={
        <div className="flex flex-wrap gap-2">
          <Button variant="soft" className="flex-1" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button variant={tone} className="flex-[2]" isBusy={isBusy} disabled={isDisabled} onClick={onConfirm}>
            {confirm}
          </Button>
        </div>
      }
    >
      {children !== undefined && <dl className="mb-3">{children}</dl>}
      {note !== undefined && <div className="rounded-control bg-s2 p-3 text-12 text-fg2">{note}</div>}
      {typeof error === 'string' ? (
        <p role="alert" className="mt-3 rounded-control bg-dangertint p-3 text-13 text-danger">
          {error}
        </p>
      ) : (
        <div className="mt-3 empty:hidden">
          <FormError error={error} />
        </div>
      )}
    </Sheet>
  )
}
