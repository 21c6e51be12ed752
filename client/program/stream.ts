import { type Channels, type ChannelsOptions, openChannels } from '../socket/channels.ts'
import type { StreamData } from './stream-types.ts'

export type StreamError = { readonly code: number; readonly msg: string }

export type StreamOptions = Omit<ChannelsOptions<StreamError>, 'url'> & {
  /** Origin of the exchange: `https://…`, or `wss://…`. */
  readonly url: string
  /** `spot` (default) or `futures`, where a market has the name of its pair. */
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
 * Market data over one socket. Subscriptions made in one turn of the event loop go out as one message, because five messages a
 * second are allowed.
 */
export function openStream({ url, market, ...options }: StreamOptions): Stream {
  return openChannels({ ...options, url: `${socketOrigin(url)}${market === 'futures' ? '/fstream/stream' : '/stream'}` })
}

/** The origin of a URL as a WebSocket URL: `wss://host/path` for `https://host/path/`. */
export function socketOrigin(url: string): string {
  return url.replace(/^http/, 'ws').replace(/\/+$/, '')
}
