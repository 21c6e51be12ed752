/** The exchange's clock on this device. Orders end by it, not by the phone's clock. */
import { useEffect, useState } from 'react'

const samplesKept = 40
const samples: number[] = []

/** Takes the stamp of a message that has just arrived. The least delayed of the last messages sets the clock. */
export function noteTime(serverMs: number): void {
  samples.push(serverMs - Date.now())
  if (samples.length > samplesKept) samples.shift()
}

/** The exchange's time in ms, as well as this device can know it. */
export function exchangeNow(): number {
  return Date.now() + (samples.length === 0 ? 0 : Math.max(...samples))
}

/** The exchange's time, updated every `everyMs` while `isOn`. */
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
