import type { Interval } from '@candor/core/protocol/market.ts'
import type { WssData, WssMessage } from '@candor/core/protocol/wire/market.ts'
import { openConnection, type Connection, type ConnectionOptions } from './connection.ts'
import { messageIn } from './message.ts'

export type QuotesOptions = ConnectionOptions & {
  /**
   * Replaces or updates the shared list; `kline` only for the requested pair. `staleSeconds`: for how long the exchange has had
   * nothing new, 0 while everything works.
   */
  readonly onData: (data: WssData, staleSeconds: number) => void
  /** Called for any message that is not a 200 with data. */
  readonly onError?: (message: WssMessage) => void
}

export type Quotes = Omit<Connection, 'send'> & {
  /** Asks for all pairs' quotes, and the candles of one. */
  watch(tradingPairsId: number, period: Interval): void
  /** Asks for all pairs' quotes only. */
  unwatch(): void
}

/** The market socket `/wss`: quotes of all pairs from the start, candles of one pair on request, both again after each reconnect. */
export function openQuotes(options: QuotesOptions): Quotes {
  let watched: { readonly tradingPairsId: number; readonly period: Interval | '' } = { tradingPairsId: 0, period: '' }
  const subscribe = (to: Connection, params: typeof watched): void => to.send(JSON.stringify({ action: 'Subscribe', params }))

  const connection = openConnection(options, {
    onOpen(opened) {
      subscribe(opened, { tradingPairsId: 0, period: '' })
      if (watched.period !== '') subscribe(opened, watched)
    },
    onText(text) {
      const message = messageIn<WssMessage>(text)
      if (typeof message?.code !== 'number') options.onError?.({ code: 0, message: text.slice(0, 200) })
      else if (message.code !== 200) options.onError?.(message as WssMessage)
      else if (hasContent(message.data)) options.onData(message.data, message.stale ?? 0)
    },
    // The exchange closes a socket that sends nothing for 60 s.
    ping: () => '{"type":"PING"}',
  })

  return Object.assign(connection, {
    watch(tradingPairsId: number, period: Interval) {
      watched = { tradingPairsId, period }
      subscribe(connection, watched)
    },
    unwatch() {
      watched = { tradingPairsId: 0, period: '' }
      subscribe(connection, watched)
    },
  })
}

function hasContent(data: WssData | undefined): data is WssData {
  return typeof data === 'object' && data !== null && (data.list !== undefined || data.kline !== undefined)
}
