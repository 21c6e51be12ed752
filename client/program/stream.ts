import { type Channels, type ChannelsOptions, openChannels } from '../socket/channels.ts'
import type { StreamData } from './stream-types.ts'

export type StreamError = { readonly code: number; readonly msg: string }

export type StreamOptions = Omit<ChannelsOptions<StreamError>, 'url'> & {
  /** URL of the exchange: `https://…`, or `wss://…`. */
  readonly url: string
  /** `spot` (default) or `futures`. A Futures market is named after its pair, such as BTCUSDT. */
  readonly market?: 'spot' | 'futures'
}

export type Stream = Omit<Channels, 'subscribe'> & {
  /**
   * Listens until the returned function is called: `btcusdt@trade`, `btcusdt@depth@100ms`, `!miniTicker@arr` … The first listener
   * of a name subscribes, the last one to leave unsubscribes; after a loss all are subscribed again. Messages in between are
   * lost: listeners that need all of them also watch `onState`.
   */
  subscribe<Name extends string>(name: Name, listener: (data: StreamData<Name>) => void): () => void
}

/**
 * Market data over one socket. Subscriptions made in one turn of the event loop go out as one message, because the exchange
 * accepts only five messages a second.
 */
export function openStream({ url, market, ...options }: StreamOptions): Stream {
  return openChannels({ ...options, url: `${socketOrigin(url)}${market === 'futures' ? '/fstream/stream' : '/stream'}` })
}

/** The WebSocket URL of an exchange: `wss://host/path` for `https://host/path/`. */
export function socketOrigin(url: string): string {
  return url.replace(/^http/, 'ws').replace(/\/+$/, '')
}
