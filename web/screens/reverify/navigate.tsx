import { useEffect } from 'react'
import { navigate } from '../../app/location.ts'

/** Goes to another screen at once, in place of this one. */
export function Navigate({ to }: { readonly to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to])
  return null
}
