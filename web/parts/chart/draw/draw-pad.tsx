import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { PriceChart } from '../chart.ts'
import type { Frame } from '../frame.ts'
import { DrawHint } from './draw-hint.tsx'
import type { Pending } from './drawings.ts'

/** A finger that moves less than this many pixels taps. */
const slipMax = 6

type Place = { readonly x: number; readonly y: number }
type Props = {
  readonly pending: Pending
  readonly chart: RefObject<PriceChart | undefined>
  readonly onStop: () => void
}

/**
 * Draws by finger. The cross moves as far as the finger does, wherever that is, so that the finger hides no point; a tap brings the cross
 * there. A button sets the point.
 */
export function DrawPad({ pending, chart, onStop }: Props) {
  const frame = useRef<Frame>(undefined)
  const cross = useRef<Place>(undefined)
  const held = useRef<{ readonly finger: Place; readonly cross: Place; isDrag: boolean }>(undefined)
  const [isMoved, setIsMoved] = useState(true)

  const put = ({ x, y }: Place): void => {
    const { width = 0, height = 0 } = frame.current ?? {}
    cross.current = { x: Math.min(width - 1, Math.max(0, x)), y: Math.min(height - 1, Math.max(0, y)) }
    chart.current?.drawings.aim(cross.current.x, cross.current.y)
    setIsMoved(true)
  }
  const begin = useRef(put)
  useEffect(() => {
    const leave = chart.current?.onFrame((next) => (frame.current = next))
    begin.current({ x: (frame.current?.width ?? 0) / 2, y: (frame.current?.height ?? 0) / 2 })
    return leave
  }, [chart])

  const set = (): void => {
    if (cross.current === undefined) return
    setIsMoved(false)
    chart.current?.drawings.set(cross.current.x, cross.current.y)
  }
  const place = (event: PointerEvent<HTMLElement>): Place => {
    const box = event.currentTarget.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }
  return (
    <>
      <div
        data-pad
        className="absolute inset-0 z-20 touch-none"
        onPointerDown={(event) => {
          if (cross.current === undefined) return
          event.currentTarget.setPointerCapture(event.pointerId)
          held.current = { finger: place(event), cross: cross.current, isDrag: false }
        }}
        onPointerMove={(event) => {
          const from = held.current
          if (from === undefined) return
          const { x, y } = place(event)
          const [right, down] = [x - from.finger.x, y - from.finger.y]
          if (!from.isDrag && Math.hypot(right, down) <= slipMax) return
          from.isDrag = true
          put({ x: from.cross.x + right, y: from.cross.y + down })
        }}
        onPointerUp={(event) => {
          if (held.current?.isDrag === false) put(place(event))
          held.current = undefined
        }}
        onPointerCancel={() => (held.current = undefined)}
      />
      <DrawHint pending={pending} onStop={onStop} cross={{ onSet: isMoved ? set : undefined }} />
    </>
  )
}
