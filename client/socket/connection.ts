/** `connecting`: a first or early attempt is in progress. `offline`: attempts have failed; they continue at growing intervals. */
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
  /** Tried in turn with `url` after two failures in a row. */
  readonly otherUrl?: string
  /** Default: the global `WebSocket`. */
  readonly socket?: OpenSocket
  readonly onState?: (state: ConnectionState) => void
  /**
   * First wait after a loss. It doubles up to `retryMaxMs`, and chance shortens each wait to as little as half. Defaults 500 and
   * 15,000.
   */
  readonly retryMs?: number
  readonly retryMaxMs?: number
  /** Silence after which an open socket counts as lost. Default 65,000. */
  readonly silenceMs?: number
  /** Interval of the messages that an open socket must answer, which tells a quiet socket from a lost one. Default 20,000. */
  readonly pingMs?: number
  readonly random?: () => number
}

export type Connection = {
  readonly state: ConnectionState
  /** `Date.now()` of the last message; 0: none yet. Values from the socket are live only while this is recent. */
  readonly lastMessageAt: number
  /** Whether the present socket, or the present attempt, is that of `otherUrl`. */
  readonly isOther: boolean
  /** Does nothing unless the state is `open`. */
  send(text: string): void
  /** Drops the current socket and connects at once: for a page that wakes up. */
  reconnect(): void
  close(): void
}

type Handlers = {
  readonly onOpen: (connection: Connection) => void
  readonly onText: (text: string) => void
  /** The message to send every `pingMs`. */
  readonly ping: (connection: Connection) => string
}

/** A socket that reconnects by itself, with random waits and a limit on silence. `onOpen` runs at each opening and subscribes again. */
export function openConnection(options: ConnectionOptions, handlers: Handlers): Connection {
  const connection = new ReturningConnection(options, handlers)
  connection.connect()
  return connection
}

/** A host that accepts the connection and never finishes the handshake counts as lost. */
const handshakeMaxMs = 10_000

class ReturningConnection implements Connection {
  readonly #options: ConnectionOptions
  readonly #handlers: Handlers
  readonly #silenceMs: number
  readonly #ping: ReturnType<typeof setInterval>
  #state: ConnectionState = 'connecting'
  #socket: Socket | undefined
  #lastMessageAt = 0
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  #isClosed = false
  #isOther = false

  constructor(options: ConnectionOptions, handlers: Handlers) {
    this.#options = options
    this.#handlers = handlers
    this.#silenceMs = options.silenceMs ?? 65_000
    this.#ping = setInterval(() => this.send(handlers.ping(this)), options.pingMs ?? 20_000)
  }

  get state(): ConnectionState {
    return this.#state
  }

  get isOther(): boolean {
    return this.#isOther
  }

  get lastMessageAt(): number {
    return this.#lastMessageAt
  }

  send(text: string): void {
    // A browser knows that a socket is closing before it reports it, and prints an error for messages sent meanwhile.
    if (this.#state === 'open' && this.#socket?.readyState === openState) this.#socket.send(text)
  }

  reconnect(): void {
    if (this.#isClosed) return
    this.#failures = 0
    this.#lose()
    this.connect()
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#ping)
    this.#lose()
  }

  connect(): void {
    const { url, otherUrl, socket: open = (address: string) => new WebSocket(address) as unknown as Socket } = this.#options
    clearTimeout(this.#retry)
    if (this.#failures < 2) this.#become('connecting')
    this.#isOther = otherUrl !== undefined && this.#failures >= 2 && this.#failures % 2 === 0
    let mine: Socket
    try {
      mine = open(this.#isOther ? otherUrl! : url)
    } catch {
      this.#fail()
      return
    }
    this.#socket = mine
    this.#silence = setTimeout(() => this.#drop(mine), Math.min(this.#silenceMs, handshakeMaxMs))
    mine.addEventListener('open', () => this.#opened(mine))
    mine.addEventListener('message', ({ data }) => this.#heard(mine, data))
    mine.addEventListener('close', () => this.#drop(mine))
    mine.addEventListener('error', () => this.#drop(mine))
  }

  #opened(mine: Socket): void {
    if (this.#socket !== mine) return
    this.#listen(mine)
    // Subscriptions go out before listeners are told: a snapshot that they read on `open` misses no later change.
    this.#state = 'open'
    this.#handlers.onOpen(this)
    this.#options.onState?.(this.#state)
  }

  #heard(mine: Socket, data: unknown): void {
    if (this.#socket !== mine) return
    this.#failures = 0
    this.#lastMessageAt = Date.now()
    this.#listen(mine)
    if (typeof data === 'string' || ArrayBuffer.isView(data)) this.#handlers.onText(String(data))
  }

  #become(next: ConnectionState): void {
    if (next === this.#state) return
    this.#state = next
    this.#options.onState?.(next)
  }

  #listen(mine: Socket): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.#drop(mine), this.#silenceMs)
  }

  /** A close, an error and a silence of the same socket count as one loss. */
  #drop(mine: Socket): void {
    if (this.#socket !== mine) return
    this.#lose()
    this.#fail()
  }

  #lose(): void {
    clearTimeout(this.#silence)
    clearTimeout(this.#retry)
    const old = this.#socket
    this.#socket = undefined
    // `ws` throws when a socket closes before it has opened.
    try {
      old?.close()
    } catch {}
  }

  #fail(): void {
    if (this.#isClosed) return
    this.#failures += 1
    this.#become(this.#failures < 2 ? 'connecting' : 'offline')
    const { retryMs = 500, retryMaxMs = 15_000, random = Math.random } = this.#options
    const wait = Math.min(retryMaxMs, retryMs * 2 ** Math.min(this.#failures - 1, 10))
    this.#retry = setTimeout(() => this.connect(), wait * (0.5 + random() / 2))
  }
}
