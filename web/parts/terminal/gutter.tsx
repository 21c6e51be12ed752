import { type PointerEvent, useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { type Handle, keyStep } from './arrange.ts'

/** A gutter between panes: dragged, or moved with the arrow keys. `onMove` shows a size, `onEnd` keeps it. */
export function Gutter({
  handle,
  onMove,
  onEnd,
}: {
  readonly handle: Handle
  readonly onMove: (px: number) => void
  readonly onEnd: (px: number) => void
}) {
  const { t } = useTranslation()
  const { size, edge, now, min, max, column, row } = handle
  const isAcross = edge === 'top'
  const start = useRef<{ readonly at: number; readonly px: number }>(undefined)
  const [isHeld, setIsHeld] = useState(false)
  const clamp = (px: number): number => Math.min(max, Math.max(min, Math.round(px)))
  const at = (event: PointerEvent): number => (isAcross ? event.clientY : event.clientX)
  /** What is before its gutter grows with it, what is behind it shrinks. */
  const sign = edge === 'end' ? 1 : -1
  const moved = (event: PointerEvent): number | undefined =>
    start.current === undefined ? undefined : clamp(start.current.px + sign * (at(event) - start.current.at))
  const stop = (event: PointerEvent): void => {
    const px = moved(event)
    start.current = undefined
    setIsHeld(false)
    if (px !== undefined && px !== now) onEnd(px)
    else if (px !== undefined) onEnd(now)
  }
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={t(`terminal.size.${size}`)}
      aria-orientation={isAcross ? 'horizontal' : 'vertical'}
      aria-valuenow={now}
      aria-valuemin={min}
      aria-valuemax={max}
      data-held={isHeld}
      className={`tm-gutter tm-gutter-${edge}`}
      style={{ gridColumn: `${column[0]} / ${column[1]}`, gridRow: `${row[0]} / ${row[1]}` }}
      onPointerDown={(event) => {
        start.current = { at: at(event), px: now }
        setIsHeld(true)
        event.currentTarget.setPointerCapture(event.pointerId)
        event.preventDefault()
        event.currentTarget.focus()
      }}
      onPointerMove={(event) => {
        const px = moved(event)
        if (px !== undefined && px !== now) onMove(px)
      }}
      onPointerUp={stop}
      onPointerCancel={stop}
      onKeyDown={(event) => {
        const [less, more] = isAcross ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight']
        const by = event.key === more ? keyStep : event.key === less ? -keyStep : 0
        if (by === 0) return
        event.preventDefault()
        onEnd(clamp(now + sign * by))
      }}
    />
  )
}
