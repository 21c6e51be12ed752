import type { ReactNode } from 'react'
import { navigate } from '../../app/location.ts'
import { useFactors } from '../../parts/account/factors.ts'
import { useSafety } from '../../parts/account/safety.ts'
import { StrengthCard } from '../../parts/account/strength-card.tsx'
import { RecentAccess } from './recent-access.tsx'

/**
 * What somebody may have left behind before a reset, and how strong the account is protected, once both are known. The next step is taken
 * in the security centre.
 */
export function Protection({ skeleton }: { readonly skeleton: ReactNode }) {
  const { data: own, isPending: isComing } = useFactors()
  const { data: safety, isPending: isSafetyComing } = useSafety()
  return (
    <>
      <RecentAccess />
      {(isComing || isSafetyComing) && skeleton}
      {own !== undefined && safety !== undefined && (
        <StrengthCard own={own} safety={safety} onStep={(step) => navigate(`/safety?open=${step}`)} />
      )}
    </>
  )
}
