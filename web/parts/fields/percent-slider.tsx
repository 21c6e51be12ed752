import type { CSSProperties } from 'react'
import { useFormats } from '../../app/format.ts'
import { tick } from '../../app/haptics.ts'

const marks = [0, 25, 50, 75, 100] as const

/** A slider for whole percent from 0 to 100, with marks that can be tapped. `says`: text for screen readers, e.g. "25 %, 0.1 BTC". */
export function PercentSlider({
  value,
  onChange,
  label,
  says,
  tone = 'brand',
  isDisabled = false,
}: {
  readonly value: number
  readonly onChange: (percent: number) => void
  readonly label: string
  readonly says: string
  readonly tone?: 'brand' | 'up' | 'down'
  readonly isDisabled?: boolean
}) {
  const format = useFormats()
  const fill = tone === 'up' ? 'var(--up)' : tone === 'down' ? 'var(--down)' : 'var(--brand)'
  const change = (percent: number): void => {
    if (marks.some((mark) => mark === percent) && percent !== value) tick(6)
    onChange(percent)
  }
  return (
    <div>
      <input
        type="range"
        min={0}
        max={100}
        step={1}
        value={value}
        disabled={isDisabled}
        aria-label={label}
        aria-valuetext={says}
        onChange={(event) => change(Number(event.target.value))}
        className="slider block"
        style={{ '--value': value, '--fill': fill } as CSSProperties}
      />
      <div className="-mx-1 flex justify-between">
        {marks.map((mark) => (
          <button
            key={mark}
            type="button"
            disabled={isDisabled}
            tabIndex={-1}
            onClick={() => change(mark)}
            className={`tn min-h-6 min-w-6 px-1 text-11 ${value === mark ? 'font-semibold text-fg' : 'text-fg3'}`}
          >
            {format.percent(mark, 0)}
          </button>
        ))}
      </div>
    </div>
  )
}
