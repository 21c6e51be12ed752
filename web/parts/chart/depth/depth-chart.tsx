import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useFormats } from '../../../app/format.ts'
import { useDepth } from '../../../app/stream.ts'
import { useTranslation } from '../../../app/translate.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Failure } from '../../ui/state.tsx'
import { type Curve, curveOf, type Step, sumAt } from './depth-shape.ts'

const width = 360
const height = 200

/** The sums of both sides of a market's book, live. A touch, or the arrow keys, read price and sum at a point. */
export function DepthChart({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const { depth, error } = useDepth(market.symbol)
  const [at, setAt] = useState<number>()
  if (depth === undefined) return error === undefined ? <Skeleton className="mx-4 mt-3 h-56" /> : <Failure error={error} isSmall />
  const curve = curveOf(depth.bids, depth.asks, market.lot)
  if (curve === undefined) return <p className="px-4 py-12 text-center text-13 text-fg2">{t('chart.depth.empty')}</p>
  const touch = (event: PointerEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    setAt(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)))
  }
  const key = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 0.02 : event.key === 'ArrowLeft' ? -0.02 : 0
    if (step === 0) return
    event.preventDefault()
    setAt(Math.min(1, Math.max(0, (at ?? 0.5) + step)))
  }
  return (
    <div className="px-4 pt-3">
      <Reading market={market} curve={curve} at={at} />
      <svg
        role="slider"
        tabIndex={0}
        aria-label={t('chart.depth.title')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round((at ?? 0.5) * 100)}
        aria-valuetext={useReading(market, curve, at)}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="block h-56 w-full touch-pan-y"
        onKeyDown={key}
        onPointerDown={touch}
        onPointerMove={touch}
        onPointerLeave={() => setAt(undefined)}
      >
        <Side curve={curve} steps={curve.bids} className="fill-uptint stroke-up" />
        <Side curve={curve} steps={curve.asks} className="fill-downtint stroke-down" />
        {at !== undefined && (
          <line
            x1={at * width}
            x2={at * width}
            y1="0"
            y2={height}
            className="stroke-fg3"
            strokeDasharray="3 3"
            vectorEffect="non-scaling-stroke"
          />
        )}
      </svg>
      <Prices market={market} curve={curve} />
    </div>
  )
}

type Shown = { readonly market: WireMarket; readonly curve: Curve }

/** The point that is read as text, or what both sides hold. */
function useReading({ lot, base }: WireMarket, curve: Curve, at: number | undefined): string {
  const { t } = useTranslation()
  const format = useFormats()
  const found = at === undefined ? undefined : sumAt(curve, curve.from + at * (curve.to - curve.from), lot)
  if (found !== undefined) return t('chart.depth.point', { price: format.exact(found.price), sum: `${format.number(found.sum)} ${base}` })
  const side = (price: number): string => `${format.number(sumAt(curve, price, lot)?.sum ?? 0)} ${base}`
  return t('chart.depth.sides', { bids: side(curve.from), asks: side(curve.to) })
}

function Reading({ market, curve, at }: Shown & { readonly at: number | undefined }) {
  return (
    <p aria-hidden className="tn pb-2 text-12 text-fg2">
      {useReading(market, curve, at)}
    </p>
  )
}

/** One side as stairs that rise away from the middle. */
function Side({ curve, steps, className }: { readonly curve: Curve; readonly steps: readonly Step[]; readonly className: string }) {
  const x = (price: number): number => ((price - curve.from) / (curve.to - curve.from)) * width
  const y = (lots: number): number => height - (lots / curve.top) * (height - 8)
  const first = steps[0]
  if (first === undefined) return null
  const edge = first.price < curve.middle ? 0 : width
  const stairs = steps.map(({ price, lots }) => `H${x(price).toFixed(1)}V${y(lots).toFixed(1)}`).join('')
  return (
    <path
      d={`M${x(first.price).toFixed(1)} ${height}${stairs}H${edge}V${height}`}
      className={className}
      strokeWidth="1.5"
      vectorEffect="non-scaling-stroke"
    />
  )
}

function Prices({ market, curve }: Shown) {
  const format = useFormats()
  const price = (value: number): string => format.number(value, market.priceDigits, market.priceDigits)
  return (
    <div aria-hidden className="tn flex justify-between pt-1 text-11 text-fg3">
      <span>{price(curve.from)}</span>
      <span>{price(curve.middle)}</span>
      <span>{price(curve.to)}</span>
    </div>
  )
}
