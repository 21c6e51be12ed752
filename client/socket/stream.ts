import type { DepthUpdate, IndexUpdate, KlineUpdate, MarkUpdate, TradeUpdate, UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import { type Channels, type ChannelsOptions, openChannels } from './channels.ts'

/** The message type of a channel: `<symbol>@depth@100ms`, `@trade`, `@kline_<interval>`, `@mark` and `@index` of a symbol, and `user`. */
export type ChannelData<Channel extends string> = Channel extends 'user'
  ? UserUpdate
  : Channel extends `${string}@depth@100ms`
    ? DepthUpdate
    : Channel extends `${string}@trade`
      ? TradeUpdate
      : Channel extends `${string}@kline_${string}`
        ? KlineUpdate
        : Channel extends `${string}@mark`
          ? MarkUpdate
          : Channel extends `${string}@index`
            ? IndexUpdate
            : never

export type StreamError = { readonly code: string; readonly msg: string }

export type Stream = Omit<Channels, 'subscribe'> & {
  /** Like `subscribe` of `Channels`, with the message type of the channel. */
  subscribe<Channel extends string>(channel: Channel, listener: (data: ChannelData<Channel>) => void): () => void
}

/** The app's second socket, `/app/v1/stream`. */
export function openStream(options: ChannelsOptions<StreamError>): Stream {
  return openChannels(options)
}
