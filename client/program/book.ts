import { followBook, type FollowOptions } from '../socket/follow.ts'
import { merged, type Level } from '../socket/levels.ts'
import type { DepthEvent } from './stream-types.ts'
import type { Stream } from './stream.ts'

/** A book at one update, best levels first, as deep as its snapshot. */
export type Book = { readonly bids: readonly Level[]; readonly asks: readonly Level[]; readonly lastUpdateId: number }

/**
 * Applies a change to a book.
 *
 *   spot       fits when U ≤ last + 1 ≤ u
 *   Futures    the first one fits when U ≤ last ≤ u, each further one when pu = last
 *
 * isFirst  no change has been applied to the snapshot yet
 * returns  the book after it; the same book when the change is older than it; undefined for a gap
 */
export function bookAfter(book: Book, change: Pick<DepthEvent, 'U' | 'u' | 'pu' | 'b' | 'a'>, isFirst: boolean): Book | undefined {
  const last = book.lastUpdateId
  if (change.pu === undefined) {
    if (change.u <= last) return book
    if (change.U > last + 1) return undefined
  } else {
    if (change.u < last || (change.u === last && !isFirst)) return book
    if (isFirst ? change.U > last && change.pu > last : change.pu !== last) return undefined
  }
  return { bids: merged(book.bids, change.b, -1), asks: merged(book.asks, change.a, 1), lastUpdateId: change.u }
}

export type BookOptions = FollowOptions<Book> & {
  readonly stream: Stream
  /** In any case, as in the names of streams. */
  readonly symbol: string
  /** `() => depth(call, { symbol, limit: 1000 })` of the stream's market. */
  readonly snapshot: () => Promise<Book>
  /** `100ms` (default), or the stream's own pace. */
  readonly speed?: '100ms' | '1000ms'
}

/**
 * Keeps a local copy of a market's book: a snapshot, and the changes that follow it without a gap. After a gap it reads a new
 * snapshot.
 */
export function openBook(options: BookOptions): { close(): void } {
  const { stream, symbol, speed } = options
  const name = `${symbol.toLowerCase()}@depth${speed === '1000ms' ? '' : '@100ms'}` as `${string}@depth@100ms`
  /** Snapshots to which no change has been applied. */
  const snapshots = new WeakSet<Book>()
  async function snapshot(): Promise<Book> {
    const book = await options.snapshot()
    snapshots.add(book)
    return book
  }
  return followBook<Book, DepthEvent>(
    { ...options, snapshot },
    { subscribe: (listener) => stream.subscribe(name, listener), after: (book, change) => bookAfter(book, change, snapshots.has(book)) },
  )
}
