import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { useNow } from '../live/clock.ts'
import { CountdownRing } from '../ui/countdown-ring.tsx'
import { phaseOf, secondsLeft, shareLeft } from './order.ts'
import { clockOf } from './words.ts'

/** The remaining time of an order. Screen readers get three announcements instead. */
export function Ring({ order, size = 48 }: { readonly order: WireOption; readonly size?: number }) {
  const now = useNow(250, order.status !== 'settled')
  const phase = phaseOf(order, now)
  const left = secondsLeft(order, now)
  return (
    <CountdownRing
      {...{ size, share: shareLeft(order, now) }}
      className={order.direction === 'up' ? 'text-up' : 'text-down'}
      arcClass={phase === 'placed' ? 'opacity-40' : ''}
    >
      {phase === 'closing' ? (
        <span className="size-2 animate-pulse rounded-full bg-current" />
      ) : (
        <span className={`tn font-semibold text-fg ${left >= 600 ? 'text-11' : 'text-12'}`}>{left >= 60 ? clockOf(left) : left}</span>
      )}
    </CountdownRing>
  )
}
