/** A pane that is dragged by its head onto another one: the two change their places. */
import type { TerminalPane } from '@candor/core/protocol/wire/own/preferences.ts'
import { ArrowLeftRight } from 'lucide-react'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import type { Placed } from './arrange.ts'

type Point = { readonly x: number; readonly y: number }

/** `over`: the pane that gets the place of the moved one if it is dropped now. */
export type Moving = { readonly pane: TerminalPane; readonly over: TerminalPane | undefined; readonly start: Point }

/** Height of a pane's head, in pixels. */
const headHeight = 32
/** A pointer that moves less than this has clicked. */
const least = 6
/** What has a use of its own for the pointer. */
const busy = 'button, a, input, select, textarea, label, [role=slider], canvas, dialog'

/** Handlers of the grid, and the pane that is moved. Escape and a drop outside of another pane change nothing. */
export function useMoving(onSwap: (one: TerminalPane, other: TerminalPane) => void) {
  const held = useRef<Moving>(undefined)
  const [moving, setMoving] = useState<Moving>()
  const isMoving = moving !== undefined
  const end = (): void => {
    held.current = undefined
    setMoving(undefined)
  }
  useEffect(() => {
    if (!isMoving) return undefined
    const cancel = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      held.current = undefined
      setMoving(undefined)
    }
    addEventListener('keydown', cancel, true)
    return () => removeEventListener('keydown', cancel, true)
  }, [isMoving])
  const handlers = {
    onPointerDown({ button, isPrimary, target, clientX: x, clientY: y }: PointerEvent<HTMLElement>): void {
      const element = paneOf(target)
      if (button !== 0 || !isPrimary || element === undefined || (target as Element).closest(busy) !== null) return
      const below = y - element.getBoundingClientRect().top
      if (below >= 0 && below <= headHeight) held.current = { pane: nameOf(element), over: undefined, start: { x, y } }
    },
    onPointerMove({ currentTarget, pointerId, buttons, clientX: x, clientY: y }: PointerEvent<HTMLElement>): void {
      if (held.current === undefined) return
      // It was released outside of the window.
      if (buttons === 0) return end()
      const { pane, start } = held.current
      if (!isMoving && Math.hypot(x - start.x, y - start.y) < least) return
      if (!isMoving) {
        currentTarget.setPointerCapture(pointerId)
        getSelection()?.removeAllRanges()
      }
      const under = paneOf(document.elementFromPoint(x, y))
      const over = under === undefined || nameOf(under) === pane ? undefined : nameOf(under)
      if (isMoving && over === held.current.over) return
      held.current = { pane, over, start: { x, y } }
      setMoving(held.current)
    },
    onPointerUp(): void {
      // Of the last move, which may not be rendered yet.
      const { pane, over } = held.current ?? {}
      end()
      if (pane !== undefined && over !== undefined) onSwap(pane, over)
    },
    onPointerCancel: end,
  }
  return { moving, handlers }
}

/** The place where the pane would be dropped, and the names of the two panes at the pointer. */
export function MovedPane({ moving: { pane, over, start }, panes }: { readonly moving: Moving; readonly panes: readonly Placed[] }) {
  const { t } = useTranslation()
  const [{ x, y }, setAt] = useState(start)
  useEffect(() => {
    const follow = ({ clientX, clientY }: globalThis.PointerEvent): void => setAt({ x: clientX, y: clientY })
    addEventListener('pointermove', follow)
    return () => removeEventListener('pointermove', follow)
  }, [])
  const target = panes.find((placed) => placed.pane === over)
  return (
    <>
      {target !== undefined && (
        <div
          aria-hidden
          data-target={over}
          className="tm-target"
          style={{ gridColumn: target.column.join(' / '), gridRow: target.row.join(' / ') }}
        />
      )}
      <div aria-hidden className="tm-moved" style={{ left: x, top: y }}>
        {t(`terminal.pane.${pane}`)}
        {over !== undefined && (
          <>
            <ArrowLeftRight size={14} strokeWidth={1.75} />
            {t(`terminal.pane.${over}`)}
          </>
        )}
      </div>
    </>
  )
}

function paneOf(target: EventTarget | null): HTMLElement | undefined {
  return (target instanceof Element && target.closest<HTMLElement>('.tm-pane')) || undefined
}

function nameOf(element: HTMLElement): TerminalPane {
  return element.dataset['pane'] as TerminalPane
}
