import type { Interval } from '@candor/core/protocol/market.ts'
import type { WssData, WssMessage } from '@candor/core/protocol/wire/market.ts'
import { openConnection, type Connection, type ConnectionOptions, type ConnectionState } from './connection.ts'

export type QuotesOptions = ConnectionOptions & {
  /** Replaces or updates the shared list; `kline` only for the pair that was asked for. */
  readonly onData: (data: WssData) => void
  /** Anything that is not a 200 with data. */
  readonly onError?: (message: WssMessage) => void
  /** Default 20,000. The exchange closes a socket that sends none for 60 s. */
  readonly pingMs?: number
}

export type Quotes = {
  readonly state: ConnectionState
  readonly lastMessageAt: number
  /** All pairs' quotes, and candles of one. */
  watch(tradingPairsId: number, period: Interval): void
  /** Back to all pairs' quotes only. */
  unwatch(): void
  reconnect(): void
  close(): void
}

/** The market socket `/wss`: quotes of all pairs from the start, candles of one pair on request, again after each reconnect. */
export function openQuotes(options: QuotesOptions): Quotes {
  let watched: { readonly tradingPairsId: number; readonly period: Interval | '' } = { tradingPairsId: 0, period: '' }
  const subscribe = (to: Connection, params: typeof watched): void => to.send(JSON.stringify({ action: 'Subscribe', params }))

  const connection = openConnection(options, {
    onOpen(opened) {
      subscribe(opened, { tradingPairsId: 0, period: '' })
      if (watched.period !== '') subscribe(opened, watched)
    },
    onText(text) {
      const message = parse(text)
      if (message.code === 200 && hasContent(message.data)) options.onData(message.data)
      else if (message.code !== 200) options.onError?.(message)
    },
  })
  const ping = setInterval(() => connection.send('{"type":"PING"}'), options.pingMs ?? 20_000)

  return {
    get state() {
      return connection.state
    },
    get lastMessageAt() {
      return connection.lastMessageAt
    },
    watch(tradingPairsId, period) {
      watched = { tradingPairsId, period }
      subscribe(connection, watched)
    },
    unwatch() {
      watched = { tradingPairsId: 0, period: '' }
      subscribe(connection, watched)
    },
    reconnect: () => connection.reconnect(),
    close() {
      clearInterval(ping)
      connection.close()
    },
  }
}

function parse(text: string): WssMessage {
  try {
    const message: unknown = JSON.parse(text)
    if (typeof message === 'object' && message !== null && typeof (message as WssMessage).code === 'number') return message as WssMessage
  } catch {}
  return { code: 0, message: text.slice(0, 200) }
}

function hasContent(data: WssData | undefined): data is WssData {
  return typeof data === 'object' && data !== null && (data.list !== undefined || data.kline !== undefined)
}
