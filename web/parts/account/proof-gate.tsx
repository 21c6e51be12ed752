import { Suspense, useEffect } from 'react'
import { loadArea } from '../../app/texts.ts'
import { laterSheet } from '../ui/later.tsx'
import { endAsking, useIsAsking } from './proof.ts'

const ProofSheet = laterSheet(async () => {
  const [sheet] = await Promise.all([import('./proof-sheet.tsx'), loadArea('proof'), loadArea('auth')])
  return sheet.ProofSheet
})

/** Opens the proof sheet for `withProof`. Once on each screen with such changes; leaving the screen ends the proof. */
export function ProofGate() {
  const isAsking = useIsAsking()
  useEffect(() => () => endAsking(false), [])
  if (!isAsking) return null
  return (
    <Suspense fallback={null}>
      <ProofSheet onClose={() => endAsking(false)} onProven={() => endAsking(true)} />
    </Suspense>
  )
}
