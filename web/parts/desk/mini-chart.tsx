import type { WireCandle, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '../../app/translate.ts'
import { client } from '../../app/client.ts'
import { useFormats } from '../../app/format.ts'
import { useQuote } from '../../app/quotes.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { Failure } from '../ui/state.tsx'

const width = 358
const height = 112
const bars = 48

/** A small chart of the last twelve hours above the ticket. The newest bar follows the live price. */
export function MiniChart({ market }: { readonly market: WireMarket }) {
  const { t } = useTranslation()
  const format = useFormats()
  const price = useQuote(market.symbol)?.price
  const query = useQuery({
    queryKey: ['candles', market.symbol, '15m', bars],
    queryFn: () => client.market.candles(market.symbol, { interval: '15m', limit: bars }),
    refetchInterval: 60_000,
  })
  if (query.data === undefined) {
    return (
      <div className="px-4 pt-3">
        {query.error === null ? <Skeleton className="h-28 w-full rounded-control" /> : <Failure error={query.error} isSmall />}
      </div>
    )
  }
  const candles = withLive(query.data.candles, price)
  if (candles.length === 0) return null
  const values = candles.map((candle) => ({
    open: Number(candle[1]),
    high: Number(candle[2]),
    low: Number(candle[3]),
    close: Number(candle[4]),
  }))
  const top = Math.max(...values.map((value) => value.high))
  const bottom = Math.min(...values.map((value) => value.low))
  const span = top - bottom || 1
  const y = (value: number): number => 4 + ((top - value) / span) * (height - 8)
  const step = width / bars
  const last = values.at(-1)
  return (
    <div className="px-4 pt-3">
      <svg
        role="img"
        aria-label={t('trade.miniChartSays', { low: format.number(bottom), high: format.number(top) })}
        viewBox={`0 0 ${width} ${height}`}
        className="block w-full"
      >
        {last !== undefined && <line x1="0" x2={width} y1={y(last.close)} y2={y(last.close)} stroke="var(--fg3)" strokeDasharray="2 3" />}
        {values.map((value, index) => {
          const isUp = value.close >= value.open
          const x = width - (values.length - index) * step + step / 2
          const colour = isUp ? 'var(--up)' : 'var(--down)'
          return (
            <g key={candles[index]?.[0]} stroke={colour} fill={colour}>
              <line x1={x} x2={x} y1={y(value.high)} y2={y(value.low)} />
              <rect
                x={x - 2.5}
                width={5}
                y={y(Math.max(value.open, value.close))}
                height={Math.max(1, Math.abs(y(value.open) - y(value.close)))}
                stroke="none"
              />
            </g>
          )
        })}
      </svg>
    </div>
  )
}

function withLive(candles: readonly WireCandle[], price: string | undefined): readonly WireCandle[] {
  const last = candles.at(-1)
  if (last === undefined || price === undefined) return candles
  const [time, open, high, low, , ...rest] = last
  const wider = Number(price) > Number(high) ? price : high
  const deeper = Number(price) < Number(low) ? price : low
  return [...candles.slice(0, -1), [time, open, wider, deeper, price, ...rest] as WireCandle]
}
