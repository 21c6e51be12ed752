import { Suspense } from 'react'
import { acting } from '../../app/firm/acting.ts'
import { useMe } from '../../app/session.ts'
import { loadArea } from '../../app/texts.ts'
import { laterSheet } from '../ui/later.tsx'

const CertifySheet = laterSheet(async () => {
  const [sheet] = await Promise.all([import('./certify-sheet.tsx'), loadArea('certify')])
  return sheet.CertifySheet
})

/**
 * Whether the user is verified and may use perp, margin, lending and option. False for visitors. The accounts of a firm are verified
 * with the firm, whatever the member is who acts for them.
 */
export function useIsCertified(): boolean {
  const isPerson = useMe()?.certification === 'certified'
  return isPerson || acting !== undefined
}

/**
 * Asks for verification before the first use of a product that needs it. Open it in place of the action when `useIsCertified()` is
 * false; `onCertified` continues the action. Its code and texts are loaded when it opens.
 */
export function CertifyGate({
  isOpen,
  onClose,
  onCertified,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onCertified?: () => void
}) {
  if (!isOpen) return null
  return (
    <Suspense fallback={null}>
      <CertifySheet onClose={onClose} onCertified={onCertified} />
    </Suspense>
  )
}
