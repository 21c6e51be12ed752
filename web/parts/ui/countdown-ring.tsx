import type { ReactNode } from 'react'

const radius = 20
const length = 2 * Math.PI * radius

type CountdownRingProps = {
  /** Of the whole time, from 1 down to 0. */
  readonly share: number
  /** In pixels at the usual text size. */
  readonly size: number
  readonly className: string
  readonly arcClass?: string
  /** In the middle. */
  readonly children: ReactNode
}

/** The remaining part of a time, as a ring that empties. Hidden from screen readers, which need announcements. */
export function CountdownRing({ share, size, className, arcClass = '', children }: CountdownRingProps) {
  return (
    <span
      aria-hidden
      className={`relative inline-flex shrink-0 items-center justify-center ${className}`}
      style={{ width: `${size / 16}rem`, height: `${size / 16}rem` }}
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
          strokeDashoffset={length * (1 - share)}
          className={arcClass}
        />
      </svg>
      {children}
    </span>
  )
}
