import type { DepthUpdate, IndexUpdate, MarkUpdate, StreamMessage, TradeUpdate, UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import { openConnection, type ConnectionOptions, type ConnectionState } from './connection.ts'

/** What a channel's messages are: `<symbol>@depth@100ms`, `<symbol>@trade`, `<symbol>@mark`, `<symbol>@index`, `user`. */
export type ChannelData<Channel extends string> = Channel extends 'user'
  ? UserUpdate
  : Channel extends `${string}@depth@100ms`
    ? DepthUpdate
    : Channel extends `${string}@trade`
      ? TradeUpdate
      : Channel extends `${string}@mark`
        ? MarkUpdate
        : Channel extends `${string}@index`
          ? IndexUpdate
          : never

export type StreamError = { readonly code: string; readonly msg: string }

export type StreamOptions = ConnectionOptions & {
  readonly onError?: (error: StreamError) => void
  /** How often the stream is asked what it gives, so that a quiet one is told from a lost one. Default 20,000. */
  readonly pingMs?: number
}

export type Stream = {
  readonly state: ConnectionState
  readonly lastMessageAt: number
  /**
   * Listens to a channel until the returned function is called. The first listener of a channel subscribes, the last
   * one to leave unsubscribes; after a reconnect all channels are subscribed again. What was sent meanwhile is lost:
   * who needs it without gaps also listens to `onState` and reads the state anew at `open`.
   */
  subscribe<Channel extends string>(channel: Channel, listener: (data: ChannelData<Channel>) => void): () => void
  onState(listener: (state: ConnectionState) => void): () => void
  reconnect(): void
  close(): void
}

/** The app's second socket, `/app/v1/stream`. */
export function openStream(options: StreamOptions): Stream {
  const listeners = new Map<string, Set<(data: never) => void>>()
  const stateListeners = new Set<(state: ConnectionState) => void>()
  let nextId = 1

  const request = (method: 'SUBSCRIBE' | 'UNSUBSCRIBE', params: readonly string[]): void => {
    connection.send(JSON.stringify({ method, params, id: nextId++ }))
  }

  const connection = openConnection(
    {
      ...options,
      onState(state) {
        options.onState?.(state)
        for (const listener of stateListeners) listener(state)
      },
    },
    {
      onOpen(opened) {
        if (listeners.size > 0) opened.send(JSON.stringify({ method: 'SUBSCRIBE', params: [...listeners.keys()], id: nextId++ }))
      },
      onText(text) {
        const message = parse(text)
        if (message === undefined) return
        if ('error' in message) options.onError?.(message.error)
        else if ('stream' in message) for (const listener of listeners.get(message.stream) ?? []) listener(message.data as never)
      },
    },
  )

  const ping = setInterval(() => connection.send(JSON.stringify({ method: 'LIST_SUBSCRIPTIONS', id: nextId++ })), options.pingMs ?? 20_000)

  return {
    get state() {
      return connection.state
    },
    get lastMessageAt() {
      return connection.lastMessageAt
    },
    subscribe(channel, listener) {
      const entry = (data: never): void => listener(data)
      const existing = listeners.get(channel)
      if (existing === undefined) {
        listeners.set(channel, new Set([entry]))
        request('SUBSCRIBE', [channel])
      } else existing.add(entry)
      return () => {
        const entries = listeners.get(channel)
        if (entries === undefined || !entries.delete(entry) || entries.size > 0) return
        listeners.delete(channel)
        request('UNSUBSCRIBE', [channel])
      }
    },
    onState(listener) {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
    reconnect: () => connection.reconnect(),
    close() {
      clearInterval(ping)
      connection.close()
    },
  }
}

function parse(text: string): StreamMessage | undefined {
  try {
    const message: unknown = JSON.parse(text)
    if (typeof message === 'object' && message !== null) return message as StreamMessage
  } catch {}
  return undefined
}
