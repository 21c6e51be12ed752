/** Requests to the console's routes. */
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import { askFresh } from './fresh.ts'

const prefix = '/console/v1'
/** Longer than a slow answer takes. */
const patienceMs = 30_000

/** Why a request failed: a refusal of the exchange, or `UNREACHABLE` when no answer came. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: Refusal | 'UNREACHABLE'
  /** Seconds until another try makes sense. */
  readonly retryAfter: number | undefined
  /** Finds the request in the server's log. */
  readonly requestId: string | undefined

  constructor(code: Refusal | 'UNREACHABLE', { message = '', retryAfter, requestId }: Told = {}) {
    super(message)
    this.code = code
    this.retryAfter = retryAfter
    this.requestId = requestId
  }
}

/** Whether a failure is this refusal. */
export function isRefused(cause: unknown, code: Refusal): boolean {
  return cause instanceof Problem && cause.code === code
}

/** throws  Problem */
export async function read<T>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Promise<T> {
  return (await send('GET', path + searchOf(query))).json() as Promise<T>
}

/** A file of the exchange. throws  Problem */
export async function readFile(path: string): Promise<Blob> {
  return (await send('GET', path)).blob()
}

/** A table as a file. `cutAt`: rows after which it is cut; 0 for a complete one. throws  Problem */
export async function readTable(
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): Promise<{ readonly file: Blob; readonly cutAt: number }> {
  const response = await send('GET', path + searchOf(query))
  return { file: await response.blob(), cutAt: Number(response.headers.get('candor-rows-cut') ?? 0) }
}

/**
 * A request that changes something. If the exchange wants a login of the last 15 minutes, the member is asked to log in again, and the
 * request is sent once more.
 *
 * throws  Problem
 */
export async function change<T = void>(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<T> {
  try {
    return await changeOnce<T>(method, path, body)
  } catch (cause) {
    if (!isRefused(cause, 'SESSION_NOT_FRESH') || !(await askFresh())) throw cause
    return changeOnce<T>(method, path, body)
  }
}

/** A change without that question: of the login itself. throws  Problem */
export async function changeOnce<T = void>(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body)
  return (response.status === 204 ? undefined : await response.json()) as T
}

async function send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Response> {
  const response = await fetch(prefix + path, {
    method,
    signal: AbortSignal.timeout(patienceMs),
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Problem('UNREACHABLE')
  })
  if (response.ok) return response
  const told = await (response.json() as Promise<Told>).catch((): Told => ({}))
  throw new Problem(told.code ?? 'UNREACHABLE', told)
}

type Told = {
  readonly code?: Refusal | undefined
  readonly message?: string | undefined
  readonly retryAfter?: number | undefined
  readonly requestId?: string | undefined
}

function searchOf(query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
