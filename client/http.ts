import type { WireError } from '@candor/core/protocol/wire/market.ts'
import { ApiError, OfflineError } from './errors.ts'

/** Keeps the session outside browsers, which keep it themselves. See `node/cookie.ts`. */
export type CookieJar = {
  /** Value of the `Cookie` header; empty without cookies. */
  header(): string
  store(setCookies: readonly string[]): void
}

export type ClientOptions = {
  /** URL of the exchange, with or without a path before `/app/v1`. Empty in a browser: the page's own origin. */
  readonly baseUrl: string
  readonly fetch?: typeof globalThis.fetch
  readonly cookie?: CookieJar
  /** Called with every `ApiError` and `OfflineError` before the caller gets it, for example to log out on `UNAUTHENTICATED`. */
  readonly onError?: (error: ApiError | OfflineError) => void
  /**
   * UID of the firm's account for which the member acts now; undefined for their own account. Requests that are about the person, such as
   * those for the profile, never carry it.
   */
  readonly account?: () => string | undefined
  /** Default 15,000. */
  readonly timeoutMs?: number
}

export type CallOptions = {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Sends this request instead of the client's own, for example to report the progress of an upload. */
  readonly fetch?: typeof globalThis.fetch
}

/** Undefined fields are left out of the URL. */
export type Query = Readonly<Record<string, string | number | undefined>>

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `body`: a `Blob` is sent as it is, anything else as JSON. `answer`: `file` for a `Blob` instead of JSON. */
export type Parts = { readonly query?: Query; readonly body?: unknown; readonly answer?: 'file' } & CallOptions

/** Sends one request to `/app/v1`; the first parameter of every endpoint's function. */
export type Http = <T>(method: Method, path: string, parts?: Parts) => Promise<T>

/** Throws `ApiError` when the exchange refuses, `OfflineError` when no answer arrives, and the reason of an aborted `signal`. */
export function createHttp(options: ClientOptions): Http {
  const base = options.baseUrl.replace(/\/+$/, '')
  const origin = options.cookie === undefined ? undefined : new URL(base).origin

  return async <T>(method: Method, path: string, parts: Parts = {}): Promise<T> => {
    const send = parts.fetch ?? options.fetch ?? globalThis.fetch
    const timeout = AbortSignal.timeout(parts.timeoutMs ?? options.timeoutMs ?? 15_000)
    const signal = parts.signal === undefined ? timeout : AbortSignal.any([parts.signal, timeout])
    const headers: Record<string, string> = { accept: 'application/json' }
    const file = parts.body instanceof Blob ? parts.body : undefined
    if (parts.body !== undefined) headers['content-type'] = file?.type ?? 'application/json'
    if (origin !== undefined) headers['origin'] = origin
    const account = options.account?.()
    if (account !== undefined) Object.assign(headers, await actingHeaders(account, method, path))
    const cookie = options.cookie?.header() ?? ''
    if (cookie !== '') headers['cookie'] = cookie

    try {
      let response: Response
      let answer: string | Blob
      try {
        response = await send(`${base}/app/v1${path}${queryText(parts.query)}`, {
          method,
          headers,
          signal,
          credentials: 'same-origin',
          ...(parts.body === undefined ? {} : { body: file ?? JSON.stringify(parts.body) }),
        })
        answer = await (response.ok && parts.answer === 'file' ? response.blob() : response.text())
      } catch (cause) {
        if (parts.signal?.aborted) throw parts.signal.reason
        throw new OfflineError(timeout.aborted ? 'timeout' : 'unreachable', { cause })
      }
      options.cookie?.store(response.headers.getSetCookie())
      if (typeof answer !== 'string') return answer as T
      if (!response.ok) throw refused(response, answer)
      return (answer === '' ? undefined : parse(answer)) as T
    } catch (error) {
      if (error instanceof ApiError || error instanceof OfflineError) options.onError?.(error)
      throw error
    }
  }
}

/**
 * A route that is for people's own accounts alone gets the header too: it refuses, instead of using the member's own account. The table of
 * routes is loaded by members of firms only.
 */
async function actingHeaders(account: string, method: Method, path: string): Promise<Readonly<Record<string, string>>> {
  const { actingHeader, actsOfPath } = await import('@candor/core/protocol/wire/firm/acts.ts')
  const acts = actsOfPath(method, path.split('?', 1)[0]!)
  return acts === undefined || acts === 'own' ? {} : { [actingHeader]: account }
}

/** An id, which may have any characters, as one segment of a path. */
export function segment(text: string): string {
  return encodeURIComponent(text)
}

function queryText(query: Query | undefined): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.append(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new OfflineError('unreadable', { cause })
  }
}

function refused(response: Response, text: string): ApiError | OfflineError {
  let answer: Partial<WireError>
  try {
    answer = (JSON.parse(text) ?? {}) as Partial<WireError>
  } catch (cause) {
    return new OfflineError('unreadable', { cause: new Error(`status ${response.status}`, { cause }) })
  }
  if (typeof answer.code !== 'string') return new OfflineError('unreadable', { cause: new Error(`status ${response.status}`) })
  const retryAfter = answer.retryAfter ?? Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError({
    code: answer.code,
    message: answer.message ?? answer.code,
    status: response.status,
    requestId: answer.requestId,
    field: answer.field,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  })
}
