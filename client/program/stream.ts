import { openConnection, type ConnectionOptions, type ConnectionState } from '../socket/connection.ts'
import type { StreamData } from './stream-types.ts'

export type StreamError = { readonly code: number; readonly msg: string }

export type StreamOptions = Omit<ConnectionOptions, 'url'> & {
  /** Origin of the exchange: `https://…`, or `wss://…`. */
  readonly url: string
  /** `spot` (default) or `futures`, where a contract has the name of its pair. */
  readonly market?: 'spot' | 'futures'
  readonly onError?: (error: StreamError) => void
  /** How often the stream is asked what it gives, so that a quiet one is told from a lost one. Default 20,000. */
  readonly pingMs?: number
}

export type Stream = {
  readonly state: ConnectionState
  readonly lastMessageAt: number
  /**
   * Listens until the returned function is called: `btcusdt@trade`, `btcusdt@depth@100ms`, `!miniTicker@arr` … The first
   * listener of a name subscribes, the last one to leave unsubscribes; after a loss all are subscribed again. What was sent
   * meanwhile is lost: who needs it without gaps also listens to `onState`.
   */
  subscribe<Name extends string>(name: Name, listener: (data: StreamData<Name>) => void): () => void
  onState(listener: (state: ConnectionState) => void): () => void
  reconnect(): void
  close(): void
}

/** Market data over one socket. What is asked for in one turn of the event loop goes out as one message: there may be five a second. */
export function openStream(options: StreamOptions): Stream {
  const listeners = new Map<string, Set<(data: never) => void>>()
  const stateListeners = new Set<(state: ConnectionState) => void>()
  const wanted = { SUBSCRIBE: new Set<string>(), UNSUBSCRIBE: new Set<string>() }
  let isFlushing = false
  let nextId = 1
  const send = (method: string, params?: readonly string[]): void =>
    connection.send(JSON.stringify({ method, ...(params === undefined ? {} : { params }), id: nextId++ }))

  const connection = openConnection(
    {
      ...options,
      url: `${socketOrigin(options.url)}${options.market === 'futures' ? '/fstream/stream' : '/stream'}`,
      onState(state) {
        options.onState?.(state)
        for (const listener of stateListeners) listener(state)
      },
    },
    {
      onOpen() {
        for (const names of Object.values(wanted)) names.clear()
        if (listeners.size > 0) send('SUBSCRIBE', [...listeners.keys()])
      },
      onText(text) {
        const message = parsed(text)
        if (message?.error !== undefined) options.onError?.(message.error)
        else if (message?.stream !== undefined) for (const listener of listeners.get(message.stream) ?? []) listener(message.data as never)
      },
    },
  )
  const ping = setInterval(() => send('LIST_SUBSCRIPTIONS'), options.pingMs ?? 20_000)

  function want(name: string, method: 'SUBSCRIBE' | 'UNSUBSCRIBE'): void {
    wanted[method].add(name)
    wanted[method === 'SUBSCRIBE' ? 'UNSUBSCRIBE' : 'SUBSCRIBE'].delete(name)
    if (isFlushing) return
    isFlushing = true
    queueMicrotask(() => {
      isFlushing = false
      for (const each of ['SUBSCRIBE', 'UNSUBSCRIBE'] as const) {
        if (wanted[each].size > 0) send(each, [...wanted[each]])
        wanted[each].clear()
      }
    })
  }

  return {
    get state() {
      return connection.state
    },
    get lastMessageAt() {
      return connection.lastMessageAt
    },
    subscribe(name, listener) {
      const entry = (data: never): void => listener(data)
      const existing = listeners.get(name)
      if (existing === undefined) {
        listeners.set(name, new Set([entry]))
        want(name, 'SUBSCRIBE')
      } else existing.add(entry)
      return () => {
        const entries = listeners.get(name)
        if (entries === undefined || !entries.delete(entry) || entries.size > 0) return
        listeners.delete(name)
        want(name, 'UNSUBSCRIBE')
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

/** `https://host/path/` as `wss://host/path`. */
export function socketOrigin(url: string): string {
  return url.replace(/^http/, 'ws').replace(/\/+$/, '')
}

type Message = { readonly error?: StreamError; readonly stream?: string; readonly data?: unknown }

function parsed(text: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(text)
    if (typeof message === 'object' && message !== null) return message as Message
  } catch {}
  return undefined
}
