import type { Interval } from '@candor/core/protocol/market.ts'

export function IntervalButton({
  interval,
  isOn,
  onClick,
}: {
  readonly interval: Interval
  readonly isOn: boolean
  readonly onClick: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={`tn min-h-8 min-w-9 shrink-0 rounded-chip px-2 text-12 font-medium ${isOn ? 'bg-s2 text-fg' : 'text-fg3'}`}
    >
      {interval}
    </button>
  )
}
