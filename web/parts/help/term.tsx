import { type ReactNode, Suspense, useState } from 'react'
import { loadArea } from '../../app/texts.ts'
import { laterSheet } from '../ui/later.tsx'
import type { TermId } from './terms.ts'

const TermSheet = laterSheet(async () => {
  const [sheet] = await Promise.all([import('./term-sheet.tsx'), loadArea('terms')])
  return sheet.TermSheet
})

/** The look of a word that explains itself. */
export const termLook = 'underline decoration-dotted underline-offset-2'

/**
 * A word that a tap explains. Explanations are loaded by the first tap. With `covers`, the figures around it take the tap: it is what they
 * are called, and `also` are the other terms among them.
 */
export function Term({
  id,
  also,
  covers,
  children,
}: {
  readonly id: TermId
  readonly also?: readonly TermId[]
  readonly covers?: string
  readonly children?: ReactNode
}) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={covers}
        onClick={() => setIsOpen(true)}
        className={covers === undefined ? `-my-1 py-1 text-start ${termLook}` : 'absolute inset-0'}
      >
        {children}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <TermSheet first={id} also={also} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
