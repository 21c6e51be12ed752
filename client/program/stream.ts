import { type Channels, type ChannelsOptions, openChannels } from '../socket/channels.ts'
import type { StreamData } from './stream-types.ts'

export type StreamError = { readonly code: number; readonly msg: string }

export type StreamOptions = Omit<ChannelsOptions<StreamError>, 'url'> & {
  /** Origin of the exchange: `https://…`, or `wss://…`. */
  readonly url: string
  /** `spot` (default) or `futures`, where a Futures market has the name of its pair. */
  readonly market?: 'spot' | 'futures'
}

export type Stream = Omit<Channels, 'subscribe'> & {
  /**
   * Listens until the returned function is called: `btcusdt@trade`, `btcusdt@depth@100ms`, `!miniTicker@arr` … The first
   * listener of a name subscribes, the last one to leave unsubscribes; after a loss all are subscribed again. What was sent
   * meanwhile is lost: who needs it without gaps also listens to `onState`.
   */
  subscribe<Name extends string>(name: Name, listener: (data: StreamData<Name>) => void): () => void
}

/** Market data over one socket. What is asked for in one turn of the event loop goes out as one message: there may be five a second. */
export function openStream({ url, market, ...options }: StreamOptions): Stream {
  return openChannels({ ...options, url: `${socketOrigin(url)}${market === 'futures' ? '/fstream/stream' : '/stream'}` })
}

/** `https://host/path/` as `wss://host/path`. */
export function socketOrigin(url: string): string {
  return url.replace(/^http/, 'ws').replace(/\/+$/, '')
}
