import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireCandle, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { memo, useMemo, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useLast } from '../../app/quotes.ts'
import { Failure } from '../ui/state.tsx'
import { Chip } from '../ui/tabs.tsx'
import { MiniChartOutline } from './mini-chart-outline.tsx'

const width = 358
const height = 112
/** Room for the price at the right. */
const plot = 304
const bars = 48
const step = plot / bars
const intervals: readonly Interval[] = ['1m', '15m', '1h', '4h', '1d']

type Bar = { readonly open: number; readonly high: number; readonly low: number; readonly close: number }

/** A small chart above the ticket, with the user's own orders as lines. The newest bar follows the live price. */
export function MiniChart({ market, own }: { readonly market: WireMarket; readonly own: ReadonlySet<string> }) {
  const { t } = useTranslation()
  const format = useFormats()
  const last = useLast(market.symbol)
  const [interval, setInterval] = useState(keptInterval)
  const query = useQuery({
    queryKey: ['candles', market.symbol, interval, bars],
    queryFn: () => client.market.candles(market.symbol, { interval, limit: bars }),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  })
  const candles = query.data?.candles
  const price = last === undefined ? undefined : Number(last)
  const past = useMemo(() => (candles ?? []).map(barOf), [candles])
  if (candles === undefined) return query.error === null ? <MiniChartOutline /> : <Failure error={query.error} isSmall />
  const forming = formingOf(past.at(-1), price)
  const all = forming === undefined ? past : [...past.slice(0, -1), forming]
  const top = Math.max(...all.map(({ high }) => high))
  const bottom = Math.min(...all.map(({ low }) => low))
  const y = (value: number): number => 6 + ((top - value) / (top - bottom || 1)) * (height - 12)
  const lines = [...own].map(Number).filter((value) => value <= top && value >= bottom)
  const lastY = forming && y(forming.close)
  const isDown = forming !== undefined && forming.close < forming.open
  return (
    <div className="flex flex-col gap-1 px-4 pt-3">
      <div role="group" aria-label={t('trade.miniChart')} className="flex h-7 gap-1.5">
        {intervals.map((one) => (
          <Chip
            key={one}
            isOn={one === interval}
            onClick={() => {
              setInterval(one)
              keepInterval(one)
            }}
          >
            {one}
          </Chip>
        ))}
      </div>
      <div className="relative">
        <svg
          role="img"
          aria-label={t('trade.miniChartSays', { interval, low: format.number(bottom), high: format.number(top) })}
          viewBox={`0 0 ${width} ${height}`}
          className="block w-full"
        >
          <Past bars={past} top={top} bottom={bottom} />
          {forming !== undefined && <path d={shapeOf(forming, past.length - 1, past.length, y)} className={toneOf(forming)} />}
          {lines.map((value) => (
            <line
              key={value}
              x1="0"
              x2={plot}
              y1={y(value)}
              y2={y(value)}
              stroke={forming !== undefined && value > forming.close ? 'var(--down)' : 'var(--up)'}
              strokeDasharray="4 3"
            />
          ))}
          {lastY !== undefined && <line x1="0" x2={plot} y1={lastY} y2={lastY} stroke="var(--fg3)" strokeDasharray="2 3" />}
        </svg>
        {lastY !== undefined && last !== undefined && (
          <span
            aria-hidden
            className={`tn absolute right-0 -translate-y-1/2 rounded-chip px-1 font-medium ${isDown ? 'bg-down text-ondown' : 'bg-up text-onup'}`}
            style={{ fontSize: 10, lineHeight: 1.5, top: `${(Math.min(height - 8, Math.max(8, lastY)) / height) * 100}%` }}
          >
            {format.exact(last)}
          </span>
        )}
      </div>
    </div>
  )
}

/** The closed bars, as one shape for each direction. They are drawn again only when the scale changes. */
const Past = memo(function Past({
  bars: all,
  top,
  bottom,
}: {
  readonly bars: readonly Bar[]
  readonly top: number
  readonly bottom: number
}) {
  const y = (value: number): number => 6 + ((top - value) / (top - bottom || 1)) * (height - 12)
  const shape = (isUp: boolean): string =>
    all.map((bar, at) => (at === all.length - 1 || bar.close >= bar.open !== isUp ? '' : shapeOf(bar, at, all.length, y))).join('')
  return (
    <>
      <path d={shape(true)} className="fill-up stroke-up" />
      <path d={shape(false)} className="fill-down stroke-down" />
    </>
  )
})

/** Wick and body of a bar as the text of a path. */
function shapeOf({ open, high, low, close }: Bar, at: number, count: number, y: (value: number) => number): string {
  const x = plot - (count - at) * step + step / 2
  const [above, below] = [y(Math.max(open, close)), y(Math.min(open, close))]
  return `M${x.toFixed(1)} ${y(high).toFixed(1)}V${y(low).toFixed(1)}M${(x - 2).toFixed(1)} ${above.toFixed(1)}h4V${Math.max(below, above + 0.5).toFixed(1)}h-4z`
}

function toneOf({ open, close }: Bar): string {
  return close >= open ? 'fill-up stroke-up' : 'fill-down stroke-down'
}

function barOf([, open, high, low, close]: WireCandle): Bar {
  return { open: Number(open), high: Number(high), low: Number(low), close: Number(close) }
}

/** The newest bar with the live price as its close. */
function formingOf(bar: Bar | undefined, price: number | undefined): Bar | undefined {
  if (bar === undefined || price === undefined) return bar
  return { ...bar, close: price, high: Math.max(bar.high, price), low: Math.min(bar.low, price) }
}

function keptInterval(): Interval {
  try {
    return intervals.find((one) => one === localStorage.getItem('mini chart')) ?? '15m'
  } catch {
    return '15m'
  }
}

function keepInterval(interval: Interval): void {
  try {
    localStorage.setItem('mini chart', interval)
  } catch {}
}
