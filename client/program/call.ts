import { ConnectionError, ProgramError } from './errors.ts'
import { ed25519Signer, hmacSigner, type Signer } from './sign.ts'

/** A number as decimal text: it keeps every digit. */
export type Decimal = string
/** Milliseconds since 1970, UTC. */
export type Millis = number

/** One route of the exchange, as its function says it. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** `key`: the key is sent along; `signed`: the request is signed as well. Absent: open to all. */
  readonly security?: 'key' | 'signed'
  /** The parameter that makes a second attempt safe; one is drawn when none is given. */
  readonly clientId?: string
  /** A write that has the same effect once or twice. */
  readonly isRepeatable?: boolean
  /** Its name on the WebSocket API. */
  readonly socket?: string
}

/** What may be sent; lists and objects travel as JSON text, and what is undefined is left out. */
export type Params = object

export type CallOptions = {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

/**
 * Asks the exchange; what every function takes first. Over HTTP (`makeCall`) or over one socket (`openSocketApi`).
 *
 * throws  `ProgramError` when the exchange refuses, `ConnectionError` when it can't be asked, and what `signal` was aborted with
 */
export type Call = <T>(route: Route, params?: Params, options?: CallOptions) => Promise<T>

/** Who asks: nobody, a key with its secret (HMAC-SHA256), or a key with its private half (Ed25519). */
export type Credentials = {
  readonly key?: string
  readonly secret?: string
  /** A key of WebCrypto, or PKCS#8 as PEM. */
  readonly privateKey?: CryptoKey | string
}

export type HttpOptions = Credentials & {
  /** Origin of the exchange, with or without a path in front of `/api/v3`. Empty in a browser: the page's own. */
  readonly url: string
  readonly fetch?: typeof globalThis.fetch
  /** How long after its timestamp a request is taken. Default 5,000; at most 60,000. */
  readonly recvWindowMs?: number
  /** Default 15,000. */
  readonly timeoutMs?: number
  /** Further attempts of what is safe to send twice. Default 2. */
  readonly retries?: number
  /** Wait before the second attempt; it doubles, shortened by chance to as little as half. Default 250. */
  readonly retryMs?: number
  readonly now?: () => number
}

/**
 * Calls over HTTP. Reads, and writes that name themselves, are sent again when no answer came or the exchange was not available;
 * everything else is sent once. A clock that is off is set by the exchange's, once for each refused request.
 */
export function makeCall(options: HttpOptions): Call {
  const base = options.url.replace(/\/+$/, '')
  const signer = signerOf(options)
  const now = options.now ?? Date.now
  const retries = options.retries ?? 2
  const retryMs = options.retryMs ?? 250
  let offsetMs = 0

  async function send<T>(route: Route, params: Params, callOptions: CallOptions): Promise<T> {
    const headers: Record<string, string> = {}
    let text = encoded(params)
    if (route.security !== undefined) {
      if (options.key === undefined) throw new TypeError(`${route.path} needs a key`)
      headers['X-MBX-APIKEY'] = options.key
    }
    if (route.security === 'signed') {
      if (signer === undefined) throw new TypeError(`${route.path} needs a secret or a private key`)
      const own = { ...(options.recvWindowMs === undefined ? {} : { recvWindow: options.recvWindowMs }), timestamp: now() + offsetMs }
      text += (text === '' ? '' : '&') + encoded(own)
      text += `&signature=${encodeURIComponent(await signer.sign(text))}`
    }
    const isForm = route.method === 'POST' || route.method === 'PUT'
    if (isForm) headers['content-type'] = 'application/x-www-form-urlencoded'
    const timeout = AbortSignal.timeout(callOptions.timeoutMs ?? options.timeoutMs ?? 15_000)
    const signal = callOptions.signal === undefined ? timeout : AbortSignal.any([callOptions.signal, timeout])
    let response: Response
    let body: string
    try {
      response = await (options.fetch ?? globalThis.fetch)(`${base}${route.path}${isForm || text === '' ? '' : `?${text}`}`, {
        method: route.method,
        headers,
        signal,
        credentials: 'omit',
        ...(isForm ? { body: text } : {}),
      })
      body = await response.text()
    } catch (cause) {
      if (callOptions.signal?.aborted) throw callOptions.signal.reason
      throw new ConnectionError(timeout.aborted ? 'timeout' : 'unreachable', { cause })
    }
    return answerOf(response, body) as T
  }

  return async <T>(route: Route, params: Params = {}, callOptions: CallOptions = {}): Promise<T> => {
    const whole = withClientId(route, params)
    const isSafe = route.method === 'GET' || route.clientId !== undefined || route.isRepeatable === true
    let isClockSet = false
    for (let attempt = 0; ; attempt++) {
      try {
        return await send<T>(route, whole, callOptions)
      } catch (error) {
        if (error instanceof ProgramError && error.code === -1021 && !isClockSet) {
          // Nothing was done with it, so that any request may go out again.
          isClockSet = true
          offsetMs = await offsetOf(send, now)
          continue
        }
        if (!isSafe || attempt >= retries || !mayPass(error)) throw error
        const said = error instanceof ProgramError ? error.retryAfter : undefined
        const wait = said === undefined ? retryMs * 2 ** attempt * (0.5 + Math.random() / 2) : said * 1_000
        await pause(wait, callOptions.signal)
      }
    }
  }
}

export function signerOf({ secret, privateKey }: Credentials): Signer | undefined {
  if (secret !== undefined) return hmacSigner(secret)
  return privateKey === undefined ? undefined : ed25519Signer(privateKey)
}

/** `name=value` joined by ampersands, percent-encoded. */
export function encoded(params: Params): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value !== undefined) parameters.append(name, paramText(value))
  return parameters.toString()
}

export function paramText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** With a client id of its own where the route takes one: whatever is sent twice then has one effect. */
export function withClientId(route: Route, params: Params): Params {
  if (route.clientId === undefined || (params as Record<string, unknown>)[route.clientId] !== undefined) return params
  return { ...params, [route.clientId]: newClientId() }
}

/** A client id that nobody has used: 34 letters and digits. */
export function newClientId(): string {
  return `x-${crypto.randomUUID().replaceAll('-', '')}`
}

/** Not available, or nobody answered: the next attempt may find it. */
function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  return error instanceof ProgramError && error.status === 503
}

/** How far the exchange's clock is ahead, the way there and back halved. */
async function offsetOf(send: <T>(route: Route, params: Params, options: CallOptions) => Promise<T>, now: () => number): Promise<number> {
  const before = now()
  const { serverTime } = await send<{ readonly serverTime: number }>({ method: 'GET', path: '/api/v3/time' }, {}, {})
  return Math.round(serverTime - (before + now()) / 2)
}

function answerOf(response: Response, body: string): unknown {
  let answer: unknown
  try {
    answer = JSON.parse(body)
  } catch (cause) {
    throw new ConnectionError('unreadable', { cause: new Error(`status ${response.status}`, { cause }) })
  }
  if (response.ok) return answer
  const { code, msg, data } = (answer ?? {}) as { code?: unknown; msg?: unknown; data?: unknown }
  if (typeof code !== 'number') throw new ConnectionError('unreadable', { cause: new Error(`status ${response.status}`) })
  const wait = response.headers.get('retry-after')
  const retryAfter = wait === null ? undefined : Number(wait)
  throw new ProgramError({ code, msg: String(msg), status: response.status, retryAfter, data })
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
