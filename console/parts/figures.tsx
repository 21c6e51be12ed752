/** Amounts, shares of a limit, and small curves. */
import type { ReactNode } from 'react'
import { amountOf, shareOf } from '../app/format.ts'

export function Amount({ of, isSigned = false }: { readonly of: string | null; readonly isSigned?: boolean }): ReactNode {
  if (of === null) return <span className="fg3">–</span>
  const tone = !isSigned || /^-?[0.]+$/.test(of) ? 'tn' : of.startsWith('-') ? 'tn down' : 'tn up'
  return <span className={tone}>{isSigned && tone === 'tn up' ? `+${amountOf(of)}` : amountOf(of)}</span>
}

/** A bar and its number. Amber from 80 % of the limit, red from 95 %. */
export function Share({ value, of, warnAt = 0.8 }: { readonly value: number; readonly of: number; readonly warnAt?: number }): ReactNode {
  const share = of > 0 ? value / of : 0
  const tone = share >= 0.95 ? ' danger' : share >= warnAt ? ' warn' : ''
  return (
    <span className="share">
      <span className={`bar${tone}`} aria-hidden="true">
        <i style={{ '--share': Math.min(1, share) } as object} />
      </span>
      <span className="tn">{shareOf(share)}</span>
    </span>
  )
}

const width = 200
const height = 48

/** A curve over equal steps; `before`, dashed, is what it is compared with. Both share one scale that begins at 0 or the lowest value. */
export function Curve({
  points,
  before = [],
  isFromZero = true,
}: {
  readonly points: readonly number[]
  readonly before?: readonly number[]
  readonly isFromZero?: boolean
}): ReactNode {
  const all = [...points, ...before]
  if (all.length < 2) return <svg className="curve" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" />
  const low = isFromZero ? Math.min(0, ...all) : Math.min(...all)
  const high = Math.max(...all)
  const steps = Math.max(points.length, before.length) - 1
  const x = (at: number): string => ((at / Math.max(1, steps)) * width).toFixed(1)
  const y = (value: number): string => (height - 2 - ((value - low) / (high - low || 1)) * (height - 6)).toFixed(1)
  const line = (values: readonly number[]): string => values.map((value, at) => `${at === 0 ? 'M' : 'L'}${x(at)} ${y(value)}`).join('')
  return (
    <svg className="curve" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {points.length > 1 && <path className="area" d={`${line(points)}L${x(points.length - 1)} ${height}L0 ${height}Z`} />}
      {before.length > 1 && <path className="before" d={line(before)} />}
      {points.length > 1 && <path className="now" d={line(points)} />}
    </svg>
  )
}
