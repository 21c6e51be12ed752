import { memo } from 'react'
import { useFormats } from '../../app/format.ts'
import { useQuote } from '../../app/quotes.ts'
import { Coin } from '../funds/coin.tsx'
import { LiveChange, Price } from '../ui/figure.tsx'
import { Sparkline } from '../ui/sparkline.tsx'

/** One market in a list: coin, pair, sparkline, live price and change. Renders only when its own quote moves. */
export const MarketRow = memo(function MarketRow({
  symbol,
  base,
  quote,
  to = `/spot?symbol=${symbol}`,
}: {
  readonly symbol: string
  readonly base: string
  readonly quote: string
  readonly to?: string
}) {
  const format = useFormats()
  const live = useQuote(symbol)
  return (
    <a href={`#${to}`} className="flex min-h-15 items-center gap-3 px-4 active:bg-s2">
      <Coin asset={base} size={32} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-15 font-semibold">
          {base}
          <span className="text-12 font-normal text-fg3"> /{quote}</span>
        </span>
        <span className="tn block h-4 truncate text-12 text-fg3">
          {live?.quoteVolume === undefined ? '' : format.compact(live.quoteVolume)}
        </span>
      </span>
      <Sparkline values={live?.sparkline ?? none} change={live?.change} className="min-w-0 shrink" />
      <span className="flex min-w-22 flex-col items-end">
        <Price symbol={symbol} className="text-15 font-medium" />
        <LiveChange symbol={symbol} className="text-12" />
      </span>
    </a>
  )
})

const none: readonly string[] = []
