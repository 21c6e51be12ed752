import { CountdownRing } from '../../parts/ui/countdown-ring.tsx'
import { secondsLeft, shareLeft } from './phase.ts'

const size = 44

/** The time that a quote is still valid. Screen readers hear when it has expired. */
export function Ring({ expiresAt, validMs, now }: { readonly expiresAt: number; readonly validMs: number; readonly now: number }) {
  const left = secondsLeft(expiresAt, now)
  return (
    <CountdownRing
      {...{ size, share: shareLeft(expiresAt, validMs, now) }}
      className={left <= 3 ? 'text-warn' : 'text-brand'}
      arcClass={left === 0 ? 'opacity-0' : ''}
    >
      <span className="tn text-13 font-semibold text-fg">{left}</span>
    </CountdownRing>
  )
}
