import type { DeskName } from '@candor/core/protocol/wire/own/preferences.ts'
import { Suspense } from 'react'
import { loadArea } from '../../app/texts.ts'
import { later } from '../ui/later.tsx'

const Loaded = later(async () => {
  const [tour] = await Promise.all([import('./desk-tour.tsx'), loadArea('tour')])
  return tour.DeskTour
})

/** The end of a desk: its tour and the terms. Loaded after the panel above it; its place is kept. */
export function DeskTour({ desk }: { readonly desk: DeskName }) {
  return (
    <Suspense fallback={<div className="h-16" />}>
      <Loaded desk={desk} />
    </Suspense>
  )
}
