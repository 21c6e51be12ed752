/** Keeps what waits up to date while the member works, and clears the page when nobody does. */
import { useEffect } from 'react'
import { queryClient, idleMs, livesMs, logOut } from '../app/session.ts'
import type { Me } from '../app/wire.ts'

const renewMs = 30_000
/**
 * Requests that nobody caused would keep a session alive on an abandoned desk, so they stop soon after the last touch, long before the
 * exchange ends the session.
 */
const activeMs = 5 * 60_000
const touches = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
const kept = ['overview', 'staff', 'papers']

export function useAlive({ id, loggedInAt }: Me): void {
  useEffect(() => {
    let touchedAt = Date.now()
    const touch = (): void => void (touchedAt = Date.now())
    for (const name of touches) addEventListener(name, touch, { passive: true })
    const timer = setInterval(() => {
      const now = Date.now()
      if (now - touchedAt >= idleMs || now - loggedInAt >= livesMs) void logOut('idle')
      else if (now - touchedAt < activeMs && !document.hidden)
        void queryClient.invalidateQueries({
          predicate: ({ queryKey: [room, part] }) => kept.includes(String(room)) && part !== 'review' && part !== 'photo',
        })
    }, renewMs)
    return () => {
      clearInterval(timer)
      for (const name of touches) removeEventListener(name, touch)
    }
  }, [id, loggedInAt])
}
