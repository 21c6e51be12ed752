import { Suspense } from 'react'
import { loadArea } from '../../app/texts.ts'
import { later } from '../ui/later.tsx'
import type { TermId } from './terms.ts'

const Chips = later(async () => {
  const [chips] = await Promise.all([import('./chips.tsx'), loadArea('terms')])
  return chips.TermChips
})

/** Terms by their names, for the end of a sheet. */
export function Terms({ ids }: { readonly ids: readonly TermId[] }) {
  return (
    <Suspense fallback={<div className="min-h-8" />}>
      <Chips ids={ids} />
    </Suspense>
  )
}
