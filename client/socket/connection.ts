/** `connecting`: a first or quick attempt is under way. `offline`: attempts fail; they go on, further and further apart. */
export type ConnectionState = 'connecting' | 'open' | 'offline'

/** The part of a browser's `WebSocket` that is used here. */
export type Socket = {
  readonly readyState: number
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
}
export type OpenSocket = (url: string) => Socket

/** `WebSocket.OPEN`. */
const openState = 1

export type ConnectionOptions = {
  /** `ws:` or `wss:`. */
  readonly url: string
  /** Default: the global `WebSocket`. */
  readonly socket?: OpenSocket
  readonly onState?: (state: ConnectionState) => void
  /** First wait after a loss; it doubles up to `retryMaxMs`, each wait shortened by chance to as little as half. Defaults 500 and 15,000. */
  readonly retryMs?: number
  readonly retryMaxMs?: number
  /** An open socket that is silent for so long counts as lost. Default 65,000. */
  readonly silenceMs?: number
  /** How often an open socket is asked for a sign of life, so that a quiet one is told from a lost one. Default 20,000. */
  readonly pingMs?: number
  readonly random?: () => number
}

export type Connection = {
  readonly state: ConnectionState
  /** `Date.now()` of the last message; 0: none yet. What is shown beside it is live only while this is young. */
  readonly lastMessageAt: number
  /** Nothing happens unless the state is `open`. */
  send(text: string): void
  /** Gives up the present socket and tries at once: for a page that wakes up. */
  reconnect(): void
  close(): void
}

/** A socket that comes back: jittered back-off, a limit on silence. `onOpen` runs at each opening and subscribes anew. */
export function openConnection(
  options: ConnectionOptions,
  handlers: {
    readonly onOpen: (connection: Connection) => void
    readonly onText: (text: string) => void
    /** What is sent every `pingMs`. */
    readonly ping: () => string
  },
): Connection {
  const open = options.socket ?? ((url: string) => new WebSocket(url) as unknown as Socket)
  const random = options.random ?? Math.random
  const retryMs = options.retryMs ?? 500
  const retryMaxMs = options.retryMaxMs ?? 15_000
  const silenceMs = options.silenceMs ?? 65_000

  let state: ConnectionState = 'connecting'
  let socket: Socket | undefined
  let lastMessageAt = 0
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  const connection: Connection = {
    get state() {
      return state
    },
    get lastMessageAt() {
      return lastMessageAt
    },
    send(text) {
      // A browser knows that a socket is closing before it says so, and complains of what is sent meanwhile.
      if (state === 'open' && socket?.readyState === openState) socket.send(text)
    },
    reconnect() {
      if (isClosed) return
      failures = 0
      lose()
      connect()
    },
    close() {
      isClosed = true
      clearInterval(ping)
      lose()
    },
  }

  function become(next: ConnectionState): void {
    if (next === state) return
    state = next
    options.onState?.(next)
  }

  function connect(): void {
    clearTimeout(retry)
    if (failures < 2) become('connecting')
    let mine: Socket
    try {
      mine = open(options.url)
    } catch {
      fail()
      return
    }
    socket = mine
    // A host that takes the connection and never finishes the handshake is as lost as a silent one.
    silence = setTimeout(() => drop(mine), Math.min(silenceMs, 10_000))
    mine.addEventListener('open', () => {
      if (socket !== mine) return
      listen(mine)
      // Subscriptions go out before anyone is told: who reads a snapshot on `open` misses nothing that follows it.
      state = 'open'
      handlers.onOpen(connection)
      options.onState?.(state)
    })
    mine.addEventListener('message', (event) => {
      if (socket !== mine) return
      failures = 0
      lastMessageAt = Date.now()
      listen(mine)
      if (typeof event.data === 'string' || ArrayBuffer.isView(event.data)) handlers.onText(String(event.data))
    })
    mine.addEventListener('close', () => drop(mine))
    mine.addEventListener('error', () => drop(mine))
  }

  function listen(mine: Socket): void {
    clearTimeout(silence)
    silence = setTimeout(() => drop(mine), silenceMs)
  }

  /** A close, an error and a silence of the same socket count once. */
  function drop(mine: Socket): void {
    if (socket !== mine) return
    lose()
    fail()
  }

  function lose(): void {
    clearTimeout(silence)
    clearTimeout(retry)
    const old = socket
    socket = undefined
    // `ws` throws when a socket closes before it has opened.
    try {
      old?.close()
    } catch {}
  }

  function fail(): void {
    if (isClosed) return
    failures += 1
    become(failures < 2 ? 'connecting' : 'offline')
    const wait = Math.min(retryMaxMs, retryMs * 2 ** Math.min(failures - 1, 10))
    retry = setTimeout(connect, wait * (0.5 + random() / 2))
  }

  const ping = setInterval(() => connection.send(handlers.ping()), options.pingMs ?? 20_000)
  connect()
  return connection
}
