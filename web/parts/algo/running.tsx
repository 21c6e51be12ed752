import { Suspense } from 'react'
import { loadArea } from '../../app/texts.ts'
import { later } from '../ui/later.tsx'

const Cards = later(() => Promise.all([import('./cards.tsx'), loadArea('algo'), loadArea('refusals')]).then(([module]) => module.AlgoCards))

export type RunningProps = { readonly product: 'spot' | 'perp'; readonly symbol?: string; readonly isAlways?: boolean }

/** The user's running TWAP and scaled orders of a product, above the list of open orders. */
export function RunningAlgos(props: RunningProps) {
  return (
    <Suspense fallback={null}>
      <Cards {...props} />
    </Suspense>
  )
}
