import type { WireDepth, WireLevel } from '@candor/core/protocol/wire/market.ts'
import type { DepthUpdate } from '@candor/core/protocol/wire/stream.ts'
import { followBook, type FollowOptions } from './follow.ts'
import { merged } from './levels.ts'
import type { Stream } from './stream.ts'

export type Depth = { readonly bids: readonly WireLevel[]; readonly asks: readonly WireLevel[]; readonly update: number }

export type DepthOptions = FollowOptions<Depth> & {
  readonly stream: Stream
  readonly symbol: string
  /** `client.market.depth(symbol, { limit: 1000 })` */
  readonly snapshot: () => Promise<WireDepth>
}

/** Keeps a local copy of a market's book. */
export function openDepth(options: DepthOptions): { close(): void } {
  const channel: `${string}@depth@100ms` = `${options.symbol.toLowerCase()}@depth@100ms`
  return followBook<Depth, DepthUpdate>(options, {
    subscribe: (listener) => options.stream.subscribe(channel, listener),
    after: depthAfter,
  })
}

/**
 * The book after a change; quantity 0 removes a level. A change applies when `U <= update + 1 <= u`; one that ends at or before
 * `update` is old and leaves the same book; one that starts later shows a gap: undefined.
 */
export function depthAfter(book: Depth, { U, u, b, a }: Pick<DepthUpdate, 'U' | 'u' | 'b' | 'a'>): Depth | undefined {
  if (u <= book.update) return book
  if (U > book.update + 1) return undefined
  return { bids: merged(book.bids, b, -1), asks: merged(book.asks, a, 1), update: u }
}
