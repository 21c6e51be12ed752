/**
 * The app's second socket, opened by the first screen that needs it: a market's book and trades, and events of the user's orders and
 * balances.
 */
import { openDepth, type Depth } from '@candor/client/socket/depth.ts'
import { openStream, type Stream } from '@candor/client/socket/stream.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireTrade } from '@candor/core/protocol/wire/market.ts'
import type { TradeUpdate, UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import { useSyncExternalStore } from 'react'
import { client, queries } from './client.ts'
import { publishAt } from './painted.ts'
import { socketUrl } from './quotes.ts'
import { acting } from './firm/acting.ts'
import { onSessionChange, useSession } from './session.ts'
import { useSettings } from './settings.ts'

/** The last published book. `isLive` is false from a gap or a lost socket until the book is complete again. */
export type Book = { readonly depth: Depth | undefined; readonly isLive: boolean; readonly error: unknown }

export type Trades = { readonly trades: readonly WireTrade[] | undefined; readonly error: unknown }

const tradesKept = 60

let opened: Stream | undefined
let leaveUser: (() => void) | undefined

/** The socket. The first call opens it. */
export function stream(): Stream {
  const account = acting === undefined ? '' : `?account=${acting.uid}`
  opened ??= openStream({ url: `${socketUrl('/app/v1/stream')}${account}` })
  return opened
}

/** A value that is followed while a component uses it, and published at most every `everyMs`. */
export class Live<Value> {
  #value: Value
  readonly #start: (put: (change: (before: Value) => Value) => void) => () => void
  readonly #everyMs: () => number
  readonly #listeners = new Set<() => void>()
  #stop: (() => void) | undefined
  #published: Value
  #isScheduled = false
  #nextAt = 0

  constructor(initial: Value, start: (put: (change: (before: Value) => Value) => void) => () => void, everyMs: () => number) {
    this.#value = initial
    this.#published = initial
    this.#start = start
    this.#everyMs = everyMs
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    this.#stop ??= this.#start((change) => {
      this.#value = change(this.#value)
      this.#schedule()
    })
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#stop?.()
      this.#stop = undefined
    }
  }

  readonly read = (): Value => this.#published

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    const at = Math.max(this.#nextAt, performance.now())
    const publish = (): void => {
      this.#isScheduled = false
      if (document.hidden) {
        document.addEventListener('visibilitychange', () => this.#schedule(), { once: true })
        return
      }
      // Counted from when it was due, so that it does not go faster where it joins other frames early.
      this.#nextAt = Math.max(at, performance.now()) + this.#everyMs()
      this.#published = this.#value
      for (const listener of this.#listeners) listener()
    }
    // A hidden page gets no frames: publishing resumes when it shows again.
    if (document.hidden) publish()
    else publishAt(at, publish)
  }
}

const books = new Map<string, Live<Book>>()
const tapes = new Map<string, Live<Trades>>()

/** The book of a market, at most ten times a second (once with data saver). */
export function useDepth(symbol: string): Book {
  return useBook(symbol, whole)
}

/** A part of a market's book. Renders again when that part changes, so the part is a simple value or a stored object. */
export function useBook<Part>(symbol: string, part: (book: Book) => Part): Part {
  const live = bookOf(symbol)
  return useSyncExternalStore(live.subscribe, () => part(live.read()))
}

function whole(book: Book): Book {
  return book
}

/** Parts of a book for `useBook`: its levels, its best prices, and nothing. */
export const depthOf = (book: Book): Depth | undefined => book.depth
export const bidOf = (book: Book): Decimal | undefined => book.depth?.bids[0]?.[0]
export const askOf = (book: Book): Decimal | undefined => book.depth?.asks[0]?.[0]
export const none = (): undefined => undefined

function bookOf(symbol: string): Live<Book> {
  return kept(books, symbol, () => {
    const start = (put: (change: (before: Book) => Book) => void): (() => void) => {
      const depth = openDepth({
        stream: stream(),
        symbol,
        snapshot: () => client.market.depth(symbol, { limit: 1000 }),
        onChange: (next) => put((before) => ({ ...before, depth: next, error: undefined })),
        onLive: (isLive) => put((before) => ({ ...before, isLive })),
        onError: (error) => put((before) => ({ ...before, error })),
      })
      return () => depth.close()
    }
    return new Live<Book>({ depth: undefined, isLive: false, error: undefined }, start, () =>
      useSettings.getState().dataSaver ? 1_000 : 100,
    )
  })
}

/** The last trades of a market, newest first. */
export function useTrades(symbol: string): Trades {
  const live = kept(
    tapes,
    symbol,
    () =>
      new Live<Trades>(
        { trades: undefined, error: undefined },
        (put) => followTrades(symbol, put),
        () => 250,
      ),
  )
  return useSyncExternalStore(live.subscribe, live.read)
}

/** Events of the user's own account. */
export type OwnUpdate = Exclude<UserUpdate, { readonly e: 'ended' }>

const userListeners = new Set<(update: OwnUpdate) => void>()

/** Calls the listener with each event of the user, on any screen. */
export function onOwnUpdate(listener: (update: OwnUpdate) => void): void {
  userListeners.add(listener)
}

/** Follows the user's events while somebody is logged in, and refreshes the queries that they make stale. */
export function startUserStream(): void {
  onSessionChange(() => {
    if (useSession.getState().me === undefined) queries.removeQueries({ queryKey: ['own'] })
    else void queries.resetQueries({ queryKey: ['own'] })
    // The cookie is read when the socket opens, so another user needs another socket.
    opened?.reconnect()
    follow()
  })
  follow()
}

function follow(): void {
  leaveUser?.()
  leaveUser = undefined
  if (useSession.getState().me === undefined) return
  const leave = stream().subscribe('user', (update) => {
    if (update.e === 'ended') {
      void queries.invalidateQueries({ queryKey: ['own'] })
      return
    }
    later(staleBy[update.e])
    if (update.e === 'balance' && update.account === 'perp') later('perp')
    for (const listener of userListeners) listener(update)
  })
  const leaveState = stream().onState((state) => {
    // Events during a disconnection are lost, so everything is read again.
    if (state === 'open') void queries.invalidateQueries({ queryKey: ['own'] })
  })
  leaveUser = () => {
    leave()
    leaveState()
  }
}

/** Queries that each event makes stale. Keys of the user's own data start with `own`: ['own', 'balances'], ['own', 'orders', …]. */
const staleBy = {
  order: 'orders',
  fill: 'orders',
  balance: 'balances',
  position: 'perp',
  positionClosed: 'perp',
  liquidation: 'perp',
  level: 'perp',
  deleveraged: 'perp',
  funding: 'perp',
  margin: 'margin',
  moved: 'balances',
  option: 'orders',
  algo: 'algo',
  support: 'support',
} as const satisfies Readonly<Record<OwnUpdate['e'], string>>

const waiting = new Set<string>()

/** Refreshes queries a moment later, so that ten fills in a row cause one refresh. */
function later(what: (typeof staleBy)[keyof typeof staleBy]): void {
  if (waiting.has(what)) return
  waiting.add(what)
  setTimeout(() => {
    waiting.delete(what)
    void queries.invalidateQueries({ queryKey: ['own', what] })
  }, 250)
}

function followTrades(symbol: string, put: (change: (before: Trades) => Trades) => void): () => void {
  let isStopped = false
  const load = async (): Promise<void> => {
    try {
      const trades = await client.market.trades(symbol, { limit: tradesKept })
      if (!isStopped) put((before) => ({ trades: merged(before.trades ?? [], trades), error: undefined }))
    } catch (error) {
      if (!isStopped) put((before) => ({ ...before, error }))
    }
  }
  const channel: `${string}@trade` = `${symbol.toLowerCase()}@trade`
  const leave = stream().subscribe(channel, (update) =>
    put((before) => ({ ...before, trades: merged([tradeOf(update as TradeUpdate)], before.trades ?? []) })),
  )
  const leaveState = stream().onState((state) => {
    if (state === 'open') void load()
  })
  void load()
  return () => {
    isStopped = true
    leave()
    leaveState()
  }
}

function merged(newer: readonly WireTrade[], older: readonly WireTrade[]): readonly WireTrade[] {
  const seen = new Set(newer.map((trade) => trade.id))
  return [...newer, ...older.filter((trade) => !seen.has(trade.id))]
    .sort((a, b) => b.time - a.time || Number(b.id) - Number(a.id))
    .slice(0, tradesKept)
}

function tradeOf(update: TradeUpdate): WireTrade {
  return { id: String(update.t), price: update.p, quantity: update.q, quote: '', time: update.T, takerSide: update.m ? 'sell' : 'buy' }
}

/** The `Live` of a symbol, created at its first use. */
export function kept<Value>(all: Map<string, Live<Value>>, symbol: string, make: () => Live<Value>): Live<Value> {
  const existing = all.get(symbol)
  if (existing !== undefined) return existing
  const made = make()
  all.set(symbol, made)
  return made
}
