import { type MouseEvent, type PointerEvent, useRef } from 'react'
import { tick } from '../../app/haptics.ts'

const holdMs = 500
const slipMax = 8

/** Handlers of a long press, a right click and the context-menu key. The click that ends a long press is not passed on. */
export function useHold(onHold: () => void) {
  const held = useRef<{ timer?: ReturnType<typeof setTimeout>; x: number; y: number; isDone: boolean }>({ x: 0, y: 0, isDone: false })
  const end = (): void => clearTimeout(held.current.timer)
  const run = (): void => {
    end()
    if (held.current.isDone) return
    held.current.isDone = true
    tick()
    onHold()
  }
  return {
    onPointerDown: ({ clientX: x, clientY: y, button }: PointerEvent) => {
      end()
      held.current = { x, y, isDone: false }
      if (button === 0) held.current.timer = setTimeout(run, holdMs)
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      if (Math.hypot(clientX - held.current.x, clientY - held.current.y) > slipMax) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault()
      run()
    },
    onKeyDown: () => {
      held.current.isDone = false
    },
    onClickCapture: (event: MouseEvent) => {
      if (!held.current.isDone) return
      held.current.isDone = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
