import { type Interval, intervals } from '@candor/core/protocol/market.ts'
import type { BarShape } from '../../store/query/bars.ts'
import { shapeIfAny } from '../api/intervals.ts'
import type { Listing } from '../market/listing.ts'

/** A public stream: what of which market. Names are those that existing clients speak. */
export type StreamKind =
  | { readonly type: 'trade' | 'aggTrade' | 'miniTicker' | 'ticker' | 'bookTicker' | 'index' | 'mark' }
  | { readonly type: 'depth'; readonly isSlow: boolean }
  | { readonly type: 'partialDepth'; readonly levels: 5 | 10 | 20; readonly isSlow: boolean }
  | { readonly type: 'miniTickers' }
  | { readonly type: 'kline'; readonly interval: Interval }
  | { readonly type: 'rolledKline'; readonly interval: string; readonly shape: BarShape }

/** `market` 0: of all. `isSlow`: once a second, else ten times. */
export type PublicStream = { readonly name: string; readonly market: number; readonly kind: StreamKind }

export const allMarkets = 0

/** `undefined`: there is no such stream. */
export function parseStream(listing: Listing, name: string): PublicStream | undefined {
  if (name === '!miniTicker@arr') return { name, market: allMarkets, kind: { type: 'miniTickers' } }
  const at = name.indexOf('@')
  if (at < 1 || name.length > 64) return undefined
  const pair = name.slice(0, at)
  if (pair !== pair.toLowerCase()) return undefined
  const market = listing.marketNamedIfAny(pair.toUpperCase())
  const kind = parseKind(name.slice(at + 1))
  // Marks are of contracts only.
  if (!market || !kind || (kind.type === 'mark' && market.wire.kind !== 'perp')) return undefined
  return { name, market: market.market.id, kind }
}

function parseKind(text: string): StreamKind | undefined {
  switch (text) {
    case 'trade':
    case 'aggTrade':
    case 'miniTicker':
    case 'ticker':
    case 'bookTicker':
    case 'index':
    case 'mark':
      return { type: text }
    default:
  }
  const depth = /^depth(5|10|20)?(@100ms|@1000ms)?$/.exec(text)
  if (depth) {
    const isSlow = depth[2] !== '@100ms'
    return depth[1] === undefined ? { type: 'depth', isSlow } : { type: 'partialDepth', levels: Number(depth[1]) as 5 | 10 | 20, isSlow }
  }
  const interval = /^kline_([0-9]+[smhdwM])$/.exec(text)?.[1]
  if (interval === undefined) return undefined
  if ((intervals as readonly string[]).includes(interval)) return { type: 'kline', interval: interval as Interval }
  const shape = shapeIfAny(interval)
  return shape && { type: 'rolledKline', interval, shape }
}

const eachCounted: ReadonlySet<StreamKind['type']> = new Set(['trade', 'aggTrade', 'depth', 'index', 'miniTickers'])

/** Each message of these counts; of the others the newest stands for all before it. */
export function isEachCounted(kind: StreamKind): boolean {
  return eachCounted.has(kind.type)
}
