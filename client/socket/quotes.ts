import type { Decimal } from '@candor/core/money/brand.ts'
import type { Interval } from '@candor/core/protocol/market.ts'
import type { WireMarket, WssData, WssMessage, WssQuote } from '@candor/core/protocol/wire/market.ts'
import { openConnection, type Connection, type ConnectionOptions } from './connection.ts'
import { messageIn } from './message.ts'

export type QuotesOptions = ConnectionOptions & {
  /**
   * Replaces or updates the shared list; `kline` only for the requested pair. `staleSeconds`: for how long the exchange has had
   * nothing new, 0 while everything works.
   */
  readonly onData: (data: WssData, staleSeconds: number) => void
  /**
   * The market streams for programs, `/ws` at the same host, for when `/wss` can't be reached. `pairs`: the listed markets, of which
   * the streams know the symbols only.
   */
  readonly fallback?: { readonly url: string; readonly pairs: () => readonly QuotesPair[] }
  /** Called for any message that is not a 200 with data. */
  readonly onError?: (message: WssMessage) => void
}

export type QuotesPair = { readonly id: number; readonly symbol: string; readonly kind: WireMarket['kind'] }

export type Quotes = Omit<Connection, 'send' | 'isOther'> & {
  /** Asks for all pairs' quotes, and the candles of one. */
  watch(tradingPairsId: number, period: Interval): void
  /** Asks for all pairs' quotes only. */
  unwatch(): void
}

/**
 * The market socket `/wss`: quotes of all pairs from the start, candles of one pair on request, both again after each reconnect. While
 * it can't be reached, the same from the fallback.
 */
export function openQuotes(options: QuotesOptions): Quotes {
  const { fallback } = options
  let watched: Watched = nothing
  const idOf = (symbol: string): number | undefined => fallback?.pairs().find((pair) => pair.symbol === symbol)?.id
  const ask = (to: Connection, asked: Watched, method: 'SUBSCRIBE' | 'UNSUBSCRIBE' = 'SUBSCRIBE'): void => {
    if (!to.isOther) to.send(JSON.stringify({ action: 'Subscribe', params: asked }))
    else to.send(JSON.stringify({ method, params: streamsOf(asked, fallback?.pairs() ?? []), id: 1 }))
  }

  const connection = openConnection(
    { ...options, ...(fallback === undefined ? {} : { otherUrl: fallback.url }) },
    {
      onOpen(opened) {
        ask(opened, nothing)
        if (watched !== nothing) ask(opened, watched)
      },
      onText(text) {
        const message = messageIn<WssMessage>(text)
        if (connection.isOther) {
          const data = dataOf(message, idOf)
          if (data !== undefined) options.onData(data, 0)
        } else if (typeof message?.code !== 'number') options.onError?.({ code: 0, message: text.slice(0, 200) })
        else if (message.code !== 200) options.onError?.(message as WssMessage)
        else if (hasContent(message.data)) options.onData(message.data, message.stale ?? 0)
      },
      // The exchange closes a socket that sends nothing for 60 s. The streams know no PING, but answer a question.
      ping: ({ isOther }) => (isOther ? '{"method":"LIST_SUBSCRIPTIONS","id":2}' : '{"type":"PING"}'),
    },
  )
  const watch = (next: Watched): void => {
    // Here a new subscription replaces the old one; there the old one goes on.
    if (connection.isOther && watched !== nothing) ask(connection, watched, 'UNSUBSCRIBE')
    watched = next
    if (!connection.isOther || next !== nothing) ask(connection, next)
  }
  return Object.assign(connection, {
    watch: (tradingPairsId: number, period: Interval) => watch({ tradingPairsId, period }),
    unwatch: () => watch(nothing),
  })
}

type Watched = { readonly tradingPairsId: number; readonly period: Interval | '' }
const nothing: Watched = { tradingPairsId: 0, period: '' }

/** Names of streams. The one of all markets has those of Spot; those of Futures have one each. */
function streamsOf({ tradingPairsId, period }: Watched, pairs: readonly QuotesPair[]): readonly string[] {
  const names = (of: (pair: QuotesPair) => boolean, stream: string): readonly string[] =>
    pairs.filter(of).map(({ symbol }) => `${symbol.toLowerCase()}@${stream}`)
  if (period !== '') return names(({ id }) => id === tradingPairsId, `kline_${period}`)
  return ['!miniTicker@arr', ...names(({ kind }) => kind === 'perp', 'miniTicker')]
}

type MiniTicker = { readonly [Name in 's' | 'c' | 'o' | 'h' | 'l' | 'v']: Decimal } & { readonly e: string; readonly E: number }
type KlineEvent = {
  readonly e: string
  readonly s: string
  readonly k: { readonly t: number; readonly i: Interval } & { readonly [Name in 'o' | 'h' | 'l' | 'c' | 'v']: Decimal }
}

/** The data of a message of the streams; undefined for answers, and for markets that are not listed. */
function dataOf(message: unknown, idOf: (symbol: string) => number | undefined): WssData | undefined {
  const { e, s, k } = (message ?? {}) as Partial<KlineEvent>
  if (Array.isArray(message) || e === '24hrMiniTicker') {
    const list = ([message].flat() as readonly MiniTicker[]).flatMap((one) => {
      const id = one.e === '24hrMiniTicker' ? idOf(one.s) : undefined
      return id === undefined ? [] : [quoteOf(one, id)]
    })
    return list.length > 0 ? { list } : undefined
  }
  const id = e === 'kline' && s !== undefined && k !== undefined ? idOf(s) : undefined
  return id === undefined ? undefined : { kline: { tradingPairsId: id, period: k!.i, rows: [[k!.t, k!.o, k!.h, k!.l, k!.c, k!.v]] } }
}

function quoteOf({ s, c, o, h, l, v, E }: MiniTicker, tradingPairsId: number): WssQuote {
  const change = (Number(o) > 0 ? (Number(c) / Number(o) - 1) * 100 : 0).toFixed(2) as Decimal
  return { tradingPairsId, symbol: s, price: c, open: o, high: h, low: l, volume: v, change, time: E }
}

function hasContent(data: WssData | undefined): data is WssData {
  return typeof data === 'object' && data !== null && (data.list !== undefined || data.kline !== undefined)
}
