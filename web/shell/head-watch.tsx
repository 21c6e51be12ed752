/** Some seconds after the start, when nothing else is going on, compares the exchange's journal with what this device remembers of it. */
import type { Evidence } from '@candor/core/proof/evidence.ts'
import { Suspense, useEffect, useState } from 'react'
import { loadArea } from '../app/texts.ts'
import { laterSheet } from '../parts/ui/later.tsx'

const ForkSheet = laterSheet(async () => {
  const [sheet] = await Promise.all([import('../parts/proof/fork-sheet.tsx'), loadArea('verify')])
  return sheet.ForkSheet
})

const firstMs = 8_000

export function HeadWatch() {
  const [found, setFound] = useState<readonly Evidence[]>()
  useEffect(() => {
    let isOver = false
    let end = (): void => undefined
    const start = async (): Promise<void> => {
      const { watch } = await import('../parts/proof/watch.ts')
      if (!isOver) end = watch(setFound)
    }
    const idle = globalThis.requestIdleCallback ?? setTimeout
    const timer = setTimeout(() => idle(() => void start().catch(() => undefined)), firstMs)
    return () => {
      isOver = true
      clearTimeout(timer)
      end()
    }
  }, [])
  if (found === undefined) return null
  const goOn = async (): Promise<void> => {
    try {
      const { readFindings } = await import('../parts/proof/memory.ts')
      readFindings()
    } finally {
      setFound(undefined)
    }
  }
  return (
    <Suspense fallback={null}>
      <ForkSheet found={found} onClose={() => void goOn()} />
    </Suspense>
  )
}
