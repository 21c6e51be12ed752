import { useEffect, useState } from 'react'

/** Seconds left until a time, counted down; 0 when it has passed or is not set. */
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

/** Hours, minutes and seconds, 03:41:07. Durations have the same format in all languages. */
export function clockOf(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
