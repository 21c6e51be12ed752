/** Counts the minutes in which the app is in sight, and opens the reality check when its time has come. */
import { Suspense, useEffect, useState } from 'react'
import { useMe } from '../app/session.ts'
import { loadArea } from '../app/texts.ts'
import type { Due } from '../parts/limits/beat.ts'
import { laterSheet } from '../parts/ui/later.tsx'

const CheckSheet = laterSheet(async () => {
  const [sheet] = await Promise.all([import('../parts/limits/check-sheet.tsx'), loadArea('limits')])
  return sheet.CheckSheet
})

const minuteMs = 60_000
/** After the first screen is complete. */
const firstMs = 5_000

export function RealityCheck() {
  const uid = useMe()?.uid
  const [due, setDue] = useState<Due>()
  useEffect(() => {
    setDue(undefined)
    if (uid === undefined) return
    let isOver = false
    const count = async (passed: number): Promise<void> => {
      if (document.visibilityState !== 'visible') return
      const { beat } = await import('../parts/limits/beat.ts')
      const found = await beat(uid, passed)
      if (found !== undefined && !isOver) setDue(found)
    }
    // Offline, the next minute tries again.
    const first = setTimeout(() => void count(0).catch(() => undefined), firstMs)
    const timer = setInterval(() => void count(1).catch(() => undefined), minuteMs)
    return () => {
      isOver = true
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
