import type { Decimal } from '@candor/core/money/brand.ts'
import { memo } from 'react'

/** A price history as a line. Hidden from screen readers, because the change is next to it. */
export const Sparkline = memo(function Sparkline({
  values,
  change,
  width = 64,
  height = 24,
  filled = false,
  className = '',
}: {
  readonly values: readonly Decimal[]
  /** The change that decides the colour. Default: last value less first. */
  readonly change?: Decimal | undefined
  readonly width?: number
  readonly height?: number
  readonly filled?: boolean
  readonly className?: string
}) {
  if (values.length < 2) return <svg aria-hidden width={width} height={height} className={className} />
  const line = pathOf(values, width, height)
  const direction = change === undefined ? Number(values.at(-1)) - Number(values[0]) : Number(change)
  const colour = direction > 0 ? 'text-up' : direction < 0 ? 'text-down' : 'text-fg3'
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio="none"
      className={`${colour} ${className}`}
    >
      {filled && <path d={`${line}L${width} ${height}L0 ${height}Z`} fill="currentColor" opacity={0.12} />}
      <path
        d={line}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
})

/** An SVG path through the values, lowest at the bottom, two pixels free above and below. */
export function pathOf(values: readonly Decimal[], width: number, height: number): string {
  const numbers = values.map(Number)
  const low = Math.min(...numbers)
  const range = Math.max(...numbers) - low
  const step = width / (numbers.length - 1)
  return numbers
    .map((number, index) => {
      const y = range === 0 ? height / 2 : height - 2 - ((number - low) / range) * (height - 4)
      return `${index === 0 ? 'M' : 'L'}${(index * step).toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}
