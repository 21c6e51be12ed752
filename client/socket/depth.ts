import type { WireDepth, WireLevel } from '@candor/core/protocol/wire/market.ts'
import type { DepthUpdate } from '@candor/core/protocol/wire/stream.ts'
import { merged } from './levels.ts'
import type { Stream } from './stream.ts'

export type Depth = { readonly bids: readonly WireLevel[]; readonly asks: readonly WireLevel[]; readonly update: number }

export type DepthOptions = {
  readonly stream: Stream
  readonly symbol: string
  /** `client.market.depth(symbol, { limit: 1000 })` */
  readonly snapshot: () => Promise<WireDepth>
  /** The whole book after each change, best first. The arrays are new each time. */
  readonly onChange: (depth: Depth) => void
  /** False from a gap or a lost socket until the book is whole again: what is shown then is not live. */
  readonly onLive?: (isLive: boolean) => void
  /** A snapshot that failed; another follows after `retryMs` (default 1,000). */
  readonly onError?: (error: unknown) => void
  readonly retryMs?: number
}

/**
 * A local copy of a market's book: a snapshot, and the changes that follow it without a gap. A change applies when
 * `U <= update + 1 <= u`; one that ends at or before `update` is old; one that starts later shows a gap, and the
 * book is read anew.
 */
export function openDepth(options: DepthOptions): { close(): void } {
  const retryMs = options.retryMs ?? 1_000
  let book: Depth | undefined
  let waiting: DepthUpdate[] = []
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

  function resync(delayMs = 0): void {
    book = undefined
    live(false)
    attempt += 1
    clearTimeout(retry)
    if (isClosed || options.stream.state !== 'open') return
    if (delayMs === 0) void load(attempt)
    else retry = setTimeout(load, delayMs, attempt)
  }

  async function load(mine: number): Promise<void> {
    let snapshot: WireDepth
    try {
      snapshot = await options.snapshot()
    } catch (error) {
      if (mine !== attempt || isClosed) return
      options.onError?.(error)
      resync(retryMs)
      return
    }
    if (mine !== attempt || isClosed) return
    const later = waiting.filter((change) => change.u > snapshot.update)
    waiting = []
    // The snapshot may be older than the first change that the socket gave: only another one can close the gap.
    if (later.length > 0 && later[0].U > snapshot.update + 1) {
      waiting = later
      resync(retryMs)
      return
    }
    book = { bids: snapshot.bids, asks: snapshot.asks, update: snapshot.update }
    for (const change of later) book = withChange(book, change)
    live(true)
    options.onChange(book)
  }

  const leave = options.stream.subscribe(`${options.symbol.toLowerCase()}@depth@100ms` as `${string}@depth@100ms`, (change) => {
    if (book === undefined) {
      waiting.push(change)
      if (waiting.length > 1_000) waiting.shift()
      return
    }
    if (change.u <= book.update) return
    if (change.U > book.update + 1) {
      waiting = [change]
      resync()
      return
    }
    book = withChange(book, change)
    options.onChange(book)
  })
  const leaveState = options.stream.onState(() => {
    waiting = []
    resync()
  })
  resync()

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

/** The book after a change. Quantity 0 takes a level away. */
export function withChange(book: Depth, change: Pick<DepthUpdate, 'b' | 'a' | 'u'>): Depth {
  return { bids: merged(book.bids, change.b, -1), asks: merged(book.asks, change.a, 1), update: change.u }
}
