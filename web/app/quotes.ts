/**
 * Live quotes of all markets, outside React: a socket writes them, and each row subscribes to its symbol. Changes are published
 * together, at most four times a second and never while the page is hidden.
 */
import { openQuotes, type Quotes } from '@candor/client/socket/quotes.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireTicker, WssKlineRow, WssQuote } from '@candor/core/protocol/wire/market.ts'
import { useCallback, useSyncExternalStore } from 'react'
import { client } from './client.ts'
import { marketsNow } from './config.ts'
import { publishAt } from './painted.ts'

/** An immutable snapshot: a new object whenever anything in it changed. */
export type Quote = {
  readonly symbol: string
  readonly price: Decimal
  readonly open: Decimal
  readonly high: Decimal
  readonly low: Decimal
  readonly volume: Decimal
  /** 24 h percent with sign. */
  readonly change: Decimal
  readonly time: number
  /** Direction of the last price change; 0 before the first. */
  readonly direction: -1 | 0 | 1
  /** From the list of tickers, refreshed each minute: the socket doesn't carry them. */
  readonly quoteVolume?: Decimal
  readonly index?: Decimal
  readonly sparkline?: readonly Decimal[]
}

/**
 * `stale`: no data for 5 s. `offline`: the exchange can't be reached. `since`: time of the last data. `isBehind`: the exchange can be
 * reached but reports that it has no new data since then.
 */
export type FeedState = { readonly state: 'connecting' | 'live' | 'stale' | 'offline'; readonly since: number; readonly isBehind: boolean }

export type Kline = { readonly tradingPairsId: number; readonly period: Interval; readonly rows: readonly WssKlineRow[] }

const publishEveryMs = 250
const staleAfterMs = 5_000
/** Prices older than this are not shown. */
const keptForMs = 7 * 86_400_000

const quotes = new Map<string, Quote>()
let snapshot: readonly Quote[] = []
const changed = new Set<string>()
const listeners = new Map<string, Set<() => void>>()
const allListeners = new Set<() => void>()
const feedListeners = new Set<() => void>()
const klineListeners = new Set<(kline: Kline) => void>()

let socket: Quotes | undefined
let feed: FeedState = { state: 'connecting', since: 0, isBehind: false }
let lastDataAt = 0
let isBehind = false
let dueAt = 0
let isScheduled = false
let hadTickersError = false
let tickersError: unknown

/** Opens `/wss` and loads the tickers once. Called before the first render, so that both run while React starts. */
export function startQuotes(): void {
  if (socket !== undefined) return
  recall()
  socket = openQuotes({
    url: socketUrl('/wss'),
    fallback: { url: socketUrl('/ws'), pairs: () => marketsNow() },
    onData(data, staleSeconds) {
      isBehind = staleSeconds > 0
      lastDataAt = Date.now() - staleSeconds * 1_000
      for (const row of data.list ?? []) take(row)
      if (data.kline !== undefined) for (const listener of klineListeners) listener(data.kline)
      updateFeed()
      schedule()
    },
    onState: updateFeed,
  })
  void loadTickers()
  setInterval(() => void loadTickers(), 60_000)
  setInterval(updateFeed, 1_000)
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      keep()
      return
    }
    if (Date.now() - lastDataAt > staleAfterMs) socket?.reconnect()
    schedule()
  })
  addEventListener('pagehide', keep)
  addEventListener('online', () => socket?.reconnect())
  addEventListener('offline', updateFeed)
}

/** The quote of a market. Renders again when it changes. */
export function useQuote(symbol: string): Quote | undefined {
  return useQuotePart(symbol, whole)
}

/** A part of a market's quote, such as its price. Renders again when that part changes. */
export function useQuotePart<Part>(symbol: string, part: (quote: Quote | undefined) => Part): Part {
  const listen = useCallback((listener: () => void) => subscribe(symbol, listener), [symbol])
  return useSyncExternalStore(listen, () => part(quotes.get(symbol)))
}

/** The last price of a market; undefined while it loads and before the first one, which is sent as 0. Renders again when it changes. */
export function useLast(symbol: string): Decimal | undefined {
  return useQuotePart(symbol, priceOf)
}

function whole(quote: Quote | undefined): Quote | undefined {
  return quote
}

function priceOf(quote: Quote | undefined): Decimal | undefined {
  return Number(quote?.price) === 0 ? undefined : quote?.price
}

/** All quotes, in the order of the exchange's list: for sorting, at most four times a second. */
export function useQuotes(): readonly Quote[] {
  return useSyncExternalStore(subscribeAll, () => snapshot)
}

/** The current quotes, without a subscription: for the order of lists and for totals that should not jump. */
export function quotesNow(): ReadonlyMap<string, Quote> {
  return quotes
}

export function useFeed(): FeedState {
  return useSyncExternalStore(subscribeFeed, () => feed)
}

/** True while prices may be older than 5 s: they turn grey, and order buttons wait. */
export function useIsStale(): boolean {
  return useSyncExternalStore(subscribeFeed, isStale)
}

function isStale(): boolean {
  return feed.state === 'stale' || feed.state === 'offline'
}

/** The error if tickers failed to load; undefined while they load or are loaded. */
export function useTickersError(): unknown {
  return useSyncExternalStore(subscribeAll, () => (hadTickersError && quotes.size === 0 ? tickersError : undefined))
}

/** Loads all tickers with their 24 hourly closes. Pull to refresh calls it. */
export async function loadTickers(): Promise<void> {
  try {
    const tickers = await client.market.tickers({ sparkline: true })
    for (const ticker of tickers) takeTicker(ticker)
    hadTickersError = false
  } catch (error) {
    hadTickersError = true
    tickersError = error
    notifyAll()
  }
  schedule()
}

/** Candles of one pair over `/wss`, until the returned function is called. Only the last subscription is served. */
export function watchKline(tradingPairsId: number, period: Interval, listener: (kline: Kline) => void): () => void {
  const own = (kline: Kline): void => {
    if (kline.tradingPairsId === tradingPairsId && kline.period === period) listener(kline)
  }
  klineListeners.add(own)
  socket?.watch(tradingPairsId, period)
  return () => {
    klineListeners.delete(own)
    if (klineListeners.size === 0) socket?.unwatch()
  }
}

/** `ws:` or `wss:` at the page's own origin. */
export function socketUrl(path: string): string {
  return `${location.origin.replace(/^http/, 'ws')}${path}`
}

/** Compares two prices as numbers, for colour and order only. */
export function directionOf(before: Decimal, after: Decimal): -1 | 0 | 1 {
  const difference = Number(after) - Number(before)
  return difference > 0 ? 1 : difference < 0 ? -1 : 0
}

function take(row: WssQuote): void {
  const before = quotes.get(row.symbol)
  if (before !== undefined && row.time < before.time) return
  const { tradingPairsId: _id, ...rest } = row
  put({ ...before, ...rest, direction: before === undefined ? 0 : directionOf(before.price, row.price) || before.direction })
}

function takeTicker(ticker: WireTicker): void {
  const { bid: _bid, ask: _ask, ...rest } = ticker
  const before = quotes.get(ticker.symbol)
  const isOlder = before !== undefined && before.time > ticker.time
  const live = isOlder ? { price: before.price, high: before.high, low: before.low, change: before.change, time: before.time } : {}
  put({ ...rest, ...live, direction: before?.direction ?? 0 })
}

function put(quote: Quote): void {
  quotes.set(quote.symbol, quote)
  changed.add(quote.symbol)
}

function schedule(): void {
  if (isScheduled || changed.size === 0 || document.hidden) return
  isScheduled = true
  dueAt = Math.max(dueAt, performance.now())
  publishAt(dueAt, publish)
}

function publish(): void {
  isScheduled = false
  dueAt = Math.max(dueAt, performance.now()) + publishEveryMs
  snapshot = [...quotes.values()]
  const symbols = [...changed]
  changed.clear()
  for (const symbol of symbols) for (const listener of listeners.get(symbol) ?? []) listener()
  notifyAll()
}

function notifyAll(): void {
  for (const listener of allListeners) listener()
}

function updateFeed(): void {
  if (socket === undefined) return
  const isSilent = lastDataAt > 0 && Date.now() - lastDataAt > staleAfterMs
  const isOffline = socket.state === 'offline' || (!navigator.onLine && socket.state !== 'open')
  const state = isOffline
    ? 'offline'
    : isSilent
      ? 'stale'
      : socket.state === 'open' && lastDataAt > 0
        ? 'live'
        : lastDataAt > 0
          ? feed.state
          : 'connecting'
  if (state === feed.state && (state === 'live' || lastDataAt === feed.since)) return
  if (state === 'live' && hadTickersError) void loadTickers()
  feed = { state, since: lastDataAt, isBehind: state === 'stale' && isBehind }
  for (const listener of feedListeners) listener()
}

/** Stores the last quotes on the device. Without a connection, the app shows them in grey with their time. */
function keep(): void {
  try {
    if (lastDataAt > 0) localStorage.setItem('quotes', JSON.stringify({ at: lastDataAt, quotes: [...quotes.values()] }))
  } catch {}
}

function recall(): void {
  try {
    const kept = JSON.parse(localStorage.getItem('quotes') ?? 'null') as { readonly at: number; readonly quotes: readonly Quote[] } | null
    if (kept === null || Date.now() - kept.at > keptForMs) return
    for (const quote of kept.quotes) quotes.set(quote.symbol, { ...quote, direction: 0 })
    snapshot = [...quotes.values()]
    lastDataAt = kept.at
    feed = { state: 'stale', since: kept.at, isBehind: false }
  } catch {}
}

function subscribe(symbol: string, listener: () => void): () => void {
  const own = listeners.get(symbol) ?? new Set()
  listeners.set(symbol, own.add(listener))
  return () => own.delete(listener)
}

function subscribeAll(listener: () => void): () => void {
  allListeners.add(listener)
  return () => allListeners.delete(listener)
}

function subscribeFeed(listener: () => void): () => void {
  feedListeners.add(listener)
  return () => feedListeners.delete(listener)
}
