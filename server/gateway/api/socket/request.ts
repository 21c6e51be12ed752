import { checkDepth, parseJsonText } from '../../http/body.ts'
import { ApiError, illegal } from '../errors.ts'
import type { Sent } from '../params.ts'

/** A request on the WebSocket API: like one over HTTP, with an id that its answer carries. */
export type SocketRequest = {
  readonly id: string | number | null
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

const paramsMax = 64
const textMax = 128
const methodShape = /^[A-Za-z0-9./]{1,64}$/
const nameShape = /^[A-Za-z0-9_]{1,64}$/
const none = {}

/** `id`: of the request, as far as it could be read. */
export class BadRequest extends ApiError {
  readonly id: SocketRequest['id']

  constructor(code: number, msg: string, id: SocketRequest['id'] = null) {
    super(code, msg)
    this.id = id
  }
}

/**
 * Reads what a client sent. Of a name that stands twice in an object the last value holds, for signature and use alike.
 *
 * throws  BadRequest -1135, or with the code of what is wrong with a field
 */
export function readSocketRequest(data: Buffer, isBinary: boolean): SocketRequest {
  let message: unknown
  try {
    if (isBinary) throw new Error('not text')
    const text = data.toString()
    checkDepth(text)
    // Only an escape brings in characters that no text may have.
    message = text.includes('\\u') ? parseJsonText(text) : JSON.parse(text)
  } catch {
    throw new BadRequest(-1135, 'Invalid JSON Request')
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) throw new BadRequest(-1135, 'Invalid JSON Request')
  const { id = null, method, params = none } = message as Record<string, unknown>
  const isId = id === null || (typeof id === 'string' ? id.length <= textMax : typeof id === 'number')
  if (!isId) throw new BadRequest(-1100, "Illegal characters found in parameter 'id'; legal range is 'INT, STRING, null'.")
  const known = id as SocketRequest['id']
  if (typeof method !== 'string' || !methodShape.test(method)) {
    throw new BadRequest(-1102, "Mandatory parameter 'method' was not sent, was empty/null, or malformed.", known)
  }
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new BadRequest(-1100, "Illegal characters found in parameter 'params'; legal range is 'an object'.", known)
  }
  return { id: known, method, params: params as SocketRequest['params'] }
}

/** Not for the route: who asks, and how the answer is to look. */
const ofFrame: ReadonlySet<string> = new Set(['apiKey', 'returnRateLimits'])

/**
 * Parameters as a route reads them: numbers as they read in decimals, lists and objects as JSON.
 *
 * throws  ApiError -1100, -1101
 */
export function sentOfParams(params: SocketRequest['params']): Sent {
  const sent = new Map<string, string>()
  let count = 0
  for (const name in params) {
    if (++count > paramsMax) throw new ApiError(-1101, `Too many parameters; expected at most '${paramsMax}'.`)
    if (ofFrame.has(name)) continue
    if (!nameShape.test(name)) throw illegal('name of a parameter', nameShape.source)
    sent.set(name, plainText(params[name]))
  }
  return sent
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') {
    const text = String(value)
    return text.includes('e') ? value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 }) : text
  }
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
