import { navigate } from '../../app/location.ts'
import { useFactors } from '../../parts/account/factors.ts'
import { useSafety } from '../../parts/account/safety.ts'
import { StrengthCard } from '../../parts/account/strength-card.tsx'

/** How strong the account is protected, once that is known; the next step is taken in the security centre. */
export function Protection() {
  const own = useFactors().data
  const safety = useSafety().data
  if (own === undefined || safety === undefined) return null
  return <StrengthCard own={own} safety={safety} onStep={(step) => navigate(`/safety?open=${step}`)} />
}
