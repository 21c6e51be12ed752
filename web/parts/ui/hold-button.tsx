import { type MouseEvent, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { tick } from '../../app/haptics.ts'
import { Button, type ButtonProps } from './button.tsx'

/** How long a finger or a key is held. */
export const holdMs = 600
const slipMax = 12
const radius = 7
const length = 2 * Math.PI * radius

/**
 * A button that acts after it was held for 600 ms, by a finger, a mouse, or the enter or space key; a ring fills meanwhile. `onTap` gets
 * everything shorter, and the activation by a screen reader, which can't hold: it explains, and offers the same action in another way.
 */
export function HoldButton({
  onHold,
  onTap,
  children,
  ...look
}: Omit<ButtonProps, 'onClick'> & { readonly onHold: () => void; readonly onTap: () => void }) {
  const [isHeld, setIsHeld] = useState(false)
  const hold = useRef<{ timer?: ReturnType<typeof setTimeout>; x: number; y: number; isDone: boolean }>({ x: 0, y: 0, isDone: false })
  // The action may have changed while the button was held.
  const latest = useRef(onHold)
  latest.current = onHold
  const end = (): void => {
    clearTimeout(hold.current.timer)
    setIsHeld(false)
  }
  const begin = (x: number, y: number): void => {
    end()
    hold.current.isDone = false
    if (look.isBusy === true || look.disabled === true) return
    tick()
    setIsHeld(true)
    const timer = setTimeout(() => {
      hold.current.isDone = true
      setIsHeld(false)
      tick(12)
      latest.current()
    }, holdMs)
    hold.current = { timer, x, y, isDone: false }
  }
  useEffect(() => {
    // A page that goes out of sight can't see the release.
    addEventListener('blur', end)
    return () => {
      removeEventListener('blur', end)
      clearTimeout(hold.current.timer)
    }
  }, [])

  const keyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    // The browser would turn the key into a click.
    event.preventDefault()
    if (!event.repeat) begin(0, 0)
  }
  const keyUp = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    const wasHeld = isHeld
    end()
    hold.current.isDone = false
    if (wasHeld) onTap()
  }
  return (
    <Button
      {...look}
      className={`touch-manipulation ${look.className ?? ''}`}
      onPointerDown={({ button, clientX, clientY }: PointerEvent) => button === 0 && begin(clientX, clientY)}
      onPointerMove={({ clientX, clientY }: PointerEvent) => {
        if (isHeld && Math.hypot(clientX - hold.current.x, clientY - hold.current.y) > slipMax) end()
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onPointerLeave={end}
      onBlur={end}
      onKeyDown={keyDown}
      onKeyUp={keyUp}
      onContextMenu={(event: MouseEvent) => event.preventDefault()}
      onClick={() => {
        if (hold.current.isDone) hold.current.isDone = false
        else onTap()
      }}
    >
      <HoldRing isFilling={isHeld} />
      {children}
    </Button>
  )
}

/** A ring that fills while something is held. */
export function HoldRing({ isFilling }: { readonly isFilling: boolean }) {
  return (
    <svg viewBox="0 0 18 18" aria-hidden className="size-4 shrink-0 -rotate-90">
      <circle cx="9" cy="9" r={radius} fill="none" stroke="currentColor" strokeWidth="2" opacity={0.3} />
      <circle
        cx="9"
        cy="9"
        r={radius}
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeDasharray={length}
        strokeDashoffset={isFilling ? 0 : length}
        style={{ transition: `stroke-dashoffset ${isFilling ? holdMs : 120}ms linear` }}
      />
    </svg>
  )
}
