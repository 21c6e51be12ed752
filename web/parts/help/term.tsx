import { type ReactNode, Suspense, useState } from 'react'
import { loadArea } from '../../app/texts.ts'
import { laterSheet } from '../ui/later.tsx'
import type { TermId } from './terms.ts'

const TermSheet = laterSheet(async () => {
  const [sheet] = await Promise.all([import('./term-sheet.tsx'), loadArea('terms')])
  return sheet.TermSheet
})
/** A word that a tap explains. Explanations are loaded by the first tap. */
export function Term({ id, children }: { readonly id: TermId; readonly children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        className="text-start underline decoration-dotted underline-offset-2"
      >
        {children}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <TermSheet first={id} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
