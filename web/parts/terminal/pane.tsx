import { EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { IconButton } from '../ui/button.tsx'
import type { Placed } from './arrange.ts'

/** A pane in its cell: a region that can be reached by keys. */
export function Pane({
  placed,
  isMoved,
  children,
}: {
  readonly placed: Placed
  /** Whether it is being dragged to another place. */
  readonly isMoved: boolean
  readonly children: ReactNode
}) {
  const { t } = useTranslation()
  const { pane, column, row, isHidden = false } = placed
  return (
    <section
      data-pane={pane}
      data-moved={isMoved}
      hidden={isHidden}
      tabIndex={-1}
      aria-label={t(`terminal.pane.${pane}`)}
      className="tm-pane"
      style={{ gridColumn: `${column[0]} / ${column[1]}`, gridRow: `${row[0]} / ${row[1]}` }}
    >
      {children}
    </section>
  )
}

/** The line above a pane's content: its name or tabs, and a button that hides the pane. */
export function PaneHead({
  name,
  onHide,
  children,
}: {
  /** Of the pane. */
  readonly name: string
  readonly onHide?: (() => void) | undefined
  readonly children: ReactNode
}) {
  const { t } = useTranslation()
  return (
    <div className="tm-head">
      {children}
      {onHide !== undefined && (
        <IconButton label={t('terminal.hide', { pane: name })} className="tm-icon" onClick={onHide}>
          <EyeOff size={14} strokeWidth={1.75} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
