import type { Channels } from './channels.ts'

export type FollowOptions<Book> = {
  readonly stream: Pick<Channels, 'state' | 'onState'>
  readonly snapshot: () => Promise<Book>
  /** The whole book after each change, best first. Changed sides are new arrays. */
  readonly onChange: (book: Book) => void
  /** False from a gap or a lost socket until the book is complete again: until then it is not live. */
  readonly onLive?: (isLive: boolean) => void
  /** Called when a snapshot failed; another follows after `retryMs` (default 1,000). */
  readonly onError?: (error: unknown) => void
  readonly retryMs?: number
}

/** The source of a book's changes, and their effect on it. */
export type Changes<Book, Change> = {
  readonly subscribe: (listener: (change: Change) => void) => () => void
  /** The book after a change; the same book when the change is older than it; undefined for a gap. */
  readonly after: (book: Book, change: Change) => Book | undefined
}

/**
 * Keeps a local copy of a market's book: a snapshot, and the changes that follow it without a gap. After a gap it reads a new
 * snapshot.
 */
export function followBook<Book, Change>(options: FollowOptions<Book>, { subscribe, after }: Changes<Book, Change>): { close(): void } {
  const retryMs = options.retryMs ?? 1_000
  let book: Book | undefined
  let waiting: Change[] = []
  /** Counts snapshots, so that the answer to an abandoned one is ignored. */
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
    live(false)
    attempt += 1
    clearTimeout(retry)
    if (isClosed || options.stream.state !== 'open') return
    if (delayMs === 0) void load(attempt)
    else retry = setTimeout(load, delayMs, attempt)
  }

  async function load(mine: number): Promise<void> {
    let next: Book
    try {
      next = await options.snapshot()
    } catch (error) {
      if (mine !== attempt || isClosed) return
      options.onError?.(error)
      return restart(retryMs)
    }
    if (mine !== attempt || isClosed) return
    for (const change of waiting) {
      const changed = after(next, change)
      // The snapshot is older than the socket's first change: only a newer one closes the gap.
      if (changed === undefined) return restart(retryMs)
      next = changed
    }
    waiting = []
    book = next
    live(true)
    options.onChange(book)
  }

  const leave = subscribe((change) => {
    if (book === undefined) {
      waiting.push(change)
      if (waiting.length > 1_000) waiting.shift()
      return
    }
    const changed = after(book, change)
    if (changed === undefined) {
      waiting = [change]
      return restart()
    }
    if (changed === book) return
    book = changed
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
