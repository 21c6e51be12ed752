import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { tick } from '../../app/haptics.ts'

/** Where the finger must go sideways before the row follows it. */
const slack = 10
/** Width of the button that a short swipe uncovers. */
const button = 96
/** Swipes that begin this close to the edge of the window are the system's own gesture. */
const edge = 20
/** Part of the row's width from which a swipe runs the action by itself. */
const full = 0.6

type Drag = { readonly id: number; readonly x: number; readonly y: number; readonly width: number; by: number; isMoving: boolean }

/**
 * A row that uncovers an action when a finger swipes it towards its start: to the left, or to the right in a language that is written
 * from the right. A full swipe runs the action. The action must also have a button in the row, because keyboards and screen readers
 * don't swipe.
 */
export function Swipe({
  label,
  onAction,
  children,
}: {
  readonly label: string
  readonly onAction: () => void
  readonly children: ReactNode
}) {
  const { row, moved, isCovered, run, down, move, up } = useSwipe(onAction)
  return (
    <div className="relative overflow-hidden">
      {!isCovered && (
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          onClick={run}
          style={{ width: button }}
          className="absolute inset-y-0 end-0 flex items-center justify-center bg-dangertint px-2 text-center text-13 font-semibold text-danger"
        >
          {label}
        </button>
      )}
      <div
        ref={row}
        className={`relative touch-pan-y ${isCovered ? '' : 'bg-bg'}`}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={up}
        // The click that ends a swipe belongs to no button under the finger.
        onClickCapture={(event) => {
          if (!moved.current) return
          moved.current = false
          event.preventDefault()
          event.stopPropagation()
        }}
      >
        {children}
      </div>
    </div>
  )
}

function sign(element: HTMLElement): 1 | -1 {
  return getComputedStyle(element).direction === 'rtl' ? -1 : 1
}

/** Follows a finger: what the row and its button need. `moved` tells whether the last touch was a swipe. */
function useSwipe(onAction: () => void) {
  const row = useRef<HTMLDivElement>(null)
  const drag = useRef<Drag>(undefined)
  const moved = useRef(false)
  const [isOpen, setIsOpen] = useState(false)
  const [isCovered, setIsCovered] = useState(true)

  const place = (by: number, isSettling: boolean): void => {
    const element = row.current
    if (element === null) return
    element.style.transition = isSettling ? 'transform 180ms ease-out' : ''
    element.style.transform = by === 0 ? '' : `translateX(${by * sign(element)}px)`
  }
  const settle = (opens: boolean): void => {
    setIsOpen(opens)
    if (!opens) setIsCovered(true)
    place(opens ? -button : 0, true)
  }
  const run = (): void => {
    settle(false)
    tick(12)
    onAction()
  }

  useEffect(() => {
    if (!isOpen) return undefined
    const close = (event: Event): void => {
      if (row.current?.parentElement?.contains(event.target as Node) !== true) settle(false)
    }
    addEventListener('pointerdown', close)
    return () => removeEventListener('pointerdown', close)
  })

  const down = (event: PointerEvent<HTMLDivElement>): void => {
    const { clientX: x, clientY: y, pointerId: id, pointerType, isPrimary } = event
    moved.current = false
    if (pointerType === 'mouse' || !isPrimary || x < edge || x > innerWidth - edge) return
    drag.current = { id, x, y, width: event.currentTarget.offsetWidth, by: isOpen ? -button : 0, isMoving: false }
  }
  const move = (event: PointerEvent<HTMLDivElement>): void => {
    const now = drag.current
    if (now === undefined || now.id !== event.pointerId) return
    const along = (event.clientX - now.x) * sign(event.currentTarget)
    if (!now.isMoving) {
      if (Math.abs(along) < slack || Math.abs(along) < Math.abs(event.clientY - now.y)) return
      now.isMoving = true
      moved.current = true
      setIsCovered(false)
      event.currentTarget.setPointerCapture(now.id)
    }
    const by = Math.max(-now.width, Math.min(0, along + (isOpen ? -button : 0)))
    if (by <= -now.width * full !== now.by <= -now.width * full) tick()
    now.by = by
    place(by, false)
  }
  const up = (event: PointerEvent<HTMLDivElement>): void => {
    const now = drag.current
    if (now === undefined || now.id !== event.pointerId) return
    drag.current = undefined
    if (!now.isMoving) {
      if (isOpen && now.by === -button) settle(false)
    } else if (event.type === 'pointerup' && now.by <= -now.width * full) run()
    // A gesture that the browser takes over ends where it began.
    else settle(event.type === 'pointerup' ? now.by <= -button / 2 : isOpen)
  }

  return { row, moved, isCovered, run, down, move, up }
}
