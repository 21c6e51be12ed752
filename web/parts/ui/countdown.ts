import { useEffect, useState } from 'react'

/** Seconds left until a moment, counted down; 0 when it has passed or is not set. */
export function useCountdown(untilMs: number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  const left = untilMs === undefined ? 0 : Math.max(0, Math.ceil((untilMs - now) / 1_000))
  useEffect(() => {
    if (untilMs === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= untilMs) clearInterval(timer)
    }, 500)
    return () => clearInterval(timer)
  }, [untilMs])
  return left
}
