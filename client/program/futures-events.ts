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
  /** A key that could not be made or renewed; it is tried again after `retryMs` (default 500). */
  readonly onError?: (error: unknown) => void
  /** How often the key is renewed. It lasts an hour. Default half an hour. */
  readonly renewMs?: number
}

export type FuturesEvents = {
  /** Resolves when the socket is open for the first time: what happens from then on is told. */
  readonly opened: Promise<void>
  close(): void
}

/**
 * What happens to the Futures account: orders, positions, balances, settings. The key of the stream is made, renewed and
 * replaced when it ends. What happened while the socket was lost is to be read anew: `onState` tells when.
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
      // The key of an API key is one: to make it again is to renew it.
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
        // A quiet account is no lost socket: what is asked is answered.
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
