import { ConnectionError, ProgramError } from './errors.ts'
import { ed25519Signer, hmacSigner, rsaSigner, type Signer } from './sign.ts'

/** A number as decimal text, which keeps every digit. */
export type Decimal = string
/** Milliseconds since 1970, UTC. */
export type Millis = number

/** One route of the exchange, as its function declares it. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** `key`: the key is sent; `signed`: the request is signed as well. Default: open to everybody. */
  readonly security?: 'key' | 'signed'
  /** The parameter that makes a repeat safe; without a value it gets a generated one. */
  readonly clientId?: string
  /** True for a write that has the same effect once or twice. */
  readonly isRepeatable?: boolean
  /** Its name on the WebSocket API. */
  readonly socket?: string
}

/** Parameters of a request. Lists and objects are sent as JSON text; undefined ones are left out. */
export type Params = object

export type CallOptions = {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

/**
 * Sends a request; the first parameter of every function. Over HTTP (`makeCall`) or over one socket (`openSocketApi`).
 *
 * throws  `ProgramError` when the exchange refuses, `ConnectionError` when no answer arrives, and the reason of an aborted
 * `signal`
 */
export type Call = <T>(route: Route, params?: Params, options?: CallOptions) => Promise<T>

/** The caller's identity: none, a key with its secret (HMAC-SHA256), or a key with its private half (Ed25519, or RSA as a PEM or `CryptoKey`). */
export type Credentials = {
  readonly key?: string
  readonly secret?: string
  /** A CryptoKey, or PKCS#8 as PEM. */
  readonly privateKey?: CryptoKey | string
}

export type HttpOptions = Credentials & {
  /** URL of the exchange, with or without a path before `/api/v3`. Empty in a browser: the page's own origin. */
  readonly url: string
  readonly fetch?: typeof globalThis.fetch
  /** How long after its timestamp the exchange accepts a request. Default 5,000; at most 60,000. */
  readonly recvWindowMs?: number
  /** Default 15,000. */
  readonly timeoutMs?: number
  /** Further attempts of requests that are safe to repeat. Default 2. */
  readonly retries?: number
  /** Wait before the second attempt. It doubles with each attempt, and chance shortens it to as little as half. Default 250. */
  readonly retryMs?: number
  readonly now?: () => number
}

/**
 * Calls over HTTP. Reads, and writes with a client id, are repeated when no answer came or the exchange was not available; all
 * other requests are sent once. A wrong clock is corrected by the exchange's time, once for each refused request.
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
          // The exchange refused it without executing it, so any request may be repeated.
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

/** A PKCS#8 file of an Ed25519 key has 48 bytes, one of an RSA key over a thousand. */
function isRsa(privateKey: CryptoKey | string): boolean {
  return typeof privateKey === 'string' ? privateKey.length > 500 : privateKey.algorithm.name.startsWith('RSA')
}

export function signerOf({ secret, privateKey }: Credentials): Signer | undefined {
  if (secret !== undefined) return hmacSigner(secret)
  return privateKey === undefined ? undefined : isRsa(privateKey) ? rsaSigner(privateKey) : ed25519Signer(privateKey)
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

/** The parameters with a generated client id where the route takes one, so that a repeat has no second effect. */
export function withClientId(route: Route, params: Params): Params {
  if (route.clientId === undefined || (params as Record<string, unknown>)[route.clientId] !== undefined) return params
  return { ...params, [route.clientId]: newClientId() }
}

/** A new client id: 34 letters and digits. */
export function newClientId(): string {
  return `x-${crypto.randomUUID().replaceAll('-', '')}`
}

/** Whether a further attempt may succeed: the exchange was not available, or no answer came. */
function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  return error instanceof ProgramError && error.status === 503
}

/** How far the exchange's clock is ahead, assuming that both ways take equally long. */
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
