import type { Millis } from '@candor/core/money/brand.ts'
import type { DepthDiff } from '@candor/core/market-data/depth.ts'
import type { MarketView } from '@candor/core/market-data/market-view.ts'
import {
  contractAggregateTexts,
  contractBestText,
  contractBookTickerText,
  contractDepthText,
  contractTickerText,
  contractTradeText,
} from '../live/futures-texts.ts'
import type { ListedMarket } from '../live/listing.ts'
import {
  aggregateTexts,
  bookTickerText,
  depthDiffText,
  miniTickerText,
  partialDepthText,
  type TradeAt,
  tickerText,
  tradeText,
} from '../live/texts.ts'
import type { PublicStream } from './streams.ts'

/** Changes of one market since its last messages. `at`: time of the newest command. */
export type Changes = {
  readonly market: ListedMarket
  readonly view: MarketView
  readonly trades: readonly TradeAt[]
  readonly hasTraded: boolean
  readonly diff: DepthDiff | undefined
  readonly at: number
}

/** The messages of a stream about the changes of a tick; none for streams that send at fixed intervals. */
export function textsOf(stream: PublicStream, changes: Changes, tickMs: number, now: Millis): readonly string[] {
  const { kind, said, family } = stream
  const { market, view, trades, hasTraded, diff } = changes
  const isSpot = family === 'spot'
  const contract = { market, said }
  switch (kind.type) {
    case 'trade':
      return trades.map((trade) => (isSpot ? tradeText(market, trade, now) : contractTradeText(contract, trade, now)))
    case 'aggTrade':
      return isSpot ? aggregateTexts(market, trades, now) : contractAggregateTexts(contract, trades, now)
    case 'depth':
    case 'partialDepth':
      return diff && kind.everyMs <= tickMs ? [depthText(stream, changes, diff, now)] : []
    case 'bookTicker':
      if (!diff) return []
      return [isSpot ? bookTickerText(market, view) : contractBookTickerText(contract, view, changes.at, now)]
    case 'miniTicker':
      return hasTraded ? [miniTickerText(market, view, now, said)] : []
    case 'ticker':
      return hasTraded || (diff && isSpot) ? [isSpot ? tickerText(market, view, now) : contractTickerText(contract, view, now)] : []
    default:
      return []
  }
}

/** A message of a depth stream: changes, or the best levels. */
export function depthText(
  { kind, said, family }: PublicStream,
  { market, view, at }: Pick<Changes, 'market' | 'view' | 'at'>,
  diff: DepthDiff,
  now: Millis,
): string {
  const levels = kind.type === 'partialDepth' ? kind.levels : undefined
  if (family === 'spot') return levels === undefined ? depthDiffText(market, diff, now) : partialDepthText(market, view, levels)
  const contract = { market, said }
  return levels === undefined ? contractDepthText(contract, diff, at, now) : contractBestText(contract, view, levels, diff.first, at, now)
}
