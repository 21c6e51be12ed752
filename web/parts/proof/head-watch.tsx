import type { Evidence } from '@candor/core/proof/evidence.ts'
import { Suspense, useEffect, useState } from 'react'
import { loadArea } from '../../app/texts.ts'
import { laterSheet } from '../ui/later.tsx'
import { readFindings } from './memory.ts'
import { watch } from './watch.ts'

const ForkSheet = laterSheet(async () => {
  const [sheet] = await Promise.all([import('./fork-sheet.tsx'), loadArea('verify')])
  return sheet.ForkSheet
})

/** When nothing else is going on, compares the exchange's journal with what this device remembers of it. */
export function HeadWatch() {
  const [found, setFound] = useState<readonly Evidence[]>()
  useEffect(() => {
    let isOver = false
    let end = (): void => undefined
    const idle = globalThis.requestIdleCallback ?? setTimeout
    idle(() => {
      if (!isOver) end = watch(setFound)
    })
    return () => {
      isOver = true
      end()
    }
  }, [])
  if (found === undefined) return null
  const goOn = (): void => {
    readFindings()
    setFound(undefined)
  }
  return (
    <Suspense>
      <ForkSheet found={found} onClose={goOn} />
    </Suspense>
  )
}
