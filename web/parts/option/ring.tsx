import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { useNow } from '../live/clock.ts'
import { phaseOf, secondsLeft, shareLeft } from './order.ts'
import { clockOf } from './words.ts'

const radius = 20
const length = 2 * Math.PI * radius

/** The remaining time of an order, as a ring that empties. Hidden from screen readers, which get three announcements instead. */
export function Ring({ order, size = 48 }: { readonly order: WireOption; readonly size?: number }) {
  const now = useNow(250, order.status !== 'settled')
  const phase = phaseOf(order, now)
  const left = secondsLeft(order, now)
  const colour = order.direction === 'up' ? 'text-up' : 'text-down'
  return (
    <span
      aria-hidden
      className={`relative inline-flex shrink-0 items-center justify-center ${colour}`}
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
          strokeDashoffset={length * (1 - shareLeft(order, now))}
          className={phase === 'placed' ? 'opacity-40' : ''}
        />
      </svg>
      {phase === 'closing' ? (
        <span className="size-2 animate-pulse rounded-full bg-current" />
      ) : (
        <span className={`tn font-semibold text-fg ${left >= 600 ? 'text-11' : 'text-12'}`}>{left >= 60 ? clockOf(left) : left}</span>
      )}
    </span>
  )
}
