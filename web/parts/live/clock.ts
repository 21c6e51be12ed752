/** The exchange's clock on this device: orders end by it, not by the phone's own. */
import { useEffect, useState } from 'react'

const samplesKept = 40
const samples: number[] = []

/** A message of the exchange was stamped `serverMs` and is here: the least delayed of the last ones sets the clock. */
export function noteTime(serverMs: number): void {
  samples.push(serverMs - Date.now())
  if (samples.length > samplesKept) samples.shift()
}

/** Milliseconds by the exchange's clock, as far as this device can know. */
export function exchangeNow(): number {
  return Date.now() + (samples.length === 0 ? 0 : Math.max(...samples))
}

/** The exchange's time, anew every `everyMs` while `isOn`. */
export function useNow(everyMs: number, isOn = true): number {
  const [now, setNow] = useState(exchangeNow)
  useEffect(() => {
    if (!isOn) return
    setNow(exchangeNow())
    const timer = setInterval(() => setNow(exchangeNow()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, isOn])
  return now
}
