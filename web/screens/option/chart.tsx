import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { Flag } from 'lucide-react'
import { useFormats } from '../../app/format.ts'
import { useTranslation } from '../../app/translate.ts'
import { Triangle } from '../../parts/ui/figure.tsx'
import { type IndexPoint, useLiveIndex } from '../../parts/live/live-index.ts'
import { secondsLeft } from '../../parts/option/order.ts'
import { clockOf } from '../../parts/option/words.ts'
import { useNow } from '../../parts/live/clock.ts'
import { flagged, type Frame, frameOf, joined, pathOf, silentMs } from './chart-frame.ts'
import { useTape } from './use-tape.ts'

/** The index as the tape has it, live, with the opening price, the window and the end of each running order. */
export function IndexChart({ market, orders }: { readonly market: WireMarket; readonly orders: readonly WireOption[] }) {
  const { t } = useTranslation()
  const format = useFormats()
  const live = useLiveIndex(market.symbol)
  const points = joined(useTape(market.symbol, live.since, orders), live.points)
  // A clock keeps the chart moving while the index is silent, because orders still end.
  const clock = useNow(1_000)
  const isSilent = live.at > 0 && clock - live.at > silentMs
  const now = isSilent ? clock : live.at > 0 ? live.at : (points.at(-1)?.[0] ?? 0)
  const isLive = live.isLive && !isSilent
  if (now === 0) {
    return (
      <div className="mx-4 mt-3 flex h-44 items-center justify-center rounded-card bg-s1 px-6 text-center text-12 text-fg3">
        {t('option.chartWaits')}
      </div>
    )
  }
  const frame = frameOf(now, points, orders)
  const price = (value: number): string => format.number(value, market.priceDigits, market.priceDigits)
  const flags = flagged(orders, frame)
  const last = points.at(-1)
  const tip = last === undefined ? undefined : frame.y(last[1])
  const isTipHigh = tip !== undefined && tip < 300
  return (
    <div
      role="img"
      aria-label={t('option.chartSays', {
        pair: `${market.base}/${market.quote}`,
        price: price(last?.[1] ?? 0),
        low: price(frame.low),
        high: price(frame.high),
      })}
      className="relative mt-3 h-44 overflow-hidden pb-4"
    >
      <div className="relative h-full">
        <svg aria-hidden viewBox="0 0 1000 1000" preserveAspectRatio="none" className="absolute inset-0 size-full">
          <defs>
            <linearGradient id="index-fill" x1="0" x2="0" y1="0" y2="1">
              <stop offset="0" stopColor="var(--brand)" stopOpacity={0.22} />
              <stop offset="1" stopColor="var(--brand)" stopOpacity={0} />
            </linearGradient>
          </defs>
          {[250, 500, 750].map((y) => (
            <line key={y} x1="0" x2="1000" y1={y} y2={y} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
          ))}
          {orders.map((order) => (
            <Window key={order.id} order={order} frame={frame} />
          ))}
          <Way frame={frame} isLive={isLive} />
          {orders.map((order) => (
            <Entry key={order.id} order={order} frame={frame} />
          ))}
        </svg>
        {last !== undefined && <Tip at={last} frame={frame} text={price(last[1])} isLive={isLive} />}
        {orders.map((order) => (
          <Labels
            key={order.id}
            order={order}
            frame={frame}
            now={now}
            isTipHigh={isTipHigh}
            hasFlag={flags.has(order.id)}
            text={order.strike === undefined ? '' : price(Number(order.strike))}
          />
        ))}
        <Prices frame={frame} tip={tip} price={price} />
      </div>
      {frame.times.map(({ at, x }) => (
        <Moment key={at} at={at} x={x} />
      ))}
    </div>
  )
}

/** The prices of the axis, except below the label of the current price. `tip`: where that is. */
function Prices({
  frame,
  tip = -1_000,
  price,
}: {
  readonly frame: Frame
  readonly tip: number | undefined
  readonly price: (value: number) => string
}) {
  return frame.prices
    .filter(({ y }) => Math.abs(y - tip) >= 110)
    .map((mark) => (
      <span
        key={mark.y}
        aria-hidden
        className="tn absolute end-1 -translate-y-1/2 bg-bg/70 px-1 text-11 text-fg3"
        style={{ top: `${mark.y / 10}%` }}
      >
        {price(mark.price)}
      </span>
    ))
}

/** A time of the axis, with seconds unless it is a whole minute. */
function Moment({ at, x }: { readonly at: number; readonly x: number }) {
  const format = useFormats()
  return (
    <span aria-hidden className="tn absolute bottom-0 -translate-x-1/2 text-11 whitespace-nowrap text-fg3" style={{ left: `${x / 10}%` }}>
      {at % 60_000 === 0 ? format.time(at) : format.clock(at)}
    </span>
  )
}

/** The line of the index. */
function Way({ frame, isLive }: { readonly frame: Frame; readonly isLive: boolean }) {
  return frame.lines.map((line) => {
    const path = pathOf(line, frame)
    const [from, until] = [frame.x(line[0]?.[0] ?? 0), frame.x(line.at(-1)?.[0] ?? 0)]
    return (
      <g key={line[0]?.[0]}>
        <path d={`${path}V1000H${from}Z`} fill="url(#index-fill)" />
        <path
          d={from === until ? `${path}h0.1` : path}
          fill="none"
          stroke="var(--brand)"
          strokeWidth={2}
          strokeLinejoin="round"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
          strokeOpacity={isLive ? 1 : 0.4}
        />
      </g>
    )
  })
}

type Mark = { readonly order: WireOption; readonly frame: Frame }

const colourOf = (order: WireOption): string => (order.direction === 'up' ? 'var(--up)' : 'var(--down)')

/** The window whose median settles the order, and its end. */
function Window({ order, frame }: Mark) {
  const from = frame.x(order.expiresAt - order.windowMs)
  const to = frame.x(order.expiresAt)
  if (from >= 1_000) return null
  return (
    <>
      <rect x={from} width={Math.max(0, to - from)} y="0" height="1000" fill={colourOf(order)} fillOpacity={0.1} />
      <line x1={to} x2={to} y1="0" y2="1000" stroke={colourOf(order)} strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
    </>
  )
}

/** The opening price, from its tick to the order's end. */
function Entry({ order, frame }: Mark) {
  if (order.strike === undefined) return null
  const y = frame.y(Number(order.strike))
  return (
    <line
      x1={Math.max(0, frame.x(order.strikeAt ?? order.strikeFrom))}
      x2={Math.min(1_000, frame.x(order.expiresAt))}
      y1={y}
      y2={y}
      stroke={colourOf(order)}
      strokeWidth={1.5}
      strokeDasharray="4 4"
      vectorEffect="non-scaling-stroke"
    />
  )
}

function Labels({
  order,
  frame,
  now,
  text,
  isTipHigh,
  hasFlag,
}: Mark & {
  readonly now: number
  readonly text: string
  /** Whether the current price is near the top, so that the flag must move away. */
  readonly isTipHigh: boolean
  readonly hasFlag: boolean
}) {
  const x = frame.x(order.expiresAt)
  const isUp = order.direction === 'up'
  const tone = isUp ? 'text-up' : 'text-down'
  return (
    <>
      {hasFlag && (
        <span
          aria-hidden
          className={`tn absolute ${isTipHigh ? 'bottom-1' : 'top-1'} flex -translate-x-full items-center gap-1 pe-1 text-11 font-medium ${tone}`}
          style={{ left: `${x / 10}%` }}
        >
          <Flag size={12} strokeWidth={2} />
          {clockOf(secondsLeft(order, now))}
        </span>
      )}
      {order.strike !== undefined && (
        <span
          aria-hidden
          className={`tn absolute flex -translate-y-full items-center gap-1 rounded-sm bg-bg/70 px-1 text-11 font-medium ${tone}`}
          style={{
            left: `${Math.max(4, frame.x(order.strikeAt ?? order.strikeFrom) / 10)}%`,
            top: `${frame.y(Number(order.strike)) / 10}%`,
          }}
        >
          <Triangle direction={isUp ? 1 : -1} />
          {text}
        </span>
      )}
    </>
  )
}

/** The current price, at the end of the line. */
function Tip({
  at,
  frame,
  text,
  isLive,
}: {
  readonly at: IndexPoint
  readonly frame: Frame
  readonly text: string
  readonly isLive: boolean
}) {
  const [x, y] = [frame.x(at[0]) / 10, frame.y(at[1]) / 10]
  return (
    <>
      <span
        aria-hidden
        className={`absolute end-0 border-t border-dotted ${isLive ? 'border-brand' : 'border-fg3'}`}
        style={{ left: `${x}%`, top: `${y}%` }}
      />
      <span
        aria-hidden
        className={`absolute size-2.5 -translate-1/2 rounded-full border-2 border-bg ${isLive ? 'bg-brand' : 'bg-fg3'}`}
        style={{ left: `${x}%`, top: `${y}%` }}
      />
      <span
        aria-hidden
        className={`tn absolute end-1 -translate-y-1/2 rounded-chip px-1.5 py-0.5 text-11 font-semibold ${isLive ? 'bg-brand text-onbrand' : 'bg-s3 text-fg2'}`}
        style={{ top: `${Math.min(94, Math.max(6, y))}%` }}
      >
        {text}
      </span>
    </>
  )
}
