import { type Interval, intervals } from '@candor/core/protocol/market.ts'
import type { Listing } from '../market/listing.ts'

/** A public stream: what of which market. Names are those that existing clients speak. */
export type StreamKind =
  | { readonly type: 'trade' | 'aggTrade' | 'miniTicker' | 'ticker' | 'bookTicker' | 'depth' | 'index' | 'mark' }
  | { readonly type: 'partialDepth'; readonly levels: 5 | 10 | 20 }
  | { readonly type: 'kline'; readonly interval: Interval }

export type PublicStream = { readonly name: string; readonly market: number; readonly kind: StreamKind }

/** `undefined`: there is no such stream. */
export function parseStream(listing: Listing, name: string): PublicStream | undefined {
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
    case 'depth':
    case 'index':
    case 'mark':
      return { type: text }
    case 'depth@100ms':
      return { type: 'depth' }
    default:
  }
  const partial = /^depth(5|10|20)(@100ms)?$/.exec(text)
  if (partial) return { type: 'partialDepth', levels: Number(partial[1]) as 5 | 10 | 20 }
  const interval = /^kline_([0-9]+[smhdwM])$/.exec(text)?.[1]
  return interval && (intervals as readonly string[]).includes(interval) ? { type: 'kline', interval: interval as Interval } : undefined
}

/** Each message of these counts; of the others the newest stands for all before it. */
export function isEachCounted(kind: StreamKind): boolean {
  return kind.type === 'trade' || kind.type === 'aggTrade' || kind.type === 'depth' || kind.type === 'index'
}
