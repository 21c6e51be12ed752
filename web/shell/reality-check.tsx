/** Counts the minutes in which the app is in sight, tells the exchange, and opens the reality check when its time has come. */
import type { WireActive } from '@candor/core/protocol/wire/own-limits.ts'
import { Suspense, useEffect, useState } from 'react'
import { useMe } from '../app/session.ts'
import { loadArea } from '../app/texts.ts'
import { laterSheet } from '../parts/ui/later.tsx'

const CheckSheet = laterSheet(async () => {
  const [sheet] = await Promise.all([import('../parts/limits/check-sheet.tsx'), loadArea('limits')])
  return sheet.CheckSheet
})

const minuteMs = 60_000
/** The most frequent reality check: before it, nobody has to ask how often the customer wants one. */
const checkMin = 15
const key = 'minutes'

/** Minutes of this session of the page, and at which of them the last check was. They outlive a reload. */
type Counted = { readonly uid: string; readonly minutes: number; readonly checked: number }

export function RealityCheck() {
  const uid = useMe()?.uid
  const [due, setDue] = useState<{ readonly minutes: number; readonly active: WireActive }>()
  useEffect(() => {
    setDue(undefined)
    if (uid === undefined) return
    const beat = async (passed: number): Promise<void> => {
      if (document.visibilityState !== 'visible') return
      const counted = read(uid)
      const minutes = counted.minutes + passed
      write({ ...counted, minutes })
      // Its code is no part of the first load.
      const { limits } = await import('../parts/limits/limits.ts')
      const active = await limits.active()
      if (minutes - counted.checked < checkMin) return
      const { checkEvery } = await limits.mine()
      if (minutes - counted.checked < checkEvery) return
      write({ uid, minutes, checked: minutes })
      setDue({ minutes, active })
    }
    const first = setTimeout(() => void beat(0).catch(() => undefined), 5_000)
    const timer = setInterval(() => void beat(1).catch(() => undefined), minuteMs)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [uid])
  if (due === undefined) return null
  return (
    <Suspense fallback={null}>
      <CheckSheet {...due} onClose={() => setDue(undefined)} />
    </Suspense>
  )
}

function read(uid: string): Counted {
  const none = { uid, minutes: 0, checked: 0 }
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Counted | null
    return kept?.uid === uid ? kept : none
  } catch {
    return none
  }
}

function write(counted: Counted): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(counted))
  } catch {
    // A browser that keeps nothing counts from the last load.
  }
}
