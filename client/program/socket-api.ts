import { openConnection, type ConnectionOptions, type ConnectionState } from '../socket/connection.ts'
import { messageIn } from '../socket/message.ts'
import { type Call, type CallOptions, type Credentials, type Params, paramText, type Route, signerOf, withClientId } from './call.ts'
import { ConnectionError, ProgramError } from './errors.ts'
import { socketOrigin } from './stream.ts'
import type { SpotEvent } from './user-types.ts'

export type SocketApiOptions = Omit<ConnectionOptions, 'url'> &
  Credentials & {
    /** Origin of the exchange: `https://…`, or `wss://…`. */
    readonly url: string
    /** `spot` (default: spot, margin and account) or `futures`. */
    readonly market?: 'spot' | 'futures'
    readonly recvWindowMs?: number
    /** How long an answer is waited for. Default 15,000. */
    readonly timeoutMs?: number
    /** Further attempts of what is safe to send twice, after a lost socket. Default 2. */
    readonly retries?: number
    readonly now?: () => number
  }

export type SocketApi = {
  readonly state: ConnectionState
  /** Takes the place of `makeCall`: the same functions, over this socket; several may be under way at once. */
  readonly call: Call
  /**
   * Opens a session with an Ed25519 key: what follows is not signed any more. It is opened again after a lost socket.
   *
   * throws  ProgramError, or TypeError for another kind of key
   */
  logon(): Promise<void>
  /**
   * Events of the account: `executionReport`, `outboundAccountPosition` … until the returned function is called. After a
   * lost socket it subscribes again: what happened meanwhile is to be read anew (`onState` of the options tells when).
   */
  userData(listener: (event: SpotEvent) => void): Promise<() => Promise<void>>
  close(): void
}

type Pending = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }

/** The WebSocket API: one socket that is asked and answers, and tells what happens to the account. */
export function openSocketApi(options: SocketApiOptions): SocketApi {
  const signer = signerOf(options)
  const now = options.now ?? Date.now
  const pending = new Map<string, Pending>()
  const openers = new Set<() => void>()
  const listeners = new Map<(event: SpotEvent) => void, number>()
  let nextId = 1
  let hasSession = false
  let offsetMs = 0
  /** Events may come in one piece with the answer that names their subscription: they wait until it is known. */
  let early: Answer[] = []
  let subscribing = 0
  let isReady = false
  let isClosed = false

  const connection = openConnection(
    {
      ...options,
      url: `${socketOrigin(options.url)}${options.market === 'futures' ? '/ws-fapi/v1' : '/ws-api/v3'}`,
      onState(state) {
        if (state !== 'open') {
          isReady = false
          for (const { reject } of pending.values()) reject(new ConnectionError('unreachable'))
          pending.clear()
          // Numbers of subscriptions are the socket's: another socket counts anew.
          for (const listener of listeners.keys()) listeners.set(listener, -1)
          early = []
        }
        options.onState?.(state)
      },
    },
    {
      onOpen: () => void begin(),
      onText: hear,
      ping: () => JSON.stringify({ id: 'ping', method: 'ping' }),
    },
  )

  /** The session and its streams first: who waits for the socket finds both. */
  async function begin(): Promise<void> {
    try {
      if (hasSession) await timed('session.logon', () => signed({}))
      for (const listener of listeners.keys()) await subscribe(listener)
    } catch {
      // A socket that was lost meanwhile comes back by itself; a key that is refused is told to whoever asks next.
    }
    isReady = connection.state === 'open'
    for (const open of openers) open()
    openers.clear()
  }

  function hear(text: string): void {
    const message = messageIn<Answer>(text)
    if (message === undefined) return
    if (message.event !== undefined) {
      let isHeard = false
      for (const [listener, id] of listeners) {
        if (id !== message.subscriptionId) continue
        isHeard = true
        listener(message.event)
      }
      if (!isHeard && subscribing > 0) early.push(message)
      return
    }
    const asked = pending.get(String(message.id))
    if (asked === undefined) return
    pending.delete(String(message.id))
    if (message.error === undefined) asked.resolve(message.result)
    else asked.reject(refusalOf(message, now()))
  }

  function ask(method: string, params: object, { signal, timeoutMs = options.timeoutMs ?? 15_000 }: CallOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = String(nextId++)
      const end = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
        pending.delete(id)
      }
      const stop = (): void => {
        end()
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        end()
        reject(new ConnectionError('timeout'))
      }, timeoutMs)
      if (signal?.aborted) return stop()
      signal?.addEventListener('abort', stop, { once: true })
      pending.set(id, {
        resolve(result) {
          end()
          resolve(result)
        },
        reject(error) {
          end()
          reject(error)
        },
      })
      connection.send(JSON.stringify({ id, method, params }))
    })
  }

  async function opened({ signal, timeoutMs = options.timeoutMs ?? 15_000 }: CallOptions): Promise<void> {
    if (isClosed) throw new ConnectionError('unreachable')
    if (isReady) return
    await new Promise<void>((resolve, reject) => {
      const open = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        openers.delete(open)
        reject(signal?.aborted ? signal.reason : new ConnectionError('unreachable'))
      }, timeoutMs)
      openers.add(open)
    })
  }

  async function signed(params: Params): Promise<object> {
    if (options.key === undefined || signer === undefined) throw new TypeError('this needs a key and its secret or private key')
    const window = options.recvWindowMs === undefined ? {} : { recvWindow: options.recvWindowMs }
    const whole: Record<string, unknown> = { ...textsOf(params), apiKey: options.key, timestamp: now() + offsetMs, ...window }
    const names = Object.keys(whole).sort()
    const signature = await signer.sign(names.map((name) => `${name}=${paramText(whole[name])}`).join('&'))
    return { ...whole, signature }
  }

  /** With a session the time alone; otherwise key, time and signature. */
  async function dressed(route: Route, params: Params): Promise<object> {
    if (route.security === undefined) return textsOf(params)
    if (hasSession) return route.security === 'key' ? textsOf(params) : { ...textsOf(params), timestamp: now() + offsetMs }
    return route.security === 'key' ? { ...textsOf(params), apiKey: options.key } : signed(params)
  }

  /** Sends what `make` gives; once more with the exchange's time when the clock was off: nothing was done with it. */
  async function timed(method: string, make: () => Promise<object>, callOptions: CallOptions = {}): Promise<unknown> {
    try {
      return await ask(method, await make(), callOptions)
    } catch (error) {
      if (!(error instanceof ProgramError) || error.code !== -1021) throw error
      const before = now()
      const { serverTime } = (await ask('time', {}, callOptions)) as { readonly serverTime: number }
      offsetMs = Math.round(serverTime - (before + now()) / 2)
      return ask(method, await make(), callOptions)
    }
  }

  async function subscribe(listener: (event: SpotEvent) => void): Promise<void> {
    const method = hasSession ? 'userDataStream.subscribe' : 'userDataStream.subscribe.signature'
    subscribing += 1
    try {
      const result = await timed(method, async () => (hasSession ? {} : signed({})))
      const { subscriptionId } = result as { readonly subscriptionId: number }
      listeners.set(listener, subscriptionId)
      for (const { event, subscriptionId: of } of early) if (of === subscriptionId && event !== undefined) listener(event)
      early = early.filter((one) => one.subscriptionId !== subscriptionId)
    } finally {
      subscribing -= 1
      if (subscribing === 0) early = []
    }
  }

  return {
    get state() {
      return connection.state
    },
    async call<T>(route: Route, params: Params = {}, callOptions: CallOptions = {}): Promise<T> {
      const { socket } = route
      if (socket === undefined) throw new TypeError(`${route.method} ${route.path} is not on the WebSocket API`)
      const whole = withClientId(route, params)
      const isSafe = route.method === 'GET' || route.clientId !== undefined || route.isRepeatable === true
      for (let attempt = 0; ; attempt++) {
        await opened(callOptions)
        try {
          return (await timed(socket, () => dressed(route, whole), callOptions)) as T
        } catch (error) {
          const isLost = error instanceof ConnectionError && error.reason === 'unreachable'
          if (!isLost || !isSafe || isClosed || attempt >= (options.retries ?? 2)) throw error
        }
      }
    },
    async logon() {
      if (signer?.kind !== 'ed25519') throw new TypeError('only an Ed25519 key opens a session')
      await opened({})
      await timed('session.logon', () => signed({}))
      hasSession = true
    },
    async userData(listener) {
      await opened({})
      const entry = (event: SpotEvent): void => listener(event)
      await subscribe(entry)
      return async () => {
        const subscriptionId = listeners.get(entry)
        if (!listeners.delete(entry) || connection.state !== 'open') return
        await ask('userDataStream.unsubscribe', { subscriptionId })
      }
    },
    close() {
      isClosed = true
      connection.close()
      for (const { reject } of pending.values()) reject(new ConnectionError('unreachable'))
      for (const open of openers) open()
    },
  }
}

type Answer = {
  readonly id?: unknown
  readonly status?: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly msg: string; readonly data?: unknown }
  readonly subscriptionId?: number
  readonly event?: SpotEvent
}

/** Lists and objects as JSON text; what is undefined is left out. */
function textsOf(params: Params): Record<string, unknown> {
  const texts: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) texts[name] = typeof value === 'number' || typeof value === 'boolean' ? value : paramText(value)
  }
  return texts
}

function refusalOf({ status = 400, error }: Answer, now: number): ProgramError {
  const { code, msg, data } = error as NonNullable<Answer['error']>
  const { retryAfter } = (data ?? {}) as { readonly retryAfter?: number }
  return new ProgramError({
    code,
    msg,
    status,
    data,
    ...(retryAfter === undefined ? {} : { retryAfter: Math.max(1, Math.ceil((retryAfter - now) / 1_000)) }),
  })
}
