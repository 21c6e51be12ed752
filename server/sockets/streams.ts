import { type Interval, intervals } from '@candor/core/protocol/market.ts'
import type { BarShape } from '../store/query/market/bars.ts'
import { shapeIfAny } from '../live/intervals.ts'
import { type Family, programName } from '../live/program-names.ts'
import type { ListedMarket, Listing } from '../live/listing.ts'

/** How often collected changes are sent: `everyMs` should be a multiple of the tick, and is otherwise rounded to ticks. */
type Speed = { readonly everyMs: number }

/** The kind of a public stream. Names are those that existing clients use. */
export type StreamKind =
  | { readonly type: 'trade' | 'aggTrade' | 'miniTicker' | 'ticker' | 'bookTicker' | 'index' | 'mark' | 'avgPrice' | 'forceOrder' }
  | ({ readonly type: 'depth' } & Speed)
  | ({ readonly type: 'partialDepth'; readonly levels: 5 | 10 | 20 } & Speed)
  | ({ readonly type: 'markPrice' | 'markPrices' } & Speed)
  | { readonly type: 'miniTickers' | 'tickers' | 'bookTickers' | 'forceOrders' }
  | { readonly type: 'kline'; readonly interval: Interval }
  | { readonly type: 'rolledKline'; readonly interval: string; readonly shape: BarShape }

/**
 * A public stream. `market` 0: all markets of the family. `said`: the market's name in it. `key`: identifies it among the streams
 * of both families.
 */
export type PublicStream = {
  readonly key: string
  readonly name: string
  readonly family: Family
  readonly market: number
  readonly said: string
  readonly kind: StreamKind
}

export const allMarkets = 0

/** Channels of a stream: plain, and wrapped with its name. */
export const channelOf = (family: Family, isCombined: boolean, name: string): string =>
  `${family === 'spot' ? (isCombined ? 'all' : 'raw') : isCombined ? 'fal' : 'fra'}:${name}`

/** The stream of a channel; `undefined` when the channel is not of a public stream. */
export function streamOfChannel(listing: Listing, channel: string): PublicStream | undefined {
  const form = channel.slice(0, 4)
  if (form === 'raw:' || form === 'all:') return parseStream(listing, channel.slice(4), 'spot')
  return form === 'fra:' || form === 'fal:' ? parseStream(listing, channel.slice(4), 'futures') : undefined
}

/**
 * family  `futures`: contracts are named like their pairs, as clients of contracts expect. Otherwise all markets have the names
 *         that the app gives them.
 *
 * returns undefined when there is no such stream
 */
export function parseStream(listing: Listing, name: string, family: Family = 'spot'): PublicStream | undefined {
  const key = `${family} ${name}`
  const ofAll = kindOfAll(name, family)
  if (ofAll) return { key, name, family, market: allMarkets, said: '', kind: ofAll }
  const at = name.indexOf('@')
  if (at < 1 || name.length > 64) return undefined
  const pair = name.slice(0, at)
  if (pair !== pair.toLowerCase()) return undefined
  const market = marketOf(listing, pair.toUpperCase(), family)
  const kind = market && parseKind(name.slice(at + 1), family, market.wire.kind === 'perp')
  if (!market || !kind) return undefined
  return { key, name, family, market: market.market.id, said: family === 'spot' ? market.market.symbol : programName(market), kind }
}

function marketOf(listing: Listing, symbol: string, family: Family): ListedMarket | undefined {
  if (family === 'spot') return listing.marketNamedIfAny(symbol)
  for (const name of [`${symbol}PERP`, symbol]) {
    const market = listing.marketNamedIfAny(name)
    if (market?.wire.kind === 'perp' && programName(market) === symbol) return market
  }
  return undefined
}

function kindOfAll(name: string, family: Family): StreamKind | undefined {
  switch (name) {
    case '!miniTicker@arr':
      return { type: 'miniTickers' }
    case '!ticker@arr':
      return { type: 'tickers' }
    default:
  }
  if (family === 'spot') return undefined
  switch (name) {
    case '!bookTicker':
      return { type: 'bookTickers' }
    case '!forceOrder@arr':
      return { type: 'forceOrders' }
    case '!markPrice@arr':
      return { type: 'markPrices', everyMs: 3_000 }
    case '!markPrice@arr@1s':
      return { type: 'markPrices', everyMs: 1_000 }
    default:
      return undefined
  }
}

function parseKind(text: string, family: Family, isContract: boolean): StreamKind | undefined {
  switch (text) {
    case 'trade':
    case 'aggTrade':
    case 'miniTicker':
    case 'ticker':
    case 'bookTicker':
      return { type: text }
    case 'index':
      return family === 'spot' ? { type: text } : undefined
    case 'mark':
      // Only Futures have marks.
      return family === 'spot' && isContract ? { type: text } : undefined
    case 'avgPrice':
      return isContract ? undefined : { type: text }
    case 'forceOrder':
      return isContract ? { type: text } : undefined
    case 'markPrice':
    case 'markPrice@3s':
      return isContract ? { type: 'markPrice', everyMs: 3_000 } : undefined
    case 'markPrice@1s':
      return isContract ? { type: 'markPrice', everyMs: 1_000 } : undefined
    default:
      return family === 'spot' ? (spotDepth(text) ?? parseKline(text)) : (futuresDepth(text) ?? parseKline(text))
  }
}

function spotDepth(text: string): StreamKind | undefined {
  const depth = /^depth(5|10|20)?(?:@(100|1000)ms)?$/.exec(text)
  return depth ? depthKind(depth[1], Number(depth[2] ?? 1_000)) : undefined
}

/** `@0ms` means the fastest speed available. */
function futuresDepth(text: string): StreamKind | undefined {
  const depth = /^depth(5|10|20)?(?:@(0|100|250|500)ms)?$/.exec(text)
  return depth ? depthKind(depth[1], Math.max(100, Number(depth[2] ?? 250))) : undefined
}

function depthKind(levels: string | undefined, everyMs: number): StreamKind {
  return levels === undefined ? { type: 'depth', everyMs } : { type: 'partialDepth', levels: Number(levels) as 5 | 10 | 20, everyMs }
}

function parseKline(text: string): StreamKind | undefined {
  const interval = /^kline_([0-9]+[smhdwM])$/.exec(text)?.[1]
  if (interval === undefined) return undefined
  if ((intervals as readonly string[]).includes(interval)) return { type: 'kline', interval: interval as Interval }
  const shape = shapeIfAny(interval)
  return shape && { type: 'rolledKline', interval, shape }
}

const eachCounted: ReadonlySet<StreamKind['type']> = new Set([
  ...(['trade', 'aggTrade', 'depth', 'index', 'miniTickers'] as const),
  ...(['tickers', 'bookTickers', 'forceOrder', 'forceOrders'] as const),
])

/** Whether every message counts; otherwise the newest replaces all before it. */
export function isEachCounted(kind: StreamKind): boolean {
  return eachCounted.has(kind.type)
}
