import { type Connection, openConnection, type ConnectionOptions } from '../socket/connection.ts'
import { messageIn } from '../socket/message.ts'
import type { Call } from './call.ts'
import { startFutures } from './printed/user-data.ts'
import { socketOrigin } from './stream.ts'
import type { FuturesEvent } from './user-types.ts'

export type FuturesEventsOptions = Omit<ConnectionOptions, 'url'> & {
  /** Origin of the exchange: `https://…`, or `wss://…`. */
  readonly url: string
  /** Makes and renews the key of the stream. */
  readonly call: Call
  readonly onEvent: (event: FuturesEvent) => void
  /** Called when the key can't be created or renewed; it is tried again after `retryMs` (default 500). */
  readonly onError?: (error: unknown) => void
  /** Interval at which the key is renewed; it is valid for an hour. Default half an hour. */
  readonly renewMs?: number
}

export type FuturesEvents = {
  /** Resolves when the socket is open for the first time: later events arrive. */
  readonly opened: Promise<void>
  close(): void
}

/**
 * Events of the Futures account: orders, positions, balances, settings. The stream's key is created, renewed, and replaced when
 * it ends. Events are lost while the socket is lost: `onState` tells when to read the account again.
 */
export function openFuturesEvents(options: FuturesEventsOptions): FuturesEvents {
  const first = Promise.withResolvers<void>()
  let connection: Connection | undefined
  let listenKey: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  async function renew(): Promise<void> {
    clearTimeout(timer)
    let waitMs = options.renewMs ?? 30 * 60_000
    try {
      // An API key has one such key: creating it again renews it.
      const made = await startFutures(options.call)
      if (isClosed) return
      if (made.listenKey !== listenKey) open(made.listenKey)
    } catch (error) {
      if (isClosed) return
      options.onError?.(error)
      waitMs = options.retryMs ?? 500
    }
    clearTimeout(timer)
    timer = setTimeout(() => void renew(), waitMs)
  }

  function open(key: string): void {
    connection?.close()
    listenKey = key
    connection = openConnection(
      { ...options, url: `${socketOrigin(options.url)}/fstream/private/ws?listenKey=${key}` },
      {
        onOpen: () => first.resolve(),
        onText: hear,
        // A quiet account sends nothing, so the socket is asked for an answer.
        ping: () => '{"method":"LIST_SUBSCRIPTIONS","id":1}',
      },
    )
  }

  function hear(text: string): void {
    const event = messageIn<FuturesEvent>(text) as FuturesEvent | undefined
    if (event?.e === undefined) return
    if (event.e === 'listenKeyExpired') {
      listenKey = undefined
      void renew()
    }
    options.onEvent(event)
  }

  void renew()
  return {
    opened: first.promise,
    close() {
      isClosed = true
      clearTimeout(timer)
      connection?.close()
    },
  }
}
