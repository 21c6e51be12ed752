import { merged, type Level } from '../socket/levels.ts'
import type { DepthEvent } from './stream-types.ts'
import type { Stream } from './stream.ts'

/** A book as far as it is known, best levels first, at one update. */
export type Book = { readonly bids: readonly Level[]; readonly asks: readonly Level[]; readonly lastUpdateId: number }

/**
 * What a change does to a book.
 *
 *   spot       fits when U ≤ last + 1 ≤ u
 *   contracts  the first one fits when U ≤ last ≤ u, each further one when pu = last
 *
 * isFirst  nothing was applied to the snapshot yet
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

export type BookOptions = {
  readonly stream: Stream
  /** As in names of streams: any case. */
  readonly symbol: string
  /** `() => depth(call, { symbol, limit: 1000 })` of the market that the stream is of. */
  readonly snapshot: () => Promise<Book>
  /** After each change. The arrays are new where something changed. */
  readonly onChange: (book: Book) => void
  /** False from a gap or a lost socket until the book is whole again. */
  readonly onLive?: (isLive: boolean) => void
  /** A snapshot that failed; another follows after `retryMs` (default 1,000). */
  readonly onError?: (error: unknown) => void
  readonly retryMs?: number
  /** `100ms` (default) or the stream's own pace. */
  readonly speed?: '100ms' | '1000ms'
}

/** A local copy of a market's book: a snapshot, and the changes that follow it without a gap; after a gap it is read anew. */
export function openBook(options: BookOptions): { close(): void } {
  const retryMs = options.retryMs ?? 1_000
  let book: Book | undefined
  let isFirst = true
  let waiting: DepthEvent[] = []
  /** Counts snapshots: the answer to one that was given up is ignored. */
  let attempt = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  let isLive = false

  const live = (next: boolean): void => {
    if (next === isLive) return
    isLive = next
    options.onLive?.(next)
  }

  function restart(delayMs = 0): void {
    book = undefined
    isFirst = true
    live(false)
    attempt += 1
    clearTimeout(retry)
    if (isClosed || options.stream.state !== 'open') return
    if (delayMs === 0) void load(attempt)
    else retry = setTimeout(load, delayMs, attempt)
  }

  async function load(mine: number): Promise<void> {
    let next: Book | undefined
    try {
      const { bids, asks, lastUpdateId } = await options.snapshot()
      next = { bids, asks, lastUpdateId }
    } catch (error) {
      if (mine !== attempt || isClosed) return
      options.onError?.(error)
      return restart(retryMs)
    }
    if (mine !== attempt || isClosed) return
    for (const change of waiting) {
      const after = bookAfter(next, change, isFirst)
      // The snapshot is older than what the socket gave first: only another one closes the gap.
      if (after === undefined) return restart(retryMs)
      if (after !== next) isFirst = false
      next = after
    }
    waiting = []
    book = next
    live(true)
    options.onChange(book)
  }

  const name = `${options.symbol.toLowerCase()}@depth${options.speed === '1000ms' ? '' : '@100ms'}` as `${string}@depth@100ms`
  const leave = options.stream.subscribe(name, (change) => {
    if (book === undefined) {
      waiting.push(change)
      if (waiting.length > 1_000) waiting.shift()
      return
    }
    const after = bookAfter(book, change, isFirst)
    if (after === undefined) {
      waiting = [change]
      return restart()
    }
    if (after === book) return
    isFirst = false
    book = after
    options.onChange(book)
  })
  const leaveState = options.stream.onState(() => {
    waiting = []
    restart()
  })
  restart()

  return {
    close() {
      isClosed = true
      attempt += 1
      clearTimeout(retry)
      leave()
      leaveState()
    },
  }
}
