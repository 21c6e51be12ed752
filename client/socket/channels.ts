import { type Connection, openConnection, type ConnectionOptions, type ConnectionState } from './connection.ts'
import { messageIn } from './message.ts'

/** `Problem`: the exchange's message about a request that it could not serve. */
export type ChannelsOptions<Problem> = ConnectionOptions & {
  readonly onError?: (error: Problem) => void
}

export type Channels = Omit<Connection, 'send'> & {
  /**
   * Listens to a channel until the returned function is called. The first listener of a channel subscribes, the last one to leave
   * unsubscribes; after a loss all channels are subscribed again. Messages in between are lost: listeners that need all of them
   * also watch `onState` and read the state again at `open`.
   */
  subscribe(channel: string, listener: (data: never) => void): () => void
  onState(listener: (state: ConnectionState) => void): () => void
}

/** Channels over one socket, each shared by all its listeners. Subscriptions made in one turn of the event loop go out as one message. */
export function openChannels<Problem>(options: ChannelsOptions<Problem>): Channels {
  const listeners = new Map<string, Set<(data: unknown) => void>>()
  const stateListeners = new Set<(state: ConnectionState) => void>()
  /** Channels to which the current socket is subscribed. */
  let asked = new Set<string>()
  let nextId = 1

  const connection = openConnection(
    {
      ...options,
      onState(state) {
        options.onState?.(state)
        for (const listener of stateListeners) listener(state)
      },
    },
    {
      onOpen() {
        asked.clear()
        ask()
      },
      onText(text) {
        const message = messageIn<{ error: Problem; stream: string; data: unknown }>(text)
        if (message?.error !== undefined) options.onError?.(message.error)
        else if (message?.stream !== undefined) for (const listener of listeners.get(message.stream) ?? []) listener(message.data)
      },
      ping: () => request('LIST_SUBSCRIPTIONS'),
    },
  )

  function request(method: string, params?: readonly string[]): string {
    return JSON.stringify({ method, params, id: nextId++ })
  }

  /** Subscribes an open socket to the channels that have listeners, and unsubscribes it from all others. */
  function ask(): void {
    if (connection.state !== 'open') return
    const wanted = new Set(listeners.keys())
    const more = [...wanted].filter((channel) => !asked.has(channel))
    const less = [...asked].filter((channel) => !wanted.has(channel))
    if (more.length > 0) connection.send(request('SUBSCRIBE', more))
    if (less.length > 0) connection.send(request('UNSUBSCRIBE', less))
    asked = wanted
  }

  return Object.assign(connection, {
    subscribe(channel: string, listener: (data: never) => void) {
      // A function of its own, so that one listener can listen twice.
      const entry = (data: unknown): void => (listener as (data: unknown) => void)(data)
      const entries = listeners.get(channel) ?? new Set()
      listeners.set(channel, entries.add(entry))
      queueMicrotask(ask)
      return () => {
        if (!entries.delete(entry) || entries.size > 0) return
        listeners.delete(channel)
        queueMicrotask(ask)
      }
    },
    onState(listener: (state: ConnectionState) => void) {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
  })
}
