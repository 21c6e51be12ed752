import { secondsLeft, shareLeft } from './phase.ts'

const radius = 20
const length = 2 * Math.PI * radius

/** The time that a quote is still valid, as a ring that empties. Hidden from screen readers, which hear when it has expired. */
export function Ring({ expiresAt, validMs, now }: { readonly expiresAt: number; readonly validMs: number; readonly now: number }) {
  const left = secondsLeft(expiresAt, now)
  return (
    <span
      aria-hidden
      className={`relative inline-flex size-[2.75rem] shrink-0 items-center justify-center ${left <= 3 ? 'text-warn' : 'text-brand'}`}
    >
      <svg viewBox="0 0 48 48" className="absolute inset-0 size-full -rotate-90">
        <circle cx="24" cy="24" r={radius} fill="none" stroke="var(--s3)" strokeWidth="4" />
        <circle
          cx="24"
          cy="24"
          r={radius}
          fill="none"
          stroke="currentColor"
          strokeWidth="4"
          strokeLinecap="round"
          strokeDasharray={length}
          strokeDashoffset={length * (1 - shareLeft(expiresAt, validMs, now))}
          className={left === 0 ? 'opacity-0' : ''}
        />
      </svg>
      <span className="tn text-13 font-semibold text-fg">{left}</span>
    </span>
  )
}
