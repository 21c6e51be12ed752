import { type ReactNode, startTransition, useEffect, useState } from 'react'
import { keptScroll } from '../../app/location.ts'
import { inTurn } from '../../app/painted.ts'

/**
 * A part of a screen that is mounted after the frame that shows `waiting` in its place. Such parts come one after another, each in a
 * task of its own, so that a slow phone can answer a tap in between. A screen that is opened where it was left has all parts at once.
 */
export function Turn({ waiting = null, children }: { readonly waiting?: ReactNode; readonly children: ReactNode }) {
  const [isDue, setIsDue] = useState(() => keptScroll() > 0)
  useEffect(() => (isDue ? undefined : inTurn(() => startTransition(() => setIsDue(true)))), [isDue])
  return isDue ? children : waiting
}
